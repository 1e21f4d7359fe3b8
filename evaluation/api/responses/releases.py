"""What the API tells of releases and their exports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from evaluation.api.responses.jobs import JobAnswer, job_answer
from evaluation.models import ExportRun, Release
from evaluation.selectors.releases import changes_of


@dataclass(frozen=True, slots=True)
class ReleaseAnswer:
    """One release of a project."""

    id: int
    project: str
    number: int
    title: str
    count: int
    checksum: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ChangesAnswer:
    """Samples that came, went, or have another text than in the release before."""

    previous: int
    added: int
    removed: int
    changed: int


@dataclass(frozen=True, slots=True)
class ReleaseDetail:
    """A release for its managers: the manifest, and what changed since the one before."""

    release: ReleaseAnswer
    notes: str
    manifest: Mapping[str, Any]
    changes: ChangesAnswer | None


@dataclass(frozen=True, slots=True)
class ExportAnswer:
    """One archive of a release. `checksum` (SHA-256) and `size` are there once it is done."""

    id: int
    release: int
    format: str
    job: JobAnswer
    size: int
    checksum: str
    created_at: datetime


def release_answer(release: Release) -> ReleaseAnswer:
    return ReleaseAnswer(
        id=release.pk,
        project=release.team.slug,
        number=release.number,
        title=release.title,
        count=release.count,
        checksum=release.checksum,
        created_at=release.created_at,
    )


def release_detail(release: Release) -> ReleaseDetail:
    found = changes_of(release)
    changes = None
    if found is not None:
        changes = ChangesAnswer(found.previous.number, found.added, found.removed, found.changed)
    return ReleaseDetail(release_answer(release), release.notes, release.manifest, changes)


def export_answer(run: ExportRun) -> ExportAnswer:
    return ExportAnswer(
        id=run.pk,
        release=run.release_id,
        format=run.format,
        job=job_answer(run),
        size=run.size,
        checksum=run.checksum,
        created_at=run.queued_at,
    )
