"""Power, two-sample and 2 x 2 tests against sums worked by hand and SciPy."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest
from scipy import stats

from evaluation.metrics.resample import (
    binomial_power,
    binomial_test,
    detectable_share,
    fisher_exact,
    kolmogorov_smirnov,
)


@pytest.mark.parametrize("trials", [0, 1, 5, 6, 9, 20, 37, 60])
@pytest.mark.parametrize("share", [0.5, 0.63, 0.9, 1.0])
def test_binomial_power_when_summed_over_every_count_then_equal(trials: int, share: float) -> None:
    by_hand = sum(
        math.comb(trials, k) * share**k * (1 - share) ** (trials - k)
        for k in range(trials + 1)
        if trials and (binomial_test(k, trials).p_value or 0) <= 0.05
    )
    assert binomial_power(trials, share) == pytest.approx(by_hand, abs=1e-12)


def test_detectable_share_when_found_then_it_is_the_smallest_to_a_thousandth() -> None:
    share = detectable_share(189)
    assert share is not None
    assert binomial_power(189, share) >= 0.8 > binomial_power(189, share - 0.001)


def test_kolmogorov_smirnov_when_sets_are_random_then_equal_to_the_steps_counted_by_hand() -> None:
    for seed in range(50):
        dice = random.Random(seed)
        a, b = ([dice.randint(0, 9) / 2 for _ in range(dice.randint(1, 30))] for _ in range(2))
        result = kolmogorov_smirnov(a, b)
        by_hand = max(
            abs(Fraction(sum(x <= point for x in a), len(a)) - Fraction(sum(x <= point for x in b), len(b)))
            for point in a + b
        )
        assert result.difference == pytest.approx(float(by_hand), abs=1e-12)
        assert result.p_value == pytest.approx(stats.ks_2samp(a, b).pvalue, abs=1e-9)


def test_kolmogorov_smirnov_when_a_value_is_no_number_then_refused() -> None:
    with pytest.raises(ValueError, match="no score"):
        kolmogorov_smirnov([1.0], [math.nan])
    assert kolmogorov_smirnov([], [1.0]).reason == "the first set is empty"


def test_fisher_exact_when_summed_over_every_table_then_equal() -> None:
    for seed in range(50):
        dice = random.Random(seed)
        a, b, c, d = (dice.randint(0, 9) for _ in range(4))
        result = fisher_exact((a, b), (c, d))
        if result.p_value is None or result.reason:
            assert not (a + b and c + d and a + c and b + d)
            continue

        def chance(k: int, rows: tuple[int, int] = (a + b, c + d), yes: int = a + c) -> Fraction:
            return Fraction(math.comb(rows[0], k) * math.comb(rows[1], yes - k), math.comb(sum(rows), yes))

        range_of_k = range(max(0, a + c - (c + d)), min(a + b, a + c) + 1)
        by_hand = sum(chance(k) for k in range_of_k if chance(k) <= chance(a))
        assert result.p_value == pytest.approx(float(by_hand), abs=1e-9)
