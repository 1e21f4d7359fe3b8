"""Responses about an import and its files."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from annotation.models import ImportRun
from annotation.selectors.imports import FileGroup, count_samples, groups_of


@dataclass(frozen=True, slots=True)
class FileGroupResponse:
    """Files of an import with the same outcome and problem; `files` lists the first few."""

    outcome: str
    problem: str
    mend: str
    count: int
    files: tuple[FileResponse, ...]


@dataclass(frozen=True, slots=True)
class FileResponse:
    """One file of an import and its outcome."""

    name: str
    message: str


@dataclass(frozen=True, slots=True)
class ImportResponse:
    """One import. `is_receiving`: it still accepts files and has not been started."""

    id: int
    project: str
    state: str
    is_receiving: bool
    progress_done: int
    progress_total: int
    samples: int
    duplicates: int
    error: str
    created_at: datetime
    files: tuple[FileGroupResponse, ...]


def import_response(run: ImportRun, *, with_files: bool = True) -> ImportResponse:
    samples, duplicates = count_samples(run)
    return ImportResponse(
        id=run.pk,
        project=run.project.slug,
        state=run.state,
        is_receiving=run.is_receiving,
        progress_done=run.progress_done,
        progress_total=run.progress_total,
        samples=samples,
        duplicates=duplicates,
        error=run.error_message,
        created_at=run.queued_at,
        files=tuple(_group_response(group) for group in groups_of(run)) if with_files else (),
    )


def _group_response(group: FileGroup) -> FileGroupResponse:
    return FileGroupResponse(
        outcome=group.outcome,
        problem=group.words.title if group.words else "",
        mend=group.words.mend if group.words else "",
        count=group.count,
        files=tuple(FileResponse(file.name, message) for file, message in group.files),
    )
