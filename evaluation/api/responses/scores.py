"""Responses about predictions and their scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from evaluation.api.responses.jobs import JobResponse, job_response
from evaluation.models import ItemScore, PredictionSet, ScoreRun
from evaluation.selectors.items import ItemRow
from evaluation.selectors.predictions import counts_of, score_runs_of
from evaluation.upload_messages import line_for
from evaluation.visibility import SampleResult, ScoredSample

SHOWN_FAULTS = 100


@dataclass(frozen=True, slots=True)
class ScoreRunResponse:
    """One scoring of a prediction set. `coverage` is the share of samples with a prediction, 0 to 1."""

    id: int
    prediction_set: int
    system: str
    bundle: str
    job: JobResponse
    coverage: float
    missing: int
    failed: int


@dataclass(frozen=True, slots=True)
class ScoreRunDetailResponse:
    """A scoring with its full report: scores by metric and group, each with its signature."""

    run: ScoreRunResponse
    results: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PredictionSetResponse:
    """One system's predictions: `asked` counts the samples, `answered` those with a prediction, `not_taken` the lines
    refused; `faults` explains the first of these."""

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
    score_runs: tuple[ScoreRunResponse, ...]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class FigureResponse:
    """One metric of one sample."""

    metric: str
    value: float | None
    numerator: float
    denominator: float
    status: str
    reason: str


@dataclass(frozen=True, slots=True)
class ItemResponse:
    """One sample of a scoring: scores only."""

    sample_id: str
    number: int
    file_name: str
    language: str
    scenario: str
    figures: tuple[FigureResponse, ...]


@dataclass(frozen=True, slots=True)
class ResultResponse(ScoredSample):
    """One scored sample with image, ground truth and prediction."""

    figures: tuple[FigureResponse, ...]


def score_run_response(run: ScoreRun) -> ScoreRunResponse:
    return ScoreRunResponse(
        id=run.pk,
        prediction_set=run.prediction_set_id,
        system=run.prediction_set.system.name,
        bundle=run.bundle,
        job=job_response(run),
        coverage=run.coverage,
        missing=run.n_missing,
        failed=run.n_failed_answers,
    )


def prediction_set_response(prediction_set: PredictionSet) -> PredictionSetResponse:
    counts = counts_of(prediction_set)
    return PredictionSetResponse(
        id=prediction_set.pk,
        release=prediction_set.release_id,
        system=prediction_set.system.name,
        kind=prediction_set.system.kind,
        origin=prediction_set.origin,
        asked=counts.asked,
        answered=counts.answered,
        failed=counts.failed,
        missing=counts.missing,
        not_taken=len(prediction_set.report),
        faults=tuple(line_for(entry) for entry in prediction_set.report[:SHOWN_FAULTS]),
        score_runs=tuple(score_run_response(run) for run in score_runs_of(prediction_set)),
        created_at=prediction_set.created_at,
    )


def _figure_response(score: ItemScore) -> FigureResponse:
    return FigureResponse(
        score.metric, score.value, score.numerator, score.denominator, score.status, score.reason
    )


def item_response(row: ItemRow) -> ItemResponse:
    return ItemResponse(
        sample_id=row.item.sample_id,
        number=row.item.number,
        file_name=row.item.file_name,
        language=row.item.language,
        scenario=row.item.scenario,
        figures=tuple(_figure_response(score) for score in row.figures if score is not None),
    )


def result_response(result: SampleResult) -> ResultResponse:
    shared = {field.name: getattr(result, field.name) for field in fields(ScoredSample)}
    return ResultResponse(**shared, figures=tuple(_figure_response(score) for score in result.figures))
