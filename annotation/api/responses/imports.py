"""What the API tells of an import and of each of its files."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from annotation.models import ImportRun
from annotation.selectors.imports import FileGroup, count_samples, groups_of


@dataclass(frozen=True, slots=True)
class FileGroupAnswer:
    """Files of an import that share an outcome and a problem; `files` names the first few."""

    outcome: str
    problem: str
    mend: str
    count: int
    files: tuple[FileAnswer, ...]


@dataclass(frozen=True, slots=True)
class FileAnswer:
    """One file of an import, and what happened to it in words."""

    name: str
    message: str


@dataclass(frozen=True, slots=True)
class ImportAnswer:
    """One import. `is_receiving`: more files may still be sent, and it has to be started."""

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
    files: tuple[FileGroupAnswer, ...]


def import_answer(run: ImportRun, *, with_files: bool = True) -> ImportAnswer:
    samples, duplicates = count_samples(run)
    return ImportAnswer(
        id=run.pk,
        project=run.project.slug,
        state=run.state,
        is_receiving=run.is_receiving,
        progress_done=run.progress_done,
        progress_total=run.progress_total,
        samples=samples,
        duplicates=duplicates,
        error=run.told,
        created_at=run.queued_at,
        files=tuple(_group_answer(group) for group in groups_of(run)) if with_files else (),
    )


def _group_answer(group: FileGroup) -> FileGroupAnswer:
    return FileGroupAnswer(
        outcome=group.outcome,
        problem=group.words.title if group.words else "",
        mend=group.words.mend if group.words else "",
        count=group.count,
        files=tuple(FileAnswer(file.name, message) for file, message in group.files),
    )
