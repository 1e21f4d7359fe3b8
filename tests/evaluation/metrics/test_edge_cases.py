"""The table of docs/metrics/edge-states.md, state by state."""

from __future__ import annotations

import pytest

from evaluation.metrics.base import ScoreStatus, Signature
from evaluation.metrics.edge_cases import EdgeOutcome, EdgeRules, edge_score, too_large
from evaluation.predictions import Failed

SIGNATURE = Signature("edit", "inkbench-1")
ERROR = EdgeRules.of_error()
SIMILARITY = EdgeRules.of_similarity()


@pytest.mark.parametrize(
    ("prediction", "reference", "status", "error", "similarity", "weight", "n", "n_failed"),
    [
        ("ink", None, ScoreStatus.NOT_APPLICABLE, None, None, 0, 0, 0),
        (None, None, ScoreStatus.NOT_APPLICABLE, None, None, 0, 0, 0),
        (None, "ink", ScoreStatus.MISSING, 1.0, 0.0, 3, 1, 1),
        (None, "", ScoreStatus.MISSING, 1.0, 0.0, 1, 1, 1),
        (Failed("timeout"), "ink", ScoreStatus.FAILED, 1.0, 0.0, 3, 1, 1),
        (Failed(""), "", ScoreStatus.FAILED, 1.0, 0.0, 1, 1, 1),
        ("", "ink", ScoreStatus.SCORED, 1.0, 0.0, 3, 1, 0),
        ("ink", "", ScoreStatus.EMPTY_REFERENCE, 1.0, 0.0, 7, 1, 0),
        ("", "", ScoreStatus.BOTH_EMPTY, 0.0, 1.0, 0, 1, 0),
    ],
)
def test_edge_score_when_nothing_can_be_compared_then_follows_the_table(
    prediction: str | None,
    reference: str | None,
    status: ScoreStatus,
    error: float | None,
    similarity: float | None,
    weight: int,
    n: int,
    n_failed: int,
) -> None:
    for rules, value in ((ERROR, error), (SIMILARITY, similarity)):
        score = edge_score(
            prediction, reference, rules=rules, signature=SIGNATURE, size=len(reference or ""), insertions=7
        )
        assert score is not None
        assert (score.value, score.status, score.denominator) == (value, status, weight)
        assert (score.n, score.n_failed, score.direction) == (n, n_failed, rules.direction)
        assert score.numerator == (value or 0) * weight
        assert (score.reason != "") == (status is not ScoreStatus.SCORED or prediction == "")


def test_edge_score_when_both_sides_hold_text_then_leaves_it_to_the_metric() -> None:
    assert edge_score("a", "b", rules=ERROR, signature=SIGNATURE) is None


def test_edge_score_when_a_preset_computes_or_omits_emptiness_then_obeys_it() -> None:
    rules = EdgeRules.of_error(empty_reference=EdgeOutcome.COMPUTED, both_empty=EdgeOutcome.NOT_SCORED)
    assert edge_score("a", "", rules=rules, signature=SIGNATURE) is None
    both_empty = edge_score("", "", rules=rules, signature=SIGNATURE)
    assert both_empty is not None
    assert (both_empty.value, both_empty.status, both_empty.n) == (None, ScoreStatus.BOTH_EMPTY, 0)


def test_edge_score_when_failed_then_the_reason_is_kept_and_never_compared() -> None:
    score = edge_score(Failed("ink"), "ink", rules=ERROR, signature=SIGNATURE, size=3)
    assert score is not None
    assert (score.value, score.reason) == (1.0, "ink")


def test_too_large_when_the_prediction_is_at_fault_then_it_costs_as_much_as_a_missing_one() -> None:
    score = too_large("1 over limit 0", rules=ERROR, signature=SIGNATURE, size=5)
    assert (score.value, score.numerator, score.denominator, score.n, score.n_failed) == (None, 5, 5, 1, 1)
    gold = too_large("1 over limit 0", rules=ERROR, signature=SIGNATURE, size=5, is_reference=True)
    assert (gold.value, gold.denominator, gold.n, gold.n_failed) == (None, 0, 0, 0)
