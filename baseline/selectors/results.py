"""The result of a baseline: people beside models over the samples the people were asked about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from baseline.analysis import agreement_by_sample, difference_of, frozen, mean_of, middle
from baseline.models import Answer, AnswerKind, Baseline, Event, Part, Publication, Task
from baseline.protocol import Kind, Moment, Times, times_of
from baseline.services.publish import compared_text
from evaluation.metrics.base import Direction
from evaluation.metrics.bundles import DEFAULT
from evaluation.metrics.registry import get, metric_names
from evaluation.metrics.resample import Interval, Significance
from evaluation.models import ItemScore, PredictionSet, ScoreRun
from evaluation.selectors.leaderboard import newest_sets
from evaluation.strata import strata_of
from evaluation.words import group_name, metric_name

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
    groups: tuple[tuple[str, str], ...]  # key, label
    people: tuple[Row, ...]
    models: tuple[Row, ...]
    tests: tuple[Test, ...]
    agreement: Interval
    is_pending: bool
    best: str


def result_of(baseline: Baseline, *, metric: str = "") -> Result | None:
    """None until something was published."""
    published = list(
        Publication.objects.filter(baseline=baseline)
        .select_related("prediction_set__system", "prediction_set__release", "participation")
        .order_by("pk")
    )
    consensus = next((each for each in published if each.part == Part.CONSENSUS), None)
    if consensus is None:
        return None
    scope = frozenset(consensus.prediction_set.asked or ())
    own = {each.prediction_set_id for each in published}
    models = [
        s
        for s in newest_sets(baseline.release)
        if s.pk not in own and not Publication.objects.filter(prediction_set=s)
    ]
    sets = [each.prediction_set for each in published] + models
    runs = {
        run.prediction_set_id: run for run in ScoreRun.objects.filter(prediction_set__in=sets, bundle=DEFAULT)
    }
    chosen, known = _metric(runs.values(), metric)
    values = _values(runs.values(), chosen)
    groups = _groups(baseline, scope)
    parts = {each.prediction_set_id: each.part for each in published}
    rows = [_row(answers, parts.get(answers.pk, ""), values, groups, scope) for answers in sets]
    people, others = [row for row in rows if row.part], [row for row in rows if not row.part]
    best = next((each.prediction_set_id for each in published if each.part == Part.BEST), None)
    return Result(
        metric=chosen,
        metrics=known,
        is_lower_better=bool(chosen) and get(chosen).direction is Direction.LOWER,
        n_samples=len(scope),
        groups=tuple((key, group_name(key)) for key in groups),
        people=tuple(people),
        models=tuple(others),
        tests=_tests(people, others, values, scope),
        agreement=mean_of(frozen(agreement_by_sample(_answers(baseline)))),
        is_pending=len(runs) < len(own) or any(not run.is_over for run in runs.values()),
        best=str(runs[best].results.get("best_of", "")) if best in runs else "",
    )


def _metric(runs: Iterable[ScoreRun], wanted: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    found = set(
        ItemScore.objects.filter(run__in=list(runs)).order_by().values_list("metric", flat=True).distinct()
    )
    known = tuple((name, metric_name(name)) for name in metric_names() if name in found)
    names = [name for name, _label in known]
    return (wanted if wanted in names else names[0] if names else ""), known


def _values(runs: Iterable[ScoreRun], metric: str) -> dict[int, ByItem]:
    by_run = {run.pk: run.prediction_set_id for run in runs}
    found: dict[int, ByItem] = defaultdict(dict)
    rows = ItemScore.objects.filter(run__in=list(by_run), metric=metric)
    for run, sample, value in rows.values_list("run_id", "item__sample_id", "value"):
        found[by_run[run]][sample] = value
    return found


def _groups(baseline: Baseline, scope: frozenset[str]) -> dict[str, frozenset[str]]:
    """The samples of each stratum the leaderboard knows, and of each the baseline was drawn by."""
    found: dict[str, set[str]] = defaultdict(set)
    for item in baseline.release.items.filter(sample_id__in=scope):
        extra = item.record.get("extra", {})
        keys = [*strata_of(item.structure, item.language, item.scenario, item.record)]
        keys += [f"{name}:{extra[name]}" for name in [*baseline.strata, baseline.balance] if name in extra]
        for key in keys:
            found[key].add(item.sample_id)
    return {key: frozenset(found[key]) for key in sorted(found)}


def _row(
    answers: PredictionSet,
    part: str,
    values: dict[int, ByItem],
    groups: dict[str, frozenset[str]],
    scope: frozenset[str],
) -> Row:
    mine = values.get(answers.pk, {})
    asked = scope if answers.asked is None else scope & frozenset(answers.asked)
    n_answers = answers.predictions.filter(failure="", item__sample_id__in=asked).count()
    return Row(
        answers.system.name,
        part,
        0 if answers.pooling else len(asked) - n_answers,
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


def _kept(baseline: Baseline) -> list[Answer]:
    rows = Answer.objects.filter(
        task__participation__baseline=baseline, task__participation__withdrawn_at=None
    )
    return list(
        rows.select_related("task__participation", "task__item__release").order_by(
            "task__participation__number", "task__position"
        )
    )


def _answers(baseline: Baseline) -> dict[str, list[str | None]]:
    found: dict[str, list[str | None]] = defaultdict(list)
    for answer in _kept(baseline):
        if answer.kind != AnswerKind.NOTHING:
            found[answer.task.item.sample_id].append(compared_text(answer.task))
    return found


@dataclass(frozen=True, slots=True)
class Conduct:
    """One answer's facts without its text: for the export, and for the table of times."""

    person: str
    sample: str
    number: int
    position: int
    state: str
    kind: str
    timed_out: bool
    late_ms: int | None
    total_seconds: float | None
    active_seconds: float | None
    total_clamped: float | None
    active_clamped: float | None
    blurs: int
    pastes: int
    pasted_characters: int
    resumed: int
    refused: int


