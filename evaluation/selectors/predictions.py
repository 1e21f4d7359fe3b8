"""What a prediction set holds; counts only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Q

from evaluation.models import Pooling, Prediction, PredictionSet, ScoreRun


@dataclass(frozen=True, slots=True)
class AnswerCounts:
    """How many samples were asked about, and what became of them: answered, failed, missing.

    A set that pools people counts every reading of theirs: a sample that three people read counts three times in
    `answered`, `failed` and `missing`, once in `asked`.
    """

    asked: int
    answered: int
    failed: int
    missing: int


def counts_of(answers: PredictionSet) -> AnswerCounts:
    """What nobody was asked about is not missing."""
    members = members_of([answers])[answers.pk]
    counts = Prediction.objects.filter(prediction_set__in=members).aggregate(
        answered=Count("pk", filter=Q(failure="")), failed=Count("pk", filter=~Q(failure=""))
    )
    readings = sum(answers.release.count if member.asked is None else len(member.asked) for member in members)
    missing = readings - counts["answered"] - counts["failed"]
    return AnswerCounts(n_asked([answers])[answers.pk], counts["answered"], counts["failed"], missing)


def members_of(sets: Iterable[PredictionSet]) -> dict[int, list[PredictionSet]]:
    """By set, whose answers count: its own, or those it stands for; of the best of several the one it turned out to
    be, all of them until that is known. Queries only where a set is pooled."""
    rows = list(sets)
    members_by_set: dict[int, list[PredictionSet]] = {
        answers.pk: [] if answers.pooling else [answers] for answers in rows
    }
    pooled = [answers.pk for answers in rows if answers.pooling]
    if not pooled:
        return members_by_set
    links = PredictionSet.members.through.objects.filter(from_predictionset__in=pooled).order_by("pk")
    for link in links.select_related("to_predictionset__system"):
        members_by_set[link.from_predictionset_id].append(link.to_predictionset)
    for run in ScoreRun.objects.filter(prediction_set__in=pooled, prediction_set__pooling=Pooling.BEST):
        members = members_by_set[run.prediction_set_id]
        best = [member for member in members if member.system.name == run.results.get("best_of")]
        members_by_set[run.prediction_set_id] = best or members
    return members_by_set


def n_asked(sets: Iterable[PredictionSet]) -> dict[int, int]:
    """By set, how many samples of the release its system, or anybody it stands for, was asked about."""
    rows = list(sets)
    asked = {pk: [member.asked for member in members] for pk, members in members_of(rows).items()}
    return {
        answers.pk: answers.release.count
        if any(ids is None for ids in asked[answers.pk])
        else len({sample for ids in asked[answers.pk] for sample in ids or ()})
        for answers in rows
    }


def score_runs_of(answers: PredictionSet) -> list[ScoreRun]:
    return list(answers.score_runs.order_by("bundle"))
