"""What a prediction set holds; counts only."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q

from evaluation.models import PredictionSet, ScoreRun


@dataclass(frozen=True, slots=True)
class AnswerCounts:
    """Of the release's samples: how many are answered, failed, and missing."""

    answered: int
    failed: int
    missing: int


def counts_of(answers: PredictionSet) -> AnswerCounts:
    found = answers.predictions.aggregate(
        answered=Count("pk", filter=Q(failure="")), failed=Count("pk", filter=~Q(failure=""))
    )
    total = answers.release.count
    return AnswerCounts(found["answered"], found["failed"], total - found["answered"] - found["failed"])


def score_runs_of(answers: PredictionSet) -> list[ScoreRun]:
    return list(answers.score_runs.order_by("bundle"))
