"""Write and ask the exposure log."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from config.accounts.models import User
from config.exposure.models import Exposure


class Saw(StrEnum):
    """How much a person saw of a sample."""

    IMAGE = "image"
    LABEL = "label"  # somebody's label content, outside the work the person was given
    GOLD = "gold"  # released ground truth


def record_exposure(*, user: User, image_hash: str, role: str, saw: Saw, place: str) -> None:
    """Note the first time a person saw a picture in this role and place; later times change nothing."""
    Exposure.objects.bulk_create(
        [Exposure(user=user, image_hash=image_hash, role=role, saw=saw, place=place)], ignore_conflicts=True
    )


def record_exposures(*, user: User, image_hashes: Iterable[str], role: str, saw: Saw, place: str) -> None:
    """The same for many pictures at once (a list page, an export)."""
    Exposure.objects.bulk_create(
        [Exposure(user=user, image_hash=h, role=role, saw=saw, place=place) for h in image_hashes],
        ignore_conflicts=True,
    )


def hashes_seen(user: User, *saw: Saw) -> frozenset[str]:
    """Hashes of the pictures a person has seen; with `saw`, only those seen to that extent."""
    rows = Exposure.objects.filter(user=user)
    if saw:
        rows = rows.filter(saw__in=saw)
    return frozenset(rows.values_list("image_hash", flat=True))


def has_seen(user: User, image_hash: str, *saw: Saw) -> bool:
    rows = Exposure.objects.filter(user=user, image_hash=image_hash)
    return rows.filter(saw__in=saw).exists() if saw else rows.exists()
