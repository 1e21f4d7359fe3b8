"""Read the exposure log and the list of restricted images."""

from __future__ import annotations

from django.db.models import QuerySet

from config.accounts.models import User
from config.exposure.models import Exposure, RestrictedImage, SeenContent


def exposures_of(user: User, *saw: SeenContent) -> QuerySet[Exposure]:
    """The log's rows of one person; with `saw`, only those to that extent. For subqueries on `image_hash`."""
    rows = Exposure.objects.filter(user=user)
    return rows.filter(saw__in=saw) if saw else rows


def has_seen(user: User, image_hash: str, *saw: SeenContent) -> bool:
    return exposures_of(user, *saw).filter(image_hash=image_hash).exists()


def is_restricted(team_id: int, blob: str) -> bool:
    return RestrictedImage.objects.filter(team=team_id, blob=blob).exists()
