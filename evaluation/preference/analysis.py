"""Every figure of a study from its record alone: the one way from answers to the report page, tables and exports.

Pure. Sources and formulas of the statistics stand in `evaluation.metrics.agreement` and `evaluation.metrics.resample`;
what is counted is told in docs/guides/expert-study.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

from evaluation.preference.design import TrialKind
from evaluation.preference.grade_statistics import agreement, correlations, mean_grades, raters, systems
from evaluation.preference.sampling import mirror
from evaluation.preference.study_record import FIRST, SECOND, StudyRecord
from evaluation.preference.vote_statistics import (
    brackets,
    majorities,
    preference,
    shown_places,
    sides_and_order,
)

REVISION = 2
"""Goes up when a figure's definition changes, so that a stored result says what made it."""
Tick = Callable[[], None]
PARTS: dict[str, Callable[[StudyRecord, Tick], Any]] = {
    "n": lambda record, _: _counts(record),
    "preference": lambda record, _: preference(record),
    "majorities": lambda record, _: majorities(record),
    "brackets_by_shown_mean": lambda record, _: brackets(record, shown_places(record)),
    "brackets_by_expert_grade": lambda record, _: brackets(record, mean_grades(record)),
    "sides_and_order": lambda record, _: sides_and_order(record),
    "raters": lambda record, _: raters(record),
    "agreement": lambda record, _: agreement(record),
    "correlations": lambda record, tick: correlations(record, tick=tick),
    "systems": lambda record, _: systems(record),
    "sampling": lambda record, _: sampling(record),
    "left_out": lambda record, _: dict(record.left_out),
    "without_failing_raters": lambda record, tick: without_failing_raters(record, tick=tick),
}
"""Every part of the results by its name, in the order in which they are computed. `tick` is called while a long part
goes on, many times a minute."""


def analyse(
    record: StudyRecord, *, on_part: Callable[[str], None] | None = None, tick: Tick = lambda: None
) -> dict[str, Any]:
    """All results, JSON-able; equal records give equal results. `on_part` hears of each part that is done.

    Relabelling the sides (every `first_is` and every answer turned round) changes no figure but those about sides.
    A figure that does not exist is None beside its reason and n.
    """
    results: dict[str, Any] = {"revision": REVISION}
    for name, compute in PARTS.items():
        results[name] = compute(record, tick)
        if on_part is not None:
            on_part(name)
    return results


def without_failing_raters(record: StudyRecord, *, tick: Tick = lambda: None) -> dict[str, Any]:
    """The main figures once more without the raters who failed the attention items: a check, not the result.

    Who answered none of these items cannot fail them. The figures are None, with the reason, where nobody failed
    or everybody did.
    """
    share = record.settings.attention_share
    tried = {row["rater"]: row["attention"] for row in raters(record)}
    failing = [rater for rater, seen in tried.items() if seen["passed"] < share * seen["n"]]
    found: dict[str, Any] = {
        "attention_share": share,
        "left_out": failing,
        "n_raters": len(record.raters) - len(failing),
        "reason": "",
        "preference": None,
        "agreement": None,
        "correlations": None,
    }
    if not failing:
        return found | {"reason": "no rater failed"}
    if found["n_raters"] == 0:
        return found | {"reason": "every rater failed"}
    rest = replace(
        record,
        raters=tuple(rater for rater in record.raters if rater not in failing),
        trials=tuple(trial for trial in record.trials if trial.rater not in failing),
    )
    return found | {
        "preference": preference(rest),
        "agreement": agreement(rest),
        "correlations": correlations(rest, tick=tick),
    }


def sampling(record: StudyRecord) -> dict[str, Any]:
    """How near the sample's scores are to the full set's: means, D and p by metric, on the 0..10 scale."""
    found: dict[str, Any] = {}
    for key in (FIRST, SECOND):
        measure = record.measure(key)
        full = [measure.oriented(unit.values[key]) for unit in record.units if key in unit.values]
        drawn = [measure.oriented(item.values[key]) for item in record.items if item.kind is TrialKind.MAIN]
        compared = mirror(full, drawn)
        found[key] = asdict(compared) if compared else None
    return found


def _counts(record: StudyRecord) -> dict[str, int]:
    return {
        "raters": len(record.raters),
        **{f"{kind.value}_items": sum(item.kind is kind for item in record.items) for kind in TrialKind},
        "repeats": sum(trial.kind is TrialKind.REPEAT for trial in record.trials),
        "grades": sum(trial.grade is not None for trial in record.trials if trial.kind is TrialKind.MAIN),
        "votes": sum(trial.choice is not None for trial in record.trials if trial.kind is TrialKind.MAIN),
    }
