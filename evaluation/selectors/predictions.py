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
    found = Prediction.objects.filter(prediction_set__in=members).aggregate(
        answered=Count("pk", filter=Q(failure="")), failed=Count("pk", filter=~Q(failure=""))
    )
    readings = sum(answers.release.count if each.asked is None else len(each.asked) for each in members)
    missing = readings - found["answered"] - found["failed"]
    return AnswerCounts(n_asked([answers])[answers.pk], found["answered"], found["failed"], missing)


def members_of(sets: Iterable[PredictionSet]) -> dict[int, list[PredictionSet]]:
    """By set, whose answers count: its own, or those it stands for; of the best of several the one it turned out to
    be, all of them until that is known. Queries only where a set is pooled."""
    rows = list(sets)
    found: dict[int, list[PredictionSet]] = {each.pk: [] if each.pooling else [each] for each in rows}
    pooled = [each.pk for each in rows if each.pooling]
    if not pooled:
        return found
    links = PredictionSet.members.through.objects.filter(from_predictionset__in=pooled).order_by("pk")
    for link in links.select_related("to_predictionset__system"):
        found[link.from_predictionset_id].append(link.to_predictionset)
    for run in ScoreRun.objects.filter(prediction_set__in=pooled, prediction_set__pooling=Pooling.BEST):
        members = found[run.prediction_set_id]
        best = [each for each in members if each.system.name == run.results.get("best_of")]
        found[run.prediction_set_id] = best or members
    return found


def n_asked(sets: Iterable[PredictionSet]) -> dict[int, int]:
    """By set, how many samples of the release its system, or anybody it stands for, was asked about."""
    rows = list(sets)
    asked = {pk: [member.asked for member in members] for pk, members in members_of(rows).items()}
    return {
        each.pk: each.release.count
        if any(ids is None for ids in asked[each.pk])
        else len({sample for ids in asked[each.pk] for sample in ids or ()})
        for each in rows
    }


def score_runs_of(answers: PredictionSet) -> list[ScoreRun]:
    return list(answers.score_runs.order_by("bundle"))
