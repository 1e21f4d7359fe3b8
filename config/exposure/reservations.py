"""Who is still to see an image for the first time, and the one rule that keeps ground truth from them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from config.accounts.models import User
from config.exposure.models import Reservation


def reserve(*, user: User, image_hashes: Iterable[str], holder: str) -> None:
    """Reserve unseen images for a person; code that shows ground truth calls `deny_reserved_readers` first."""
    Reservation.objects.bulk_create(
        [Reservation(user=user, image_hash=h, holder=holder) for h in image_hashes if h],
        ignore_conflicts=True,
    )


def release_reservations(*, user: User, holder: str, image_hashes: Iterable[str] | None = None) -> None:
    """End a holder's reservations of a person, or those of these images alone."""
    rows = Reservation.objects.filter(user=user, holder=holder)
    if image_hashes is not None:
        rows = rows.filter(image_hash__in=list(image_hashes))
    rows.delete()


def reserved_for(user: User) -> QuerySet[Reservation, str]:
    """The images a person is still to see with an untouched eye, for queues that pass over them."""
    return Reservation.objects.filter(user=user).values_list("image_hash", flat=True)


def deny_reserved_readers(user: User, image_hashes: QuerySet[Any] | Iterable[str]) -> None:
    """Raise PermissionDenied, in words, while one of these images is reserved for the person.

    Everything that shows ground truth, a reference answer or figures of images calls this, with a subquery of their
    hashes or the hashes.
    """
    if Reservation.objects.filter(user=user, image_hash__in=image_hashes).exists():
        raise PermissionDenied(
            _(
                "This page shows samples you are still to read in a baseline. It opens for "
                "you when you have finished."
            )
        )
