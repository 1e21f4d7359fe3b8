"""Agreement of raters: kappa and alpha, against the packages and published examples."""

from __future__ import annotations

import math
import random

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from evaluation.metrics.agreement import (
    UnequalLength,
    cohen_kappa,
    krippendorff_alpha,
    quadratic_weighted_kappa,
)
from evaluation.metrics.base import ScoreStatus
from tests.evaluation.metrics.agreement.asserting import assert_undefined


def random_table(seed: int) -> list[list[int | None]]:
    chance = random.Random(seed)
    raters, items, values = chance.randint(2, 6), chance.randint(1, 25), chance.randint(1, 6)
    gaps = chance.choice([0, 0.1, 0.5])
    return [
        [None if chance.random() < gaps else chance.randint(1, values) for _ in range(items)]
        for _ in range(raters)
    ]


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_krippendorff_alpha_when_1000_random_tables_then_equals_the_package(level: str) -> None:
    n_defined = 0
    for seed in range(1000):
        table = random_table(seed)
        score = krippendorff_alpha(table, level=level)
        data = np.array([[np.nan if value is None else value for value in row] for row in table])
        pairable = [column[~np.isnan(column)] for column in data.T if (~np.isnan(column)).sum() > 1]
        if not pairable or len(set(np.concatenate(pairable))) == 1:
            assert score.value is None
            assert score.reason
            continue
        expected = krippendorff.alpha(data, level_of_measurement=level)
        assert score.value == pytest.approx(expected, abs=1e-9), seed
        assert score.n == len(pairable)
        n_defined += 1
    assert n_defined > 600


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_cohen_kappa_when_1000_random_tables_then_equals_scikit_learn(weights: str) -> None:
    n_defined = 0
    for seed in range(1000):
        chance = random.Random(seed)
        n, values = chance.randint(1, 40), chance.randint(1, 6)
        first, second = ([chance.randint(0, values) for _ in range(n)] for _ in range(2))
        value = cohen_kappa(first, second, weights=weights)
        if len({*first, *second}) == 1:
            assert value.value is None
            continue
        expected = cohen_kappa_score(first, second, weights=None if weights == "none" else weights)
        assert value.value == pytest.approx(expected, abs=1e-9), seed
        n_defined += 1
    assert n_defined > 900


def test_quadratic_weighted_kappa_when_grades_have_gaps_then_equals_scikit_learn_on_the_full_scale() -> None:
    for seed in range(200):
        chance = random.Random(seed)
        first, second = ([chance.choice([0, 1, 5, 9, 10]) for _ in range(20)] for _ in range(2))
        expected = cohen_kappa_score(first, second, weights="quadratic", labels=list(range(11)))
        assert quadratic_weighted_kappa(first, second).value == pytest.approx(expected, abs=1e-9)
        on_scale = cohen_kappa(first, second, weights="quadratic", categories=range(11))
        assert on_scale.value == pytest.approx(expected, abs=1e-9)


def test_cohen_kappa_when_worked_by_hand_then_counts_first() -> None:
    # 2 x 2 table: 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no; po = 35/50, pe = (25*30 + 25*20)/2500 = 0.5
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    score = cohen_kappa(first, second)
    assert (score.value, score.numerator, score.denominator, score.n) == (0.4, 0.2, 0.5, 50)


def test_cohen_kappa_when_all_ratings_are_the_same_then_reason_and_n() -> None:
    assert_undefined(cohen_kappa(["ok"] * 7, ["ok"] * 7), 7, "all 7 ratings")
    assert_undefined(quadratic_weighted_kappa([3], [3]), 1, "all 1 ratings")


def test_cohen_kappa_when_one_rater_is_missing_then_reason_and_no_item() -> None:
    assert_undefined(cohen_kappa(["a", "b"], [None, None]), 0, "no item was rated by both")
    assert_undefined(cohen_kappa([], []), 0, "no item")


def test_cohen_kappa_when_one_rater_never_varies_then_zero_with_a_caveat() -> None:
    score = cohen_kappa(["a", "b", "a"], ["a", "a", "a"])
    assert (score.value, score.status) == (0.0, ScoreStatus.SCORED)
    assert "single category" in score.reason


def test_cohen_kappa_when_items_are_missing_then_dropped_and_counted() -> None:
    score = cohen_kappa(["a", "b", None, "a"], ["a", "b", "a", None])
    assert (score.value, score.n, score.details["n_dropped"]) == (1.0, 2, 2)


