"""Statistics of the grades: means, rater agreement, and correlation with the metrics.

Pure; the statistics are those of `evaluation.metrics.agreement`. A statistic that does not exist has a reason and the
number of items.
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
from evaluation.preference.study_record import MetricRow, StudyRecord, TrialRow
from evaluation.preference.vote_statistics import main_trials

WEIGHTS = ("none", "linear", "quadratic")
LEVELS = ("nominal", "ordinal", "interval")


def mean_grades(record: StudyRecord) -> dict[str, float]:
    """Item id -> mean of its grades, for every main item with a grade."""
    grades_by_item: dict[str, list[float]] = {}
    for trial in main_trials(record):
        if trial.grade is not None:
            grades_by_item.setdefault(str(trial.item), []).append(float(trial.grade))
    return {item: mean(grades) for item, grades in grades_by_item.items()}


def agreement(record: StudyRecord) -> dict[str, Any]:
    """Kappa of each pair of raters and its mean, and alpha of all raters, for grades and for preferred metrics."""
    grades = _table(record, lambda trial: trial.grade)
    preferences = _table(record, lambda trial: None if trial.chosen is None else trial.chosen.value)
    rows = list(grades.values())
    return {
        "grades": {
            **{f"kappa_{weights}": _pairwise(grades, weights, list(GRADES)) for weights in WEIGHTS},
            **{f"alpha_{level}": score_as_dict(_alpha(rows, level)) for level in LEVELS},
        },
        "preferences": {
            "kappa_none": _pairwise(preferences, "none", [metric.value for metric in PreferredMetric]),
            "alpha_nominal": score_as_dict(krippendorff_alpha(list(preferences.values()), level="nominal")),
        },
    }


def correlations(record: StudyRecord, *, tick: Callable[[], None] = lambda: None) -> list[dict[str, Any]]:
    """Correlation of the mean expert grade with each metric and the automatic grader's raw total: r, rho, intervals.

    `tick` is called after each interval, which takes seconds per hundred items.
    """
    grades = mean_grades(record)
    rows = []
    for metric in record.measures:
        values = {
            str(item.id): metric.oriented(item.values[metric.key])
            for item in record.items
            if item.kind is TrialKind.MAIN and metric.key in item.values
        }
        pairs = {item: (grade, values[item]) for item, grade in grades.items() if item in values}
        rows.append({"measure": metric.key, "scale": _scale(metric), **_correlate(record, pairs, tick)})
    return rows


def systems(record: StudyRecord) -> dict[str, Any]:
    """Each system's mean by metric over the full set, and Kendall's tau of each pair of metrics over the systems."""
    values: dict[str, dict[str, list[float]]] = {}
    for unit in record.units:
        system_values = values.setdefault(unit.system, {})
        for metric in record.measures:
            if metric.key in unit.values:
                system_values.setdefault(metric.key, []).append(metric.oriented(unit.values[metric.key]))
    means = {
        system: {key: mean(scores) for key, scores in by_key.items()}
        for system, by_key in sorted(values.items())
    }
    taus = []
    for a, b in combinations([metric.key for metric in record.measures], 2):
        tau = kendall_tau([row.get(a) for row in means.values()], [row.get(b) for row in means.values()])
        taus.append({"first": a, "second": b, **score_as_dict(tau)})
    return {"means": means, "kendall_tau": taus}


def raters(record: StudyRecord) -> list[dict[str, Any]]:
    """By rater: shares with intervals, attention items, consistency on repeated items, time."""
    return [_rater(record, rater) for rater in record.raters]


def score_as_dict(score: Score) -> dict[str, Any]:
    """The value of a statistic, or the reason why there is none, and the number of items."""
    data: dict[str, Any] = {
        "value": score.value,
        "n": score.n,
        "status": score.status.value,
        "reason": score.reason,
    }
    if score.details.get("p_value") is not None:
        data["p_value"] = score.details["p_value"]
    return data


def _rater(record: StudyRecord, rater: str) -> dict[str, Any]:
    trials = [trial for trial in record.trials if trial.rater == rater]
    main = [trial for trial in trials if trial.kind is TrialKind.MAIN]
    preferred = [trial.chosen for trial in main if trial.chosen is not None]
    grades = [float(trial.grade) for trial in main if trial.grade is not None]
    return {
        "rater": rater,
        "n": len(preferred),
        "n_left": len(main) - len(preferred),
        "shares": {
            metric.value: wilson_interval(
                preferred.count(metric), len(preferred), confidence=record.settings.confidence
            ).as_dict()
            | {"count": preferred.count(metric)}
            for metric in PreferredMetric
        },
        "mean_grade": mean(grades) if grades else None,
        "attention": _attention(record, trials),
        "repeats": _repeats(trials),
        "seconds": _median([t.seconds for t in main if t.seconds is not None]),
        "seconds_at_work": _median([t.seconds_at_work for t in main if t.seconds_at_work is not None]),
        "times_left": sum(trial.times_left for trial in main),
    }


def _attention(record: StudyRecord, trials: Sequence[TrialRow]) -> dict[str, int]:
    expected = {item.id: item.expected for item in record.items}
    rated = [t for t in trials if t.kind is TrialKind.ATTENTION and t.chosen is not None]
    return {"n": len(rated), "passed": sum(trial.chosen is expected[trial.item] for trial in rated)}


def _repeats(trials: Sequence[TrialRow]) -> dict[str, Any]:
    """Consistency of second ratings with the first: same metric, same side, and mean difference of the grades."""
    first_trials = {trial.item: trial for trial in trials if trial.kind is TrialKind.MAIN}
    repeats = [trial for trial in trials if trial.kind is TrialKind.REPEAT and trial.choice is not None]
    pairs = [
        (first_trials[trial.item], trial) for trial in repeats if first_trials[trial.item].choice is not None
    ]
    differences = [abs(a.grade - b.grade) for a, b in pairs if a.grade is not None and b.grade is not None]
    return {
        "n": len(pairs),
        "same_metric": sum(a.chosen is b.chosen for a, b in pairs),
        "same_side": sum(a.choice is b.choice for a, b in pairs),
        "mean_grade_difference": mean(differences) if differences else None,
    }


def _table(record: StudyRecord, value_of: Any) -> dict[str, list[Any]]:
    """By rater: one value per main item, None without a rating."""
    ids = [item.id for item in record.items if item.kind is TrialKind.MAIN]
    values = {(trial.rater, trial.item): value_of(trial) for trial in main_trials(record)}
    return {rater: [values.get((rater, item)) for item in ids] for rater in record.raters}


def _pairwise(table: Mapping[str, list[Any]], weights: Any, scale: list[Any]) -> dict[str, Any]:
    """Kappa of every pair of raters, and the mean over the pairs that have one."""
    pairs = [
        {
            "raters": [a, b],
            **score_as_dict(cohen_kappa(table[a], table[b], weights=weights, categories=scale)),
        }
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


def _correlate(
    record: StudyRecord, pairs: Mapping[str, tuple[float, float]], tick: Callable[[], None]
) -> dict[str, Any]:
    settings = record.settings
    statistics: dict[str, Any] = {}
    first, second = [a for a, _ in pairs.values()], [b for _, b in pairs.values()]
    for kind, score in (("pearson", pearson(first, second)), ("spearman", spearman(first, second))):
        interval = correlation_interval(
            pairs,
            kind="pearson" if kind == "pearson" else "spearman",
            seed=settings.seed,
            confidence=settings.confidence,
            resamples=settings.resamples,
        )
        statistics[kind] = score_as_dict(score) | {
            "low": interval.low,
            "high": interval.high,
            "interval": interval.reason,
        }
        tick()
    return statistics


def _scale(metric: MetricRow) -> str:
    if metric.mapping is not None:
        return f"mapped: {metric.mapping.formula()}"
    return "its own, sign turned so that higher is better" if metric.is_lower_better else "its own"


def _median(values: Sequence[float]) -> float | None:
    if not values:
        return None
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
