"""Who is still to see a picture for the first time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet

from config.accounts.models import User
from config.exposure.models import Reservation


def reserve(*, user: User, image_hashes: Iterable[str], holder: str) -> None:
    """Keep a person's eye untouched for these pictures: whoever shows ground truth asks `is_reserved` first."""
    Reservation.objects.bulk_create(
        [Reservation(user=user, image_hash=h, holder=holder) for h in image_hashes if h],
        ignore_conflicts=True,
    )


def let_go(*, user: User, holder: str, image_hashes: Iterable[str] | None = None) -> None:
    """End a holder's reservations of a person, or those of these pictures alone."""
    rows = Reservation.objects.filter(user=user, holder=holder)
    if image_hashes is not None:
        rows = rows.filter(image_hash__in=list(image_hashes))
    rows.delete()


def is_reserved(user: User, image_hashes: QuerySet[Any] | Iterable[str]) -> bool:
    """True while one of these pictures is reserved for the person. Takes a subquery of hashes or the hashes."""
    return Reservation.objects.filter(user=user, image_hash__in=image_hashes).exists()