def test_cohen_kappa_when_input_is_wrong_then_the_mend_is_named() -> None:
    with pytest.raises(UnequalLength, match="1 values and the second 2"):
        cohen_kappa(["a"], ["a", "b"])
    with pytest.raises(ValueError, match="'c' is not among the categories"):
        cohen_kappa(["a"], ["c"], categories=["a", "b"])
    with pytest.raises(ValueError, match="twice"):
        cohen_kappa(["a"], ["a"], categories=["a", "a"])
    with pytest.raises(ValueError, match="no finite number"):
        quadratic_weighted_kappa([1.0], [math.nan])


def test_krippendorff_alpha_when_known_example_then_as_published() -> None:
    # Krippendorff (2011), section C: four observers, twelve units, missing data: 0.743, 0.815, 0.849
    star = None
    table = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, star, star, star],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, star, 3],
        [star, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, star],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, star],
    ]
    values = {
        level: krippendorff_alpha(table, level=level).value for level in ("nominal", "ordinal", "interval")
    }
    assert {level: round(value, 3) for level, value in values.items()} == {
        "nominal": 0.743,
        "ordinal": 0.815,
        "interval": 0.849,
    }


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_krippendorff_alpha_when_degenerate_then_reason_and_n(level: str) -> None:
    assert_undefined(krippendorff_alpha([], level=level), 0, "no item has two ratings")
    assert_undefined(krippendorff_alpha([[1, 2], [None, None]], level=level), 0, "no item has two ratings")
    assert_undefined(krippendorff_alpha([[1, None], [None, 1]], level=level), 0, "no item has two ratings")
    assert_undefined(krippendorff_alpha([[4, 4], [4, 4]], level=level), 2, "all 4 ratings are 4")


def test_krippendorff_alpha_when_input_is_wrong_then_the_mend_is_named() -> None:
    with pytest.raises(ValueError, match="1 to 2 items"):
        krippendorff_alpha([[1], [1, 2]])
    with pytest.raises(ValueError, match="not a finite number"):
        krippendorff_alpha([[1, math.nan], [1, 2]], level="interval")
    with pytest.raises(ValueError, match="'x' is not among"):
        krippendorff_alpha([["x", "a"], ["a", "a"]], level="ordinal", categories=["a", "b"])
    with pytest.raises(ValueError, match="unknown level"):
        krippendorff_alpha([[1], [1]], level="ratio")


def test_krippendorff_alpha_when_ordered_texts_then_the_given_order_counts() -> None:
    table = [["poor", "good", "fair", "poor"], ["poor", "fair", "fair", "good"]]
    as_numbers = [[{"poor": 0, "fair": 1, "good": 2}[value] for value in row] for row in table]
    words = krippendorff_alpha(table, level="ordinal", categories=["poor", "fair", "good"])
    assert words.value == krippendorff_alpha(as_numbers, level="ordinal").value
    assert words.value != krippendorff_alpha(table, level="ordinal").value


tables = st.integers(2, 4).flatmap(
    lambda n: st.lists(
        st.lists(st.one_of(st.none(), st.integers(0, 4)), min_size=n, max_size=n), min_size=1, max_size=12
    )
)


@settings(deadline=None)
@given(tables, st.sampled_from(["nominal", "ordinal", "interval"]), st.randoms(use_true_random=False))
def test_krippendorff_alpha_when_rows_and_columns_are_shuffled_then_bit_for_bit_the_same(
    items: list[list[int | None]], level: str, chance: random.Random
) -> None:
    before = krippendorff_alpha(list(zip(*items, strict=True)), level=level)
    chance.shuffle(items)
    raters = list(zip(*items, strict=True))
    chance.shuffle(raters)
    assert krippendorff_alpha(raters, level=level) == before
    assert before.value is None or before.value <= 1


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=30))
def test_cohen_kappa_when_raters_swap_then_the_same_and_at_most_one(pairs: list[tuple[int, int]]) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    for weights in ("none", "linear", "quadratic"):
        score = cohen_kappa(first, second, weights=weights)
        assert score == cohen_kappa(second, first, weights=weights)
        assert (score.value is None) == (len({*first, *second}) < 2)
        assert score.value is None or -1 - 1e-12 <= score.value <= 1
        same = cohen_kappa(first, first, weights=weights)
        assert same.value in (None, 1.0)
