"""How the raters graded: mean grades, how far they agree, and how the metrics go along with them.

Pure; the statistics are those of `evaluation.metrics.agreement`. A statistic that does not exist says why, and of
how many items it was asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

from evaluation.metrics.agreement import (
    cohen_kappa,
    kendall_tau,
    krippendorff_alpha,
    pearson,
    spearman,
)
from evaluation.metrics.agreement.correlation_interval import correlation_interval
from evaluation.metrics.base import Score
from evaluation.metrics.resample import mean, wilson_interval
from evaluation.preference.design import GRADES, PreferredMetric, TrialKind
from evaluation.preference.study_record import MeasureRow, StudyRecord, TrialRow
from evaluation.preference.vote_statistics import main_trials

WEIGHTS = ("none", "linear", "quadratic")
LEVELS = ("nominal", "ordinal", "interval")


def mean_grades(record: StudyRecord) -> dict[str, float]:
    """Item id -> mean of its raters' grades, of every main item that has one."""
    given: dict[str, list[float]] = {}
    for trial in main_trials(record):
        if trial.grade is not None:
            given.setdefault(str(trial.item), []).append(float(trial.grade))
    return {item: mean(grades) for item, grades in given.items()}


def agreement(record: StudyRecord) -> dict[str, Any]:
    """Kappa of each pair of raters and its mean, alpha of all, for grades and for the metric preferred."""
    grades = _table(record, lambda trial: trial.grade)
    things = _table(record, lambda trial: None if trial.chosen is None else trial.chosen.value)
    rows = list(grades.values())
    return {
        "grades": {
            **{f"kappa_{weights}": _pairwise(grades, weights, list(GRADES)) for weights in WEIGHTS},
            **{f"alpha_{level}": told(_alpha(rows, level)) for level in LEVELS},
        },
        "preferences": {
            "kappa_none": _pairwise(things, "none", [thing.value for thing in PreferredMetric]),
            "alpha_nominal": told(krippendorff_alpha(list(things.values()), level="nominal")),
        },
    }


def correlations(record: StudyRecord, *, tick: Callable[[], None] = lambda: None) -> list[dict[str, Any]]:
    """The mean expert grade with each metric, and with the raw total of the automatic grader: r, rho, intervals.

    The intervals take seconds a hundred items: `tick` is called after each."""
    grades = mean_grades(record)
    rows = []
    for measure in record.measures:
        values = {
            str(item.id): measure.oriented(item.values[measure.key])
            for item in record.items
            if item.kind is TrialKind.MAIN and measure.key in item.values
        }
        both = {item: (grade, values[item]) for item, grade in grades.items() if item in values}
        rows.append({"measure": measure.key, "scale": _scale(measure), **_both_ways(record, both, tick)})
    return rows


def systems(record: StudyRecord) -> dict[str, Any]:
    """Each system's mean by metric over the full set, and Kendall's tau of every two metrics over the systems."""
    values: dict[str, dict[str, list[float]]] = {}
    for unit in record.units:
        mine = values.setdefault(unit.system, {})
        for measure in record.measures:
            if measure.key in unit.values:
                mine.setdefault(measure.key, []).append(measure.oriented(unit.values[measure.key]))
    means = {
        system: {key: mean(each) for key, each in mine.items()} for system, mine in sorted(values.items())
    }
    taus = []
    for a, b in combinations([measure.key for measure in record.measures], 2):
        tau = kendall_tau([each.get(a) for each in means.values()], [each.get(b) for each in means.values()])
        taus.append({"first": a, "second": b, **told(tau)})
    return {"means": means, "kendall_tau": taus}


def raters(record: StudyRecord) -> list[dict[str, Any]]:
    """What each rater answered: shares with intervals, attention, how they answered what came twice, time."""
    return [_rater(record, rater) for rater in record.raters]


def told(score: Score) -> dict[str, Any]:
    """A statistic's value, or the reason there is none, and of how many items."""
    found: dict[str, Any] = {
        "value": score.value,
        "n": score.n,
        "status": score.status.value,
        "reason": score.reason,
    }
    if score.details.get("p_value") is not None:
        found["p_value"] = score.details["p_value"]
    return found


