"""The result of a baseline: people beside models over the samples the people were asked about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from baseline.analysis import agreement_by_sample, difference_of, frozen, mean_of
from baseline.models import Baseline, Part, Publication, Response, ResponseKind
from baseline.selectors.responses import compared_text
from evaluation.labels import group_name, metric_name
from evaluation.metrics.base import Direction
from evaluation.metrics.bundles import DEFAULT
from evaluation.metrics.registry import get, metric_names
from evaluation.metrics.resample import Interval, Significance
from evaluation.models import ItemScore, PredictionSet, ScoreRun
from evaluation.selectors.leaderboard import newest_sets
from evaluation.selectors.predictions import counts_of
from evaluation.strata import KINDS, strata_of

ALL = "all"
ByItem = dict[str, float | None]  # sample id -> value of the chosen metric


@dataclass(frozen=True, slots=True)
class Row:
    """One system: its mean over the samples, and over each group, with intervals."""

    name: str
    part: str  # of Part, "" for a model
    n_missing: int
    whole: Interval
    groups: tuple[Interval, ...]
    answers: PredictionSet


@dataclass(frozen=True, slots=True)
class Test:
    """People (pooled, or their consensus) against one model."""

    people: str
    model: str
    outcome: Significance


@dataclass(frozen=True, slots=True)
class Result:
    """All that the page and the API tell. `is_pending` while scores are missing."""

    metric: str
    metrics: tuple[tuple[str, str], ...]
    is_lower_better: bool
    n_samples: int
    by: str  # the kind of strata the columns are: of KINDS, or a field the sample was drawn by
    kinds: tuple[str, ...]
    groups: tuple[tuple[str, str], ...]  # key, label
    people: tuple[Row, ...]
    models: tuple[Row, ...]
    tests: tuple[Test, ...]
    agreement: Interval
    is_pending: bool
    best: str


def result_of(baseline: Baseline, *, metric: str = "", by: str = "") -> Result | None:
    """None until something was published. An unknown metric, or kind of strata, falls back to the first."""
    published = list(
        Publication.objects.filter(baseline=baseline)
        .select_related("prediction_set__system", "prediction_set__release", "participation")
        .order_by("pk")
    )
    consensus = next((publication for publication in published if publication.part == Part.CONSENSUS), None)
    if consensus is None:
        return None
    scope = frozenset(consensus.prediction_set.asked or ())
    own = {publication.prediction_set_id for publication in published}
    models = [
        s
        for s in newest_sets(baseline.release)
        if s.pk not in own and not Publication.objects.filter(prediction_set=s)
    ]
    sets = [publication.prediction_set for publication in published] + models
    runs = {
        run.prediction_set_id: run for run in ScoreRun.objects.filter(prediction_set__in=sets, bundle=DEFAULT)
    }
    chosen, known = _metric(runs.values(), metric)
    values = _values(runs.values(), chosen)
    strata = _strata(baseline, scope)
    kinds = tuple(strata)
    chosen_kind = by if by in strata else next((kind for kind in kinds if len(strata[kind]) > 1), kinds[0])
    groups = strata[chosen_kind]
    parts = {publication.prediction_set_id: publication.part for publication in published}
    rows = [_row(answers, parts.get(answers.pk, ""), values, groups, scope) for answers in sets]
    people, others = [row for row in rows if row.part], [row for row in rows if not row.part]
    best = next(
        (publication.prediction_set_id for publication in published if publication.part == Part.BEST), None
    )
    return Result(
        metric=chosen,
        metrics=known,
        is_lower_better=bool(chosen) and get(chosen).direction is Direction.LOWER,
        n_samples=len(scope),
        by=chosen_kind,
        kinds=kinds,
        groups=tuple((key, group_name(key)) for key in groups),
        people=tuple(people),
        models=tuple(others),
        tests=_tests(people, others, values, scope),
        agreement=mean_of(frozen(agreement_by_sample(_answers(baseline)))),
        is_pending=len(runs) < len(own) or any(not run.is_over for run in runs.values()),
        best=str(runs[best].results.get("best_of", "")) if best in runs else "",
    )


def _metric(runs: Iterable[ScoreRun], wanted: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    scored = set(
        ItemScore.objects.filter(run__in=list(runs)).order_by().values_list("metric", flat=True).distinct()
    )
    known = tuple((name, metric_name(name)) for name in metric_names() if name in scored)
    names = [name for name, _label in known]
    return (wanted if wanted in names else names[0] if names else ""), known


def _values(runs: Iterable[ScoreRun], metric: str) -> dict[int, ByItem]:
    by_run = {run.pk: run.prediction_set_id for run in runs}
    values_by_set: dict[int, ByItem] = defaultdict(dict)
    rows = ItemScore.objects.filter(run__in=list(by_run), metric=metric)
    for run, sample, value in rows.values_list("run_id", "item__sample_id", "value"):
        values_by_set[by_run[run]][sample] = value
    return values_by_set


def _strata(baseline: Baseline, scope: frozenset[str]) -> dict[str, dict[str, frozenset[str]]]:
    """By kind, the samples of each stratum the leaderboard knows, and of each the baseline was drawn by."""
    drawn_by = [name for name in [*baseline.strata, baseline.balance] if name and name not in KINDS]
    samples: dict[str, dict[str, set[str]]] = {kind: defaultdict(set) for kind in [*KINDS, *drawn_by]}
    for item in baseline.release.items.filter(sample_id__in=scope):
        extra = item.record.get("extra", {})
        keys = [*strata_of(item.structure, item.language, item.scenario, item.record)]
        keys += [f"{name}:{extra[name]}" for name in drawn_by if name in extra]
        for key in keys:
            samples[key.partition(":")[0]][key].add(item.sample_id)
    return {
        kind: {key: frozenset(groups[key]) for key in sorted(groups)}
        for kind, groups in samples.items()
        if groups
    }


def _row(
    answers: PredictionSet,
    part: str,
    values: dict[int, ByItem],
    groups: dict[str, frozenset[str]],
    scope: frozenset[str],
) -> Row:
    mine = values.get(answers.pk, {})
    asked = scope if answers.asked is None else scope & frozenset(answers.asked)
    counts = counts_of(answers)
    n_answers = answers.predictions.filter(failure="", item__sample_id__in=asked).count()
    return Row(
        answers.system.name,
        part,
        counts.failed + counts.missing if answers.pooling else len(asked) - n_answers,
        mean_of(frozen(mine, scope)),
        tuple(mean_of(frozen(mine, samples)) for samples in groups.values()),
        answers,
    )


def _tests(
    people: list[Row], models: list[Row], values: dict[int, ByItem], scope: frozenset[str]
) -> tuple[Test, ...]:
    sides = [row for row in people if row.part in (Part.MEAN, Part.CONSENSUS)]
    return tuple(
        Test(
            side.name,
            model.name,
            difference_of(
                frozen(values.get(side.answers.pk, {}), scope),
                frozen(values.get(model.answers.pk, {}), scope),
            ),
        )
        for side in sides
        for model in models
    )


def _kept(baseline: Baseline) -> list[Response]:
    rows = Response.objects.filter(
        task__participation__baseline=baseline, task__participation__withdrawn_at=None
    )
    return list(
        rows.select_related("task__participation", "task__item__release").order_by(
            "task__participation__number", "task__position"
        )
    )


def _answers(baseline: Baseline) -> dict[str, list[str | None]]:
    texts: dict[str, list[str | None]] = defaultdict(list)
    for answer in _kept(baseline):
        if answer.kind != ResponseKind.NOTHING:
            texts[answer.task.item.sample_id].append(compared_text(answer))
    return texts
