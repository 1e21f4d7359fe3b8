"""Take an exported release in again, as the team's next release: the same records, the same checksum."""

from __future__ import annotations

from typing import IO

from django.conf import settings

from config.accounts.models import Team, User
from config.blobs import put_blob
from evaluation.files.limits import FileLimits
from evaluation.imports.release import open_export
from evaluation.models import GoldItem, Release
from evaluation.services.freeze_release import import_release


class AlreadyHere(Exception):
    """The team has a release with this very checksum; `release` is it."""

    def __init__(self, release: Release) -> None:
        super().__init__(f"release {release.number} holds the same records")
        self.release = release


def reimport_release(*, team: Team, by: User, file: IO[bytes]) -> Release:
    """Prove an archive of the format `inkbench` and freeze it as the next release.

    Raises BadExport, which names the record that is not as it was exported, and AlreadyHere. Nothing is taken from an
    archive that is not whole.
    """
    with open_export(file, limits=FileLimits(**settings.IMPORT_LIMITS)) as export:
        same = Release.objects.filter(team=team, checksum=export.manifest["checksum"]).first()
        if same is not None:
            raise AlreadyHere(same)
        for record in export.records:
            if record.image_hash:
                put_blob(export.image(record))
        known = _known_images([record.image_hash for record in export.records])
        return import_release(
            team=team,
            by=by,
            records=export.records,
            pixel_hashes={
                record.id: known.get(record.image_hash, record.image_hash) for record in export.records
            },
            title=export.manifest.get("title", ""),
            notes=export.manifest.get("notes", ""),
            guideline_text=export.manifest.get("guideline_text", ""),
            settings={
                **export.manifest.get("settings", {}),
                "imported_from": f"{export.manifest.get('team', '')} {export.manifest.get('number', '')}",
            },
        )


def _known_images(blobs: list[str]) -> dict[str, str]:
    """The pixel hash that this site knows an image by, so that who has seen it is not forgotten."""
    found: dict[str, str] = {}
    for start in range(0, len(blobs), 500):
        rows = GoldItem.objects.filter(image_blob__in=blobs[start : start + 500]).exclude(pixel_hash="")
        found.update(rows.values_list("image_blob", "pixel_hash"))
    return found
