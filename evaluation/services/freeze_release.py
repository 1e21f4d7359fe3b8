"""Freeze gold records into a numbered release."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_noop

from config.accounts.models import Team, User
from config.blobs import has_blob, put_blob, read_blob
from config.errors import ApplicationError
from config.transactions import locked
from evaluation.models import GoldItem, Release
from evaluation.prediction_formats import REGIONS
from evaluation.records import GoldRecord, ReleaseManifest, as_object
from evaluation.rendering.region_images import draw_outlines
from evaluation.selectors.release_integrity import checksum_of


class NumberTaken(ApplicationError):
    """Another release was frozen since: the next one would have another number than the person was shown."""

    kind = "number_taken"
    msgid = gettext_noop(
        "The release was not frozen: another release has been frozen since you opened the page. It is shown here."
    )


class NothingToRelease(ApplicationError):
    """A release needs at least one record."""

    kind = "nothing_to_release"
    msgid = gettext_noop("The release was not frozen: no sample is verified.")


def import_release(
    *,
    team: Team,
    by: User,
    records: Iterable[GoldRecord],
    pixel_hashes: Mapping[str, str],
    title: str = "",
    notes: str = "",
    settings: Mapping[str, Any] | None = None,
    guideline_text: str = "",
    expected: int | None = None,
) -> Release:
    """Freeze `records`, in the order given, as the team's next release.

    `expected` is the number the release is to get. Raises NothingToRelease, and NumberTaken when it would get another.

    `guideline_text` is the newest guideline that the records follow. It is kept in the manifest, which the checksum
    does not cover: the checksum is over the records alone.

    `pixel_hashes` names each record's image by content, for the exposure log. The number is taken and everything
    written in one transaction: a release is there whole, or not at all.
    """
    frozen = list(records)
    if not frozen:
        raise NothingToRelease
    now = timezone.now()
    is_by_region = (settings or {}).get("formula_answers") == REGIONS
    outlines = {record.id: _outlines(record) for record in frozen if is_by_region}
    with transaction.atomic():
        locked(Team.objects.filter(pk=team.pk)).get()
        previous = Release.objects.filter(team=team).aggregate(last=Max("number"))["last"]
        number = (previous or 0) + 1
        if expected is not None and expected != number:
            raise NumberTaken
        manifest = ReleaseManifest(
            team=team.slug,
            number=number,
            title=title,
            created_at=now.isoformat(timespec="seconds"),
            count=len(frozen),
            checksum=checksum_of(frozen),
            previous=previous,
            notes=notes,
            guideline=max(record.guideline for record in frozen),
            settings=settings or {},
            guideline_text=guideline_text,
        )
        release = Release.objects.create(
            team=team,
            number=number,
            title=title,
            notes=notes,
            manifest=asdict(manifest),
            checksum=manifest.checksum,
            count=manifest.count,
            created_by=by,
            created_at=now,
        )
        GoldItem.objects.bulk_create(
            (
                _item(release, position, record, pixel_hashes.get(record.id, ""), outlines.get(record.id, ""))
                for position, record in enumerate(frozen)
            ),
            batch_size=500,
        )
    return release


def _outlines(record: GoldRecord) -> str:
    """The blob of the page with its numbered regions; none where there are no regions, or no image."""
    if not record.regions or not record.image_hash or not has_blob(record.image_hash):
        return ""
    return put_blob(draw_outlines(read_blob(record.image_hash), record.regions))


def _item(release: Release, position: int, record: GoldRecord, pixel_hash: str, outlines: str) -> GoldItem:
    return GoldItem(
        release=release,
        position=position,
        sample_id=record.id,
        number=record.number,
        file_name=record.file_name,
        image_blob=record.image_hash,
        outlines_blob=outlines,
        pixel_hash=pixel_hash,
        structure=record.structure,
        language=record.language,
        scenario=record.scenario,
        record=as_object(record),
    )
