"""What the API tells of releases, exports, predictions and scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from evaluation.models import ExportRun, ItemScore, PredictionSet, Release, ScoreRun
from evaluation.selectors.items import ItemRow
from evaluation.selectors.leaderboard import Column, Entry, Leaderboard
from evaluation.selectors.predictions import counts_of, score_runs_of
from evaluation.selectors.releases import changes_of
from evaluation.upload_problems import line_for
from evaluation.visibility import SampleResult

SHOWN_FAULTS = 100


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
class JobAnswer:
    """Work in the background: queued, running, done, failed or cancelled."""

    state: str
    progress_done: int
    progress_total: int
    error: str


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


@dataclass(frozen=True, slots=True)
class ScoreRunAnswer:
    """One scoring of one prediction set. `coverage` is the share of samples with an answer, 0..1."""

    id: int
    prediction_set: int
    system: str
    bundle: str
    job: JobAnswer
    coverage: float
    missing: int
    failed: int


@dataclass(frozen=True, slots=True)
class ScoreRunDetail:
    """A scoring with its whole report: figures by metric and group, each with its signature."""

    run: ScoreRunAnswer
    results: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PredictionSetAnswer:
    """What one system answered of the samples it was `asked` about. `not_taken` counts the lines that were
    refused, `faults` says why, the first few."""

    id: int
    release: int
    system: str
    kind: str
    origin: str
    asked: int
    answered: int
    failed: int
    missing: int
    not_taken: int
    faults: tuple[str, ...]
    score_runs: tuple[ScoreRunAnswer, ...]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ColumnAnswer:
    """One figure that systems are compared by."""

    metric: str
    group: str
    label: str
    is_lower_better: bool


@dataclass(frozen=True, slots=True)
class CellAnswer:
    """One system's figure; `value` null is n/a, and `reason` says why."""

    value: float | None
    n: int
    n_failed: int
    signature: str
    reason: str
    is_best: bool


@dataclass(frozen=True, slots=True)
class EntryAnswer:
    """One system. `rank` is null where the ordering figure is n/a; `cells` stand in the order of the columns."""

    rank: int | None
    system: str
    kind: str
    asked: int
    coverage: float | None
    missing: int | None
    failed: int | None
    is_pending: bool
    cells: tuple[CellAnswer, ...]


@dataclass(frozen=True, slots=True)
class LeaderboardAnswer:
    """Systems by figures: best first, n/a last, equal figures by name. `groups` are what `within` can name."""

    release: int
    bundle: str
    view: str
    sort: str
    within: str
    groups: tuple[str, ...]
    columns: tuple[ColumnAnswer, ...]
    entries: tuple[EntryAnswer, ...]


@dataclass(frozen=True, slots=True)
class FigureAnswer:
    """One metric of one sample, counts first."""

    metric: str
    value: float | None
    numerator: float
    denominator: float
    status: str
    reason: str


@dataclass(frozen=True, slots=True)
class ItemAnswer:
    """One sample of a scoring: figures only."""

    sample_id: str
    number: int
    file_name: str
    language: str
    scenario: str
    figures: tuple[FigureAnswer, ...]


@dataclass(frozen=True, slots=True)
class ResultAnswer:
    """One scored sample with picture, ground truth and prediction."""

    sample_id: str
    number: int
    file_name: str
    structure: str
    language: str
    scenario: str
    picture: str  # token
    image_hash: str
    width: int
    height: int
    gold: str
    prediction: str | None
    failure: str
    message: str
    figures: tuple[FigureAnswer, ...]
    gold_regions: Mapping[str, str]  # LaTeX by region number, where the release asks for it by region
    regions: Mapping[str, str] | None


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


def _job_answer(job: ExportRun | ScoreRun) -> JobAnswer:
    return JobAnswer(job.state, job.progress_done, job.progress_total, job.told)


def export_answer(run: ExportRun) -> ExportAnswer:
    return ExportAnswer(
        id=run.pk,
        release=run.release_id,
        format=run.format,
        job=_job_answer(run),
        size=run.size,
        checksum=run.checksum,
        created_at=run.queued_at,
    )


def score_run_answer(run: ScoreRun) -> ScoreRunAnswer:
    return ScoreRunAnswer(
        id=run.pk,
        prediction_set=run.prediction_set_id,
        system=run.prediction_set.system.name,
        bundle=run.bundle,
        job=_job_answer(run),
        coverage=run.coverage,
        missing=run.n_missing,
        failed=run.n_failed_answers,
    )


def prediction_set_answer(answers: PredictionSet) -> PredictionSetAnswer:
    counts = counts_of(answers)
    return PredictionSetAnswer(
        id=answers.pk,
        release=answers.release_id,
        system=answers.system.name,
        kind=answers.system.kind,
        origin=answers.origin,
        asked=counts.asked,
        answered=counts.answered,
        failed=counts.failed,
        missing=counts.missing,
        not_taken=len(answers.report),
        faults=tuple(line_for(entry) for entry in answers.report[:SHOWN_FAULTS]),
        score_runs=tuple(score_run_answer(run) for run in score_runs_of(answers)),
        created_at=answers.created_at,
    )


def leaderboard_answer(release: Release, board: Leaderboard) -> LeaderboardAnswer:
    return LeaderboardAnswer(
        release=release.pk,
        bundle=board.bundle,
        view=board.view,
        sort=board.sort,
        within=board.within,
        groups=tuple(name for name, _label in board.groups),
        columns=tuple(_column_answer(column) for column in board.columns),
        entries=tuple(_entry_answer(entry) for entry in board.entries),
    )


def _column_answer(column: Column) -> ColumnAnswer:
    return ColumnAnswer(*column.key, column.label, column.is_lower_better)


def _entry_answer(entry: Entry) -> EntryAnswer:
    run = entry.run if entry.is_scored else None
    return EntryAnswer(
        rank=entry.rank,
        system=entry.system.name,
        kind=entry.system.kind,
        asked=entry.n_asked,
        coverage=run.coverage if run else None,
        missing=run.n_missing if run else None,
        failed=run.n_failed_answers if run else None,
        is_pending=entry.is_pending,
        cells=tuple(
            CellAnswer(c.value, c.n, c.n_failed, c.signature, c.reason, c.is_best) for c in entry.cells
        ),
    )


def _figure_answer(score: ItemScore) -> FigureAnswer:
    return FigureAnswer(
        score.metric, score.value, score.numerator, score.denominator, score.status, score.reason
    )


def item_answer(row: ItemRow) -> ItemAnswer:
    return ItemAnswer(
        sample_id=row.item.sample_id,
        number=row.item.number,
        file_name=row.item.file_name,
        language=row.item.language,
        scenario=row.item.scenario,
        figures=tuple(_figure_answer(score) for score in row.figures if score is not None),
    )


def result_answer(result: SampleResult) -> ResultAnswer:
    columns = {name: getattr(result, name) for name in ResultAnswer.__slots__}
    return ResultAnswer(**columns | {"figures": tuple(_figure_answer(each) for each in result.figures)})
