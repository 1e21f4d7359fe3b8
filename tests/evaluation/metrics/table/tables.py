"""Tables as HTML, and their TEDS."""

from __future__ import annotations

from evaluation.metrics.table import teds
from tests.evaluation.metrics.table.strategies import table


def value(prediction: str, reference: str, preset: str = "inkbench-1", **options: bool) -> float:
    score = teds(prediction, reference, preset=preset, **options).value
    assert score is not None
    return score


PLAIN = table(("Trial", "Mass"), ("1", "2.31"))
