from __future__ import annotations

import doctest
import math
import random
import subprocess
import sys
import time
from pathlib import Path

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from shapely.geometry import Polygon
from sklearn.metrics import cohen_kappa_score

from evaluation.metrics.agreement import (
    UnequalLength,
    cohen_kappa,
    kendall_tau,
    krippendorff_alpha,
    pearson,
    polygon_iou,
    quadratic_weighted_kappa,
    spearman,
)
from evaluation.metrics.base import Score, Status

CORRELATIONS = [pearson, spearman, kendall_tau]


def assert_undefined(score: Score, n: int, words: str) -> None:
    assert (score.value, score.status, score.n) == (None, Status.UNDEFINED, n)
    assert words in score.reason


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
        ours = krippendorff_alpha(table, level=level)
        data = np.array([[np.nan if value is None else value for value in row] for row in table])
        pairable = [column[~np.isnan(column)] for column in data.T if (~np.isnan(column)).sum() > 1]
        if not pairable or len(set(np.concatenate(pairable))) == 1:
            assert ours.value is None
            assert ours.reason
            continue
        theirs = krippendorff.alpha(data, level_of_measurement=level)
        assert ours.value == pytest.approx(theirs, abs=1e-9), seed
        assert ours.n == len(pairable)
        n_defined += 1
    assert n_defined > 600


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_cohen_kappa_when_1000_random_tables_then_equals_scikit_learn(weights: str) -> None:
    n_defined = 0
    for seed in range(1000):
        chance = random.Random(seed)
        n, values = chance.randint(1, 40), chance.randint(1, 6)
        first, second = ([chance.randint(0, values) for _ in range(n)] for _ in range(2))
        ours = cohen_kappa(first, second, weights=weights)
        if len({*first, *second}) == 1:
            assert ours.value is None
            continue
        theirs = cohen_kappa_score(first, second, weights=None if weights == "none" else weights)
        assert ours.value == pytest.approx(theirs, abs=1e-9), seed
        n_defined += 1
    assert n_defined > 900


def test_quadratic_weighted_kappa_when_grades_have_gaps_then_equals_scikit_learn_on_the_full_scale() -> None:
    for seed in range(200):
        chance = random.Random(seed)
        first, second = ([chance.choice([0, 1, 5, 9, 10]) for _ in range(20)] for _ in range(2))
        theirs = cohen_kappa_score(first, second, weights="quadratic", labels=list(range(11)))
        assert quadratic_weighted_kappa(first, second).value == pytest.approx(theirs, abs=1e-9)
        on_scale = cohen_kappa(first, second, weights="quadratic", categories=range(11))
        assert on_scale.value == pytest.approx(theirs, abs=1e-9)


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
    assert (score.value, score.status) == (0.0, Status.SCORED)
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


def test_krippendorff_alpha_when_ordered_words_then_the_given_order_counts() -> None:
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


SQUARE = [(0, 0), (2, 0), (2, 2), (0, 2)]
U_SHAPE = [(0, 0), (3, 0), (3, 3), (2, 3), (2, 1), (1, 1), (1, 3), (0, 3)]


@pytest.mark.parametrize(
    ("first", "second", "common", "together"),
    [
        (SQUARE, SQUARE, 4, 4),
        (SQUARE, SQUARE[::-1], 4, 4),
        (SQUARE, [(2, 0), (4, 0), (4, 2), (2, 2)], 0, 8),  # shared side
        (SQUARE, [(2, 2), (3, 2), (3, 3)], 0, 4.5),  # shared corner
        (SQUARE, [(5, 5), (6, 5), (6, 6)], 0, 4.5),  # apart
        (SQUARE, [(0.5, 0.5), (1.5, 0.5), (1.5, 1.5), (0.5, 1.5)], 1, 4),  # inside
        (SQUARE, [(1, -1), (3, 1), (1, 3), (-1, 1)], 4, 8),  # corners of one on sides of the other
        (SQUARE, [(1, 0), (2, 1), (1, 2), (0, 1)], 2, 4),  # a diamond in the square
        (U_SHAPE, [(1, 1), (2, 1), (2, 3), (1, 3)], 0, 9),  # fills the gap of the U
        (U_SHAPE, [(0, 2), (3, 2), (3, 3), (0, 3)], 2, 8),  # cuts both arms
        (SQUARE, [(0, 0), (1, 0), (2, 0), (2, 2), (0, 2), (0, 0)], 4, 4),  # idle corners, closed
    ],
)
def test_polygon_iou_when_area_is_known_then_exact_both_ways(first, second, common, together) -> None:
    for score in (polygon_iou(first, second), polygon_iou(second, first)):
        assert (score.numerator, score.denominator) == (common, together)
        assert score.value == common / together


