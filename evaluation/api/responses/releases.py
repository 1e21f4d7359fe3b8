"""Responses about releases and their exports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from evaluation.api.responses.jobs import JobResponse, job_response
from evaluation.models import ExportRun, Release
from evaluation.selectors.releases import Changes, changes_of


@dataclass(frozen=True, slots=True)
class ReleaseResponse:
    """One release of a project."""

    id: int
    project: str
    number: int
    title: str
    count: int
    checksum: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ChangesResponse:
    """Numbers of samples added, removed or changed since the previous release."""

    previous: int
    added: int
    removed: int
    changed: int


@dataclass(frozen=True, slots=True)
class ReleaseDetailResponse:
    """A release for its managers: its manifest, and the changes since the previous release."""

    release: ReleaseResponse
    notes: str
    manifest: Mapping[str, Any]
    changes: ChangesResponse | None


@dataclass(frozen=True, slots=True)
class ExportResponse:
    """One archive of a release. `checksum` (SHA-256) and `size` in bytes are set once it is done."""

    id: int
    release: int
    format: str
    job: JobResponse
    size: int
    checksum: str
    created_at: datetime


def release_response(release: Release) -> ReleaseResponse:
    return ReleaseResponse(
        id=release.pk,
        project=release.team.slug,
        number=release.number,
        title=release.title,
        count=release.count,
        checksum=release.checksum,
        created_at=release.created_at,
    )


def release_detail_response(release: Release) -> ReleaseDetailResponse:
    changes = changes_of(release)
    return ReleaseDetailResponse(
        release=release_response(release),
        notes=release.notes,
        manifest=release.manifest,
        changes=_changes_response(changes) if changes else None,
    )


def _changes_response(changes: Changes) -> ChangesResponse:
    return ChangesResponse(changes.previous.number, changes.added, changes.removed, changes.changed)


def export_response(run: ExportRun) -> ExportResponse:
    return ExportResponse(
        id=run.pk,
        release=run.release_id,
        format=run.format,
        job=job_response(run),
        size=run.size,
        checksum=run.checksum,
        created_at=run.queued_at,
    )
