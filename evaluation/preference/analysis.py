"""Every figure of a study from its record alone: the one way from answers to the report page, tables and exports.

Pure. Sources and formulas of the statistics stand in `evaluation.metrics.agreement` and `evaluation.metrics.resample`;
what is counted is told in docs/guides/expert-study.md.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from evaluation.preference.design import Kind
from evaluation.preference.grades import agreement, correlations, mean_grades, raters, systems
from evaluation.preference.record import FIRST, SECOND, StudyRecord
from evaluation.preference.sampling import mirror
from evaluation.preference.votes import brackets, majorities, preference, shown_places, sides_and_order

REVISION = 1
"""Goes up when a figure's definition changes, so that a stored result says what made it."""


def analyse(record: StudyRecord) -> dict[str, Any]:
    """All results, JSON-able; equal records give equal results.

    Relabelling the sides (every `first_is` and every answer turned round) changes no figure but those about sides.
    A figure that does not exist is None beside its reason and n.
    """
    return {
        "revision": REVISION,
        "n": _counts(record),
        "preference": preference(record),
        "majorities": majorities(record),
        "brackets_by_shown_mean": brackets(record, shown_places(record)),
        "brackets_by_expert_grade": brackets(record, mean_grades(record)),
        "sides_and_order": sides_and_order(record),
        "raters": raters(record),
        "agreement": agreement(record),
        "correlations": correlations(record),
        "systems": systems(record),
        "sampling": sampling(record),
        "left_out": dict(record.left_out),
    }


def sampling(record: StudyRecord) -> dict[str, Any]:
    """How near the sample's scores are to the full set's: means, D and p by metric, on the 0..10 scale."""
    found: dict[str, Any] = {}
    for key in (FIRST, SECOND):
        measure = record.measure(key)
        full = [measure.oriented(unit.values[key]) for unit in record.units if key in unit.values]
        drawn = [measure.oriented(item.values[key]) for item in record.items if item.kind is Kind.MAIN]
        compared = mirror(full, drawn)
        found[key] = asdict(compared) if compared else None
    return found


def _counts(record: StudyRecord) -> dict[str, int]:
    return {
        "raters": len(record.raters),
        **{f"{kind.value}_items": sum(item.kind is kind for item in record.items) for kind in Kind},
        "repeats": sum(trial.kind is Kind.REPEAT for trial in record.trials),
        "grades": sum(trial.grade is not None for trial in record.trials if trial.kind is Kind.MAIN),
        "votes": sum(trial.choice is not None for trial in record.trials if trial.kind is Kind.MAIN),
    }