@pytest.mark.parametrize(
    ("corners", "words"),
    [
        ([], "fewer than three"),
        ([(0, 0), (1, 1)], "fewer than three"),
        ([(0, 0), (1, 1), (2, 2), (0, 0)], "on one line"),
        ([(1, 1)] * 4, "fewer than three"),
        ([(0, 0), (2, 2), (2, 0), (0, 2)], "meet"),
        ([(0, 0), (4, 0), (4, 4), (2, 0), (0, 4)], "meet"),  # a corner touches another side
    ],
)
def test_polygon_iou_when_no_region_then_reason(corners, words) -> None:
    assert_undefined(polygon_iou(corners, SQUARE), 0, words)
    assert polygon_iou(SQUARE, corners).reason.startswith("second polygon")


def test_polygon_iou_when_a_corner_is_not_finite_then_named() -> None:
    with pytest.raises(ValueError, match="corner 1 is"):
        polygon_iou([(0, 0), (math.inf, 0), (1, 1)], SQUARE)
    with pytest.raises(ValueError, match="corner 0 is"):
        polygon_iou([(0, 0, 0), (1, 0), (1, 1)], SQUARE)


def test_polygon_iou_when_over_the_limit_then_too_large_at_once() -> None:
    ring = [(math.cos(2 * math.pi * i / 501), math.sin(2 * math.pi * i / 501)) for i in range(501)]
    assert polygon_iou(ring, SQUARE).status is Status.TOO_LARGE


def test_polygon_iou_when_the_largest_allowed_then_in_bounded_time() -> None:
    ring = [(math.cos(2 * math.pi * i / 120), math.sin(2 * math.pi * i / 120)) for i in range(120)]
    started = time.process_time()
    assert 0 < polygon_iou(ring, SQUARE).value < 1
    assert time.process_time() - started < 10


def star(chance: random.Random) -> list[tuple[float, float]]:
    """A simple polygon, seldom convex: corners around a centre at growing angles."""
    n = chance.randint(3, 9)
    x, y = chance.uniform(-1, 1), chance.uniform(-1, 1)
    angles = sorted((i + chance.uniform(0.1, 0.9)) * 2 * math.pi / n for i in range(n))
    reach = [chance.uniform(0.3, 2) for _ in range(n)]
    return [(x + r * math.cos(a), y + r * math.sin(a)) for r, a in zip(reach, angles, strict=True)]


def test_polygon_iou_when_300_random_stars_then_equals_shapely() -> None:
    chance = random.Random(5)
    for _ in range(300):
        first, second = star(chance), star(chance)
        a, b = Polygon(first), Polygon(second)
        expected = a.intersection(b).area / a.union(b).area
        assert polygon_iou(first, second).value == pytest.approx(expected, abs=1e-9)


def test_polygon_iou_when_corners_lie_on_a_coarse_grid_then_equals_shapely() -> None:
    chance = random.Random(6)
    n_compared = 0
    while n_compared < 150:
        polygons = [Polygon([(round(2 * x), round(2 * y)) for x, y in star(chance)]) for _ in range(2)]
        if not all(polygon.is_valid and polygon.area for polygon in polygons):
            continue
        first, second = (list(polygon.exterior.coords) for polygon in polygons)
        score = polygon_iou(first, second)
        expected = polygons[0].intersection(polygons[1]).area / polygons[0].union(polygons[1]).area
        assert score.value == pytest.approx(expected, abs=1e-9)
        n_compared += 1


def test_agreement_when_imported_cold_then_neither_scipy_nor_numpy() -> None:
    code = (
        "import sys, evaluation.metrics.agreement; print([m for m in ('scipy', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_page_when_its_examples_run_then_as_printed() -> None:
    page = Path(__file__).parents[3] / "docs" / "metrics" / "agreement.md"
    failed, attempted = doctest.testfile(str(page), module_relative=False)
    assert attempted
    assert not failed