def _rater(record: StudyRecord, rater: str) -> dict[str, Any]:
    mine = [trial for trial in record.trials if trial.rater == rater]
    main = [trial for trial in mine if trial.kind is TrialKind.MAIN]
    things = [trial.chosen for trial in main if trial.chosen is not None]
    graded = [float(trial.grade) for trial in main if trial.grade is not None]
    return {
        "rater": rater,
        "n": len(things),
        "n_left": len(main) - len(things),
        "shares": {
            thing.value: wilson_interval(
                things.count(thing), len(things), confidence=record.settings.confidence
            ).as_dict()
            | {"count": things.count(thing)}
            for thing in PreferredMetric
        },
        "mean_grade": mean(graded) if graded else None,
        "attention": _attention(record, mine),
        "repeats": _repeats(mine),
        "seconds": _median([t.seconds for t in main if t.seconds is not None]),
        "seconds_at_work": _median([t.seconds_at_work for t in main if t.seconds_at_work is not None]),
        "times_left": sum(trial.times_left for trial in main),
    }


def _attention(record: StudyRecord, trials: Sequence[TrialRow]) -> dict[str, int]:
    expected = {item.id: item.expected for item in record.items}
    seen = [t for t in trials if t.kind is TrialKind.ATTENTION and t.chosen is not None]
    return {"n": len(seen), "passed": sum(trial.chosen is expected[trial.item] for trial in seen)}


def _repeats(trials: Sequence[TrialRow]) -> dict[str, Any]:
    """How alike the second answers are to the first: same metric, and the mean difference of the grades."""
    before = {trial.item: trial for trial in trials if trial.kind is TrialKind.MAIN}
    again = [trial for trial in trials if trial.kind is TrialKind.REPEAT and trial.choice is not None]
    pairs = [(before[trial.item], trial) for trial in again if before[trial.item].choice is not None]
    away = [abs(a.grade - b.grade) for a, b in pairs if a.grade is not None and b.grade is not None]
    return {
        "n": len(pairs),
        "same_metric": sum(a.chosen is b.chosen for a, b in pairs),
        "same_side": sum(a.choice is b.choice for a, b in pairs),
        "mean_grade_difference": mean(away) if away else None,
    }


def _table(record: StudyRecord, of: Any) -> dict[str, list[Any]]:
    """One row a rater, one column a main item, None where the rater left it out."""
    ids = [item.id for item in record.items if item.kind is TrialKind.MAIN]
    given = {(trial.rater, trial.item): of(trial) for trial in main_trials(record)}
    return {rater: [given.get((rater, item)) for item in ids] for rater in record.raters}


def _pairwise(table: Mapping[str, list[Any]], weights: Any, scale: list[Any]) -> dict[str, Any]:
    """Every pair of raters, and the mean over the pairs that have a kappa."""
    pairs = [
        {"raters": [a, b], **told(cohen_kappa(table[a], table[b], weights=weights, categories=scale))}
        for a, b in combinations(table, 2)
    ]
    values = [pair["value"] for pair in pairs if pair["value"] is not None]
    reason = "" if values else "fewer than two raters" if not pairs else pairs[0]["reason"]
    return {
        "mean": mean(values) if values else None,
        "n_pairs": len(values),
        "reason": reason,
        "pairs": pairs,
    }


def _alpha(rows: list[list[Any]], level: Any) -> Score:
    return krippendorff_alpha(rows, level=level, categories=list(GRADES) if level == "ordinal" else None)


def _both_ways(
    record: StudyRecord, both: Mapping[str, tuple[float, float]], tick: Callable[[], None]
) -> dict[str, Any]:
    settings = record.settings
    found: dict[str, Any] = {}
    first, second = [a for a, _ in both.values()], [b for _, b in both.values()]
    for kind, score in (("pearson", pearson(first, second)), ("spearman", spearman(first, second))):
        interval = correlation_interval(
            both,
            kind="pearson" if kind == "pearson" else "spearman",
            seed=settings.seed,
            confidence=settings.confidence,
            resamples=settings.resamples,
        )
        found[kind] = told(score) | {"low": interval.low, "high": interval.high, "interval": interval.reason}
        tick()
    return found


def _scale(measure: MeasureRow) -> str:
    if measure.mapping is not None:
        return f"mapped: {measure.mapping.in_words()}"
    return "its own, sign turned so that higher is better" if measure.is_lower_better else "its own"


def _median(values: Sequence[float]) -> float | None:
    if not values:
        return None
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
