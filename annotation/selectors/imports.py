"""An import: which of its pages are in the project, its files by outcome, its speed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count
from django.utils import timezone

from annotation.models import ImportFile, ImportRun, Sample
from annotation.models.sample import ImportOutcome
from annotation.stages import Intake
from config.jobs.models import JobState
from evaluation.import_messages import ImportMessage, explain

SHOWN_FILES = 50


@dataclass(frozen=True, slots=True)
class FileGroup:
    """The files of a run with the same outcome and problem; `files` are the first few, each with its own message."""

    outcome: ImportOutcome
    words: ImportMessage | None
    count: int
    files: tuple[tuple[ImportFile, str], ...]

    @property
    def more(self) -> int:
        return self.count - len(self.files)


@dataclass(frozen=True, slots=True)
class Speed:
    """Pages per minute since the current worker started, and the remaining time at that rate."""

    per_minute: float
    rest: timedelta | None


# Problems first.
_ORDER = [
    ImportOutcome.FAILED,
    ImportOutcome.PARTLY,
    ImportOutcome.IMPORTED,
    ImportOutcome.ALREADY,
    ImportOutcome.READ,
    ImportOutcome.PENDING,
]


def groups_of(run: ImportRun) -> list[FileGroup]:
    """The files of a run by outcome and problem, problems first."""
    counts = (
        run.files.values_list("outcome", "problem").annotate(count=Count("pk")).order_by("outcome", "problem")
    )
    return sorted(
        (_group(run, ImportOutcome(outcome), problem, count) for outcome, problem, count in counts),
        key=lambda group: (_ORDER.index(group.outcome), group.words is None, -group.count),
    )


def _group(run: ImportRun, outcome: ImportOutcome, problem: str, count: int) -> FileGroup:
    rows = run.files.filter(outcome=outcome, problem=problem).order_by("pk")[:SHOWN_FILES]
    shown = tuple((file, explain(problem, file.facts).message if problem else "") for file in rows)
    return FileGroup(
        outcome, explain(problem, shown[0][0].facts) if problem and shown else None, count, shown
    )


def speed_of(run: ImportRun) -> Speed | None:
    """The speed of a running import; None before its first page."""
    if run.state != JobState.RUNNING or run.started_at is None:
        return None
    done = Sample.objects.filter(import_file__run=run, created_at__gte=run.started_at).count()
    seconds = (timezone.now() - run.started_at).total_seconds()
    if not done or seconds <= 0:
        return None
    left = max(0, run.progress_total - run.progress_done)
    return Speed(per_minute=60 * done / seconds, rest=timedelta(seconds=round(left * seconds / done)))


def count_samples(run: ImportRun) -> tuple[int, int]:
    """(samples created by a run, those of them that wait for a duplicate decision)."""
    samples = Sample.objects.filter(import_file__run=run)
    return samples.count(), samples.filter(intake=Intake.DUPLICATE).count()


def is_page_imported(file: ImportFile, page_number: int) -> bool:
    """True when this page of this file is a sample already, so that a resumed import skips it."""
    return Sample.objects.filter(import_file=file, page_number=page_number).exists()


def was_page_imported_before(file: ImportFile, page_number: int) -> bool:
    """True when another file with the same bytes and name brought this page: a folder was imported again."""
    return (
        Sample.objects.filter(
            project_id=file.run.project_id,
            original_blob=file.blob,
            original_name=file.name,
            page_number=page_number,
        )
        .exclude(import_file=file)
        .exists()
    )
