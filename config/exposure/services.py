"""Write the exposure log and the list of restricted images."""

from __future__ import annotations

from collections.abc import Iterable

from config.accounts.models import Team, User
from config.exposure.models import Exposure, RestrictedImage, SeenContent


def record_exposure(*, user: User, image_hash: str, role: str, saw: SeenContent, place: str) -> None:
    """Note the first time a person saw an image in this role and place; later times change nothing."""
    Exposure.objects.bulk_create(
        [Exposure(user=user, image_hash=image_hash, role=role, saw=saw, place=place)], ignore_conflicts=True
    )


def record_exposures(
    *, user: User, image_hashes: Iterable[str], role: str, saw: SeenContent, place: str
) -> None:
    """The same for many images at once (a list page, an export).

    In one order, since two inserts of the same rows wait for each other.
    """
    Exposure.objects.bulk_create(
        [Exposure(user=user, image_hash=h, role=role, saw=saw, place=place) for h in sorted(image_hashes)],
        ignore_conflicts=True,
    )


def hand_on_exposures(*, before: str, after: str) -> None:
    """Whoever saw the image `before` counts as having seen `after`, which was made from it."""
    rows = Exposure.objects.filter(image_hash=before).order_by("pk")
    Exposure.objects.bulk_create(
        [
            Exposure(
                user_id=row.user_id, image_hash=after, role=row.role, saw=row.saw, place=row.place, at=row.at
            )
            for row in rows
        ],
        ignore_conflicts=True,
    )


def restrict_images(team: Team, blobs: Iterable[str]) -> None:
    """From now on no token of this team's people shows these images, but a private one of a manager or screener."""
    RestrictedImage.objects.bulk_create(
        [RestrictedImage(team=team, blob=blob) for blob in sorted(blobs) if blob], ignore_conflicts=True
    )


def unrestrict_images(team: Team, blobs: Iterable[str]) -> None:
    """These images may be shown again."""
    RestrictedImage.objects.filter(team=team, blob__in=list(blobs)).delete()
