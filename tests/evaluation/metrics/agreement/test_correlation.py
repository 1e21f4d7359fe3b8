"""Correlations with ties, missing values and too few items."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evaluation.metrics.agreement import (
    kendall_tau,
    pearson,
    spearman,
)
from tests.evaluation.metrics.agreement.asserting import assert_undefined

CORRELATIONS = [pearson, spearman, kendall_tau]


def tau_by_hand(x: list[float], y: list[float]) -> float:
    order = ties_x = ties_y = pairs = 0
    for i in range(len(x)):
        for j in range(i):
            a, b = np.sign(x[i] - x[j]), np.sign(y[i] - y[j])
            order, ties_x, ties_y, pairs = order + a * b, ties_x + (a == 0), ties_y + (b == 0), pairs + 1
    return order / math.sqrt((pairs - ties_x) * (pairs - ties_y))


def pearson_by_hand(x: list[float], y: list[float]) -> float:
    mx, my = sum(x) / len(x), sum(y) / len(y)
    above = sum((a - mx) * (b - my) for a, b in zip(x, y, strict=True))
    return above / math.sqrt(sum((a - mx) ** 2 for a in x) * sum((b - my) ** 2 for b in y))


def test_correlations_when_1000_random_lists_with_ties_then_equal_the_formulas() -> None:
    for seed in range(1000):
        chance = random.Random(seed)
        x, y = ([chance.randint(0, 6) for _ in range(9)] for _ in range(2))
        if len(set(x)) == 1 or len(set(y)) == 1:
            continue
        assert kendall_tau(x, y).value == pytest.approx(tau_by_hand(x, y), abs=1e-9)
        assert pearson(x, y).value == pytest.approx(pearson_by_hand(x, y), abs=1e-9)
        ranks = [list(stats.rankdata(values)) for values in (x, y)]
        assert spearman(x, y).value == pytest.approx(pearson_by_hand(*ranks), abs=1e-9)


@pytest.mark.parametrize("correlate", CORRELATIONS)
def test_correlations_when_constant_or_too_few_then_reason_and_n(correlate) -> None:
    assert_undefined(correlate([], []), 0, "at least two")
    assert_undefined(correlate([1], [2]), 1, "at least two")
    assert_undefined(correlate([1, None, 2], [None, 2, 3]), 1, "at least two")
    assert_undefined(correlate([1, 2, 3], [4, 4, 4]), 3, "second list are 4.0")
    assert_undefined(correlate([0.1 + 0.2, 0.3, 0.3], [1, 2, 3]), 3, "first list")


@pytest.mark.parametrize("correlate", CORRELATIONS)
def test_correlations_when_two_items_then_a_caveat(correlate) -> None:
    score = correlate([1, 2], [4, 3])
    assert score.value == pytest.approx(-1.0)
    assert "two items" in score.reason


@pytest.mark.parametrize("correlate", CORRELATIONS)
def test_correlations_when_a_value_is_not_finite_then_its_place_is_named(correlate) -> None:
    with pytest.raises(ValueError, match="second list: value 1 is nan"):
        correlate([1, 2, 3], [1, math.nan, 3])
    with pytest.raises(ValueError, match="first list: value 0 is True"):
        correlate([True, 2, 3], [1, 2, 3])


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=2, max_size=25),
    st.randoms(use_true_random=False),
)
def test_correlations_when_rows_are_shuffled_or_rescaled_then_unchanged(pairs, chance) -> None:
    mixed = list(pairs)
    chance.shuffle(mixed)
    for correlate in CORRELATIONS:
        score = correlate([a for a, _ in pairs], [b for _, b in pairs])
        assert score == correlate([a for a, _ in mixed], [b for _, b in mixed])
        if score.value is None:
            continue
        assert -1 <= score.value <= 1
        rescaled = correlate([3 * a + 7 for a, _ in pairs], [-2 * b for _, b in pairs])
        assert rescaled.value == pytest.approx(-score.value, abs=1e-9)
