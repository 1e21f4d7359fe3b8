"""What the API tells of predictions and their scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from evaluation.api.responses.jobs import JobAnswer, job_answer
from evaluation.models import ItemScore, PredictionSet, ScoreRun
from evaluation.selectors.items import ItemRow
from evaluation.selectors.predictions import counts_of, score_runs_of
from evaluation.upload_messages import line_for
from evaluation.visibility import SampleResult, ScoredSample

SHOWN_FAULTS = 100


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
class ResultAnswer(ScoredSample):
    """One scored sample with image, ground truth and prediction."""

    figures: tuple[FigureAnswer, ...]


def score_run_answer(run: ScoreRun) -> ScoreRunAnswer:
    return ScoreRunAnswer(
        id=run.pk,
        prediction_set=run.prediction_set_id,
        system=run.prediction_set.system.name,
        bundle=run.bundle,
        job=job_answer(run),
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
    shared = {each.name: getattr(result, each.name) for each in fields(ScoredSample)}
    return ResultAnswer(**shared, figures=tuple(_figure_answer(each) for each in result.figures))
