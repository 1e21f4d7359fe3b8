"""Who takes part in a study of an image, and the one rule that keeps from them what would spoil it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from config.accounts.models import User
from config.exposure.models import Reservation, ReservedContent


def reserve(
    *,
    user: User,
    image_hashes: Iterable[str],
    holder: str,
    content: ReservedContent = ReservedContent.GOLD,
) -> None:
    """Reserve images for a person; code that shows such content of them calls `deny_reserved_readers` first."""
    Reservation.objects.bulk_create(
        [
            Reservation(user=user, image_hash=image_hash, holder=holder, content=content)
            for image_hash in image_hashes
            if image_hash
        ],
        ignore_conflicts=True,
    )


def release_reservations(*, user: User, holder: str, image_hashes: Iterable[str] | None = None) -> None:
    """End a holder's reservations of a person, or those of these images alone."""
    rows = Reservation.objects.filter(user=user, holder=holder)
    if image_hashes is not None:
        rows = rows.filter(image_hash__in=list(image_hashes))
    rows.delete()


def release_all_reservations(holder: str) -> None:
    """End the reservations of everybody whom this holder has."""
    Reservation.objects.filter(holder=holder).delete()


def reserved_for(user: User, content: ReservedContent = ReservedContent.GOLD) -> QuerySet[Reservation, str]:
    """The images, or keys of releases, of which this content is closed to a person; by default those they are still to
    see with an untouched eye, for queues that pass over them."""
    rows = Reservation.objects.filter(user=user, content=content)
    return rows.values_list("image_hash", flat=True)


def deny_reserved_readers(
    user: User,
    image_hashes: QuerySet[Any] | Iterable[str],
    *,
    keys: Iterable[str] = (),
    has_figures: bool = False,
) -> None:
    """Raise PermissionDenied, in words, while one of these images is reserved for the person.

    Everything that shows ground truth, a reference answer or figures of images calls this, with a subquery of their
    hashes or the hashes. `keys` are those of the releases shown; `has_figures` is for pages with scores.
    """
    rows = Reservation.objects.filter(
        Q(image_hash__in=image_hashes) | Q(image_hash__in=list(keys)), user=user
    )
    if not has_figures:
        rows = rows.filter(content=ReservedContent.GOLD)
    reserved = set(rows.values_list("content", flat=True).distinct())
    if ReservedContent.GOLD in reserved:
        raise PermissionDenied(
            _(
                "This page shows samples you are still to read in a baseline. It opens for "
                "you when you have finished."
            )
        )
    if reserved:
        raise PermissionDenied(
            _(
                "You rate samples of this release in a study, and scores would tell what is compared. "
                "This page opens for you when the study closes."
            )
        )
