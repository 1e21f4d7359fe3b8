"""Write and ask the exposure log."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from django.db.models import QuerySet

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


def sights_of(user: User, *saw: Saw) -> QuerySet[Exposure]:
    """The log's rows of one person; with `saw`, only those to that extent. For subqueries on `image_hash`."""
    rows = Exposure.objects.filter(user=user)
    return rows.filter(saw__in=saw) if saw else rows


def has_seen(user: User, image_hash: str, *saw: Saw) -> bool:
    return sights_of(user, *saw).filter(image_hash=image_hash).exists()