def conduct_of(baseline: Baseline) -> list[Conduct]:
    """Every sample that was shown to somebody who did not withdraw, in the order each person met them."""
    events: dict[int, list[Event]] = defaultdict(list)
    rows = Event.objects.filter(participation__baseline=baseline, task__isnull=False)
    for event in rows.order_by("at", "pk"):
        if event.task_id is not None:
            events[event.task_id].append(event)
    tasks = (
        Task.objects.filter(
            participation__baseline=baseline, participation__withdrawn_at=None, shown_at__isnull=False
        )
        .select_related("participation", "item", "answer")
        .order_by("participation__number", "position")
    )
    return [_conduct(task, events[task.pk], baseline) for task in tasks]


def times_of_task(events: Iterable[Event], baseline: Baseline) -> Times | None:
    """The one way from stored events to seconds."""
    moments = [Moment(Kind(event.kind), event.at, _away_since(event)) for event in events]
    return times_of(moments, clamp_seconds=60.0 * baseline.clamp_minutes)


def _away_since(event: Event) -> datetime | None:
    since = event.detail.get("away_since")
    return datetime.fromisoformat(since) if since else None


def _conduct(task: Task, events: list[Event], baseline: Baseline) -> Conduct:
    answer = getattr(task, "answer", None)
    times = times_of_task(events, baseline)
    kinds = [event.kind for event in events]
    return Conduct(
        person=f"P{task.participation.number:02d}",
        sample=task.item.sample_id,
        number=task.item.number,
        position=task.position + 1,
        state=task.state if not task.void_reason else f"{task.state}: {task.void_reason}",
        kind=answer.kind if answer else "",
        timed_out=bool(answer and answer.is_timed_out),
        late_ms=answer.late_ms if answer else None,
        total_seconds=times.total if times else None,
        active_seconds=times.active if times else None,
        total_clamped=times.total_clamped if times else None,
        active_clamped=times.active_clamped if times else None,
        blurs=kinds.count(Kind.BLUR),
        pastes=kinds.count(Kind.PASTE) + kinds.count(Kind.DROP) + kinds.count(Kind.BURST),
        pasted_characters=sum(event.detail.get("size", 0) for event in events),
        resumed=kinds.count(Kind.RESUMED),
        refused=kinds.count(Kind.REFUSED),
    )


@dataclass(frozen=True, slots=True)
class Pace:
    """How one person went about it."""

    person: str
    n: int
    median_active: float | None
    median_total: float | None
    pastes: int
    blurs: int


def pace_of(conduct: Iterable[Conduct]) -> list[Pace]:
    """By person, over what they handed in; clamped seconds."""
    by_person: dict[str, list[Conduct]] = defaultdict(list)
    for each in conduct:
        if each.kind:
            by_person[each.person].append(each)
    return [
        Pace(
            person,
            len(rows),
            middle([row.active_clamped for row in rows if row.active_clamped is not None]),
            middle([row.total_clamped for row in rows if row.total_clamped is not None]),
            sum(row.pastes for row in rows),
            sum(row.blurs for row in rows),
        )
        for person, rows in by_person.items()
    ]


@dataclass(frozen=True, slots=True)
class Told:
    """What one person agreed to and says of themself."""

    person: str
    consent_version: int | None
    consented_at: str | None
    about: dict[str, str]
    debrief: str


def people_of(baseline: Baseline) -> list[dict[str, Any]]:
    """Everybody who did not withdraw, by code and without names."""
    rows = baseline.participations.filter(withdrawn_at=None).select_related("consent")
    return [
        asdict(
            Told(
                f"P{row.number:02d}",
                row.consent.number if row.consent else None,
                row.consented_at.isoformat() if row.consented_at else None,
                row.about,
                row.debrief,
            )
        )
        for row in rows
    ]
