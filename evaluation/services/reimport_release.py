"""Take an exported release in again, as the team's next release: the same records, the same checksum."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO, Any

from django.conf import settings
from django.utils.translation import gettext_noop

from config.accounts.models import Team, User
from config.blobs import put_blob
from config.errors import ApplicationError
from evaluation.files.limits import FileLimits
from evaluation.imports.release import BadExport, Export, open_export
from evaluation.models import GoldItem, Release
from evaluation.services.freeze_release import NothingToRelease, import_release


class AlreadyHere(ApplicationError):
    """The team has a release with this very checksum; `release` is it."""

    kind = "already_imported"
    msgid = gettext_noop("Nothing was imported: this release already contains the same records.")

    def __init__(self, release: Release) -> None:
        super().__init__(f"release {release.number} holds the same records")
        self.release = release


class EmptyExport(NothingToRelease):
    """The export contains no samples."""

    field = "file"
    msgid = gettext_noop("Nothing was imported: the export contains no samples.")


class ExportRefused(ApplicationError, BadExport):
    """The archive is not an export, or not as it was exported; the message says what is wrong with it."""

    status, kind, field = 422, "invalid", "file"
    msgid = gettext_noop("Nothing was imported. %(why)s")

    def __init__(self, error: BadExport) -> None:
        super().__init__(why=str(error))
        self.error = error

    def message(self, translate: Callable[[str], Any] = str) -> str:
        return str(translate(self.msgid)) % {"why": self.error.message(translate)}


def reimport_release(*, team: Team, by: User, file: IO[bytes]) -> Release:
    """Verify an archive of the format `inkbench` and freeze it as the next release.

    Raises ExportRefused, which names the record that differs from what was exported, EmptyExport and AlreadyHere.
    Nothing is imported from a damaged archive.
    """
    try:
        with open_export(file, limits=FileLimits(**settings.IMPORT_LIMITS)) as export:
            return _freeze(export, team, by)
    except BadExport as error:
        raise ExportRefused(error) from error


def _freeze(export: Export, team: Team, by: User) -> Release:
    same = Release.objects.filter(team=team, checksum=export.manifest["checksum"]).first()
    if same is not None:
        raise AlreadyHere(same)
    if not export.records:
        raise EmptyExport
    for record in export.records:
        if record.image_hash:
            put_blob(export.image(record))
    known = _known_images([record.image_hash for record in export.records])
    manifest = export.manifest
    return import_release(
        team=team,
        by=by,
        records=export.records,
        pixel_hashes={
            record.id: known.get(record.image_hash, record.image_hash) for record in export.records
        },
        title=manifest.get("title", ""),
        notes=manifest.get("notes", ""),
        guideline_text=manifest.get("guideline_text", ""),
        settings={
            **manifest.get("settings", {}),
            "imported_from": f"{manifest.get('team', '')} {manifest.get('number', '')}",
        },
    )


def _known_images(blobs: list[str]) -> dict[str, str]:
    """The pixel hash that this site knows an image by, so that who has seen it is not forgotten."""
    images: dict[str, str] = {}
    for start in range(0, len(blobs), 500):
        rows = GoldItem.objects.filter(image_blob__in=blobs[start : start + 500]).exclude(pixel_hash="")
        images.update(rows.values_list("image_blob", "pixel_hash"))
    return images
