"""All results of a study, computed from its record alone; report page, tables and exports show nothing else.

Pure. Sources and formulas of the statistics are in `evaluation.metrics.agreement` and `evaluation.metrics.resample`;
what is counted is described in docs/guides/expert-study.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

from evaluation.preference.design import TrialKind
from evaluation.preference.grade_statistics import agreement, correlations, mean_grades, raters, systems
from evaluation.preference.sampling import compare_distributions
from evaluation.preference.study_record import FIRST, SECOND, StudyRecord
from evaluation.preference.vote_statistics import (
    brackets,
    majorities,
    mean_shown_scores,
    preference,
    sides_and_order,
)

REVISION = 2
"""Increased when the definition of a result changes, so that outdated stored results are recognised."""
Tick = Callable[[], None]
PARTS: dict[str, Callable[[StudyRecord, Tick], Any]] = {
    "n": lambda record, _: _counts(record),
    "preference": lambda record, _: preference(record),
    "majorities": lambda record, _: majorities(record),
    "brackets_by_shown_mean": lambda record, _: brackets(record, mean_shown_scores(record)),
    "brackets_by_expert_grade": lambda record, _: brackets(record, mean_grades(record)),
    "sides_and_order": lambda record, _: sides_and_order(record),
    "raters": lambda record, _: raters(record),
    "agreement": lambda record, _: agreement(record),
    "correlations": lambda record, tick: correlations(record, tick=tick),
    "systems": lambda record, _: systems(record),
    "sampling": lambda record, _: sampling(record),
    "left_out": lambda record, _: dict(record.left_out),
    "without_failing_raters": lambda record, tick: analyse_without_failing_raters(record, tick=tick),
}
"""The parts of the results by name, in the order of computation. Long parts call `tick` many times a minute."""


def analyse(
    record: StudyRecord, *, on_part: Callable[[str], None] | None = None, tick: Tick = lambda: None
) -> dict[str, Any]:
    """All results as JSON-able data; equal records give equal results. `on_part` is called after each part.

    Swapping the sides (every `first_is` and every choice) changes only the results about sides. A result that does not
    exist is None, with its reason and n.
    """
    results: dict[str, Any] = {"revision": REVISION}
    for name, compute in PARTS.items():
        results[name] = compute(record, tick)
        if on_part is not None:
            on_part(name)
    return results


def analyse_without_failing_raters(record: StudyRecord, *, tick: Tick = lambda: None) -> dict[str, Any]:
    """The main results without the raters who failed the attention items: a robustness check, not the result.

    A rater without ratings of these items cannot fail. The results are None, with the reason, if nobody failed or
    everybody did.
    """
    share = record.settings.attention_share
    attention = {row["rater"]: row["attention"] for row in raters(record)}
    failing = [rater for rater, counts in attention.items() if counts["passed"] < share * counts["n"]]
    results: dict[str, Any] = {
        "attention_share": share,
        "left_out": failing,
        "n_raters": len(record.raters) - len(failing),
        "reason": "",
        "preference": None,
        "agreement": None,
        "correlations": None,
    }
    if not failing:
        return results | {"reason": "no rater failed"}
    if results["n_raters"] == 0:
        return results | {"reason": "every rater failed"}
    rest = replace(
        record,
        raters=tuple(rater for rater in record.raters if rater not in failing),
        trials=tuple(trial for trial in record.trials if trial.rater not in failing),
    )
    return results | {
        "preference": preference(rest),
        "agreement": agreement(rest),
        "correlations": correlations(rest, tick=tick),
    }


def sampling(record: StudyRecord) -> dict[str, Any]:
    """Each metric's scores in the sample against the full set: means, D and p, on the 0..10 scale."""
    comparisons: dict[str, Any] = {}
    for key in (FIRST, SECOND):
        metric = record.metric(key)
        full = [metric.oriented(unit.values[key]) for unit in record.units if key in unit.values]
        drawn = [metric.oriented(item.values[key]) for item in record.items if item.kind is TrialKind.MAIN]
        comparison = compare_distributions(full, drawn)
        comparisons[key] = asdict(comparison) if comparison else None
    return comparisons


def _counts(record: StudyRecord) -> dict[str, int]:
    return {
        "raters": len(record.raters),
        **{f"{kind.value}_items": sum(item.kind is kind for item in record.items) for kind in TrialKind},
        "repeats": sum(trial.kind is TrialKind.REPEAT for trial in record.trials),
        "grades": sum(trial.grade is not None for trial in record.trials if trial.kind is TrialKind.MAIN),
        "votes": sum(trial.choice is not None for trial in record.trials if trial.kind is TrialKind.MAIN),
    }
