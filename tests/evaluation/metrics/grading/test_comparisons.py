"""Comparisons of settings and of prompt families."""

from __future__ import annotations

import pytest

from evaluation.metrics.grading import (
    Judgement,
)
from evaluation.metrics.grading.comparisons import (
    ALL_DOMAINS,
    modality_deltas,
    pooled_recalls,
    prompt_table,
    reference_deltas,
    solution_deltas,
)
from tests.evaluation.metrics.grading.rows import OMISSION


def tagged(answer_id: str, said: bool, gold: bool = True, domain: str = "chart", **tags: str) -> Judgement:
    return Judgement(answer_id, domain, gold, said, tags={"system": "s", **tags})


def test_reference_deltas_when_both_settings_then_with_minus_without() -> None:
    rows = [tagged("a", True, setting="with_reference"), tagged("a", False, setting="no_reference")]
    deltas = reference_deltas(rows)
    assert [(delta.domain, delta.accuracy) for delta in deltas] == [(ALL_DOMAINS, 1.0), ("chart", 1.0)]


def test_modality_deltas_when_one_side_is_missing_then_no_number() -> None:
    (everything, chart) = modality_deltas([tagged("a", True, modality="paper")])
    assert everything.accuracy is chart.accuracy is None
    assert everything.first.accuracy.reason == "no answers"


def test_solution_deltas_when_incorrect_answers_are_tagged_then_only_correct_ones_count() -> None:
    rows = [
        tagged("a", True, solution="exact"),
        tagged("b", False, solution="alternative"),
        tagged("c", False, gold=False, solution="alternative"),
    ]
    delta = solution_deltas(rows)[0]
    assert (delta.accuracy, delta.second.accuracy.n, delta.example_f1) == (1.0, 1, None)


def test_prompt_table_when_two_families_then_a_row_each() -> None:
    rows = [tagged("a", True, prompt="baseline"), tagged("a", False, prompt="rubric"), tagged("b", True)]
    table = prompt_table(rows)
    assert [(key, figure.accuracy.value) for key, figure in table.items()] == [
        (("s", "baseline"), 1.0),
        (("s", "rubric"), 0.0),
    ]


def test_pooled_recalls_when_systems_differ_then_pooled_by_counts_and_spread_by_quartiles() -> None:
    def one(system: str, hit: bool) -> Judgement:
        said = (OMISSION,) if hit else ()
        return Judgement("a", "chart", False, False, (OMISSION,), said, tags={"system": system})

    rows = [one("x", True), *[one("y", i == 0) for i in range(4)], one("z", False)]
    recall = pooled_recalls(rows)[OMISSION]
    assert recall.pooled == pytest.approx(2 / 6)
    assert recall.by_system == (("x", 1.0), ("y", 0.25), ("z", 0.0))
    assert (recall.quartile_1, recall.quartile_3) == (0.125, 0.625)
    assert pooled_recalls([one("x", True)])[OMISSION].quartile_1 is None
