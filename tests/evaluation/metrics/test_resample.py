from __future__ import annotations

import doctest
import itertools
import math
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evaluation.metrics.agreement import krippendorff_alpha
from evaluation.metrics.base import ScoreStatus
from evaluation.metrics.resample import (
    binomial_test,
    bootstrap_interval,
    bootstrap_replicates,
    mean,
    paired_permutation,
    pooled_ratio,
    two_sample_permutation,
    wilson_interval,
)
from evaluation.metrics.resample.random_draws import draw_indices, draw_order, draw_signs

SCORES = [0.05, 0.2, 0.31, 0.44, 0.5, 0.61, 0.62, 0.7, 0.93, 1.0]


def test_draws_when_seeded_then_these_very_numbers() -> None:
    # pinned: a change here would change every published interval
    assert draw_indices(2026, 0, 8).tolist() == [5, 0, 5, 1, 0, 6, 7, 1]
    assert draw_signs(2026, 0, 8).tolist() == [-1, 1, 1, 1, -1, -1, 1, -1]
    assert draw_order(2026, 1, 5).tolist() == [2, 0, 4, 1, 3]


def test_draws_when_many_then_every_index_is_as_likely() -> None:
    drawn = np.concatenate([draw_indices(1, replicate, 10) for replicate in range(5000)])
    assert stats.chisquare(np.bincount(drawn, minlength=10)).pvalue > 0.001
    signs = np.concatenate([draw_signs(1, replicate, 70) for replicate in range(1000)])
    assert abs(signs.mean()) < 4 / math.sqrt(70_000)
    assert sorted(draw_order(3, 9, 50).tolist()) == list(range(50))


def test_draws_when_seed_is_out_of_range_then_refused() -> None:
    with pytest.raises(ValueError, match="seed: -1"):
        draw_indices(-1, 0, 3)


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_bootstrap_interval_when_compared_with_scipy_then_close(method: str) -> None:
    interval = bootstrap_interval(SCORES, seed=3, resamples=20_000, method=method)
    expected = stats.bootstrap(
        (SCORES,),
        np.mean,
        n_resamples=20_000,
        method={"bca": "BCa"}.get(method, method),
        rng=np.random.default_rng(1),
    ).confidence_interval
    assert interval.low == pytest.approx(expected.low, abs=0.01)
    assert interval.high == pytest.approx(expected.high, abs=0.01)


def test_bootstrap_interval_when_statistic_is_skewed_then_bca_equals_scipys_and_not_percentile() -> None:
    values = [math.exp(v) for v in SCORES] + [9.0, 14.0]

    def variance(sample) -> float:
        return float(np.var(sample, axis=-1))

    interval = bootstrap_interval(values, variance, seed=3, resamples=10_000, method="bca")
    plain = bootstrap_interval(values, variance, seed=3, resamples=10_000)
    expected = stats.bootstrap(
        (values,), np.var, n_resamples=20_000, method="BCa", rng=np.random.default_rng(1)
    ).confidence_interval
    assert interval.low == pytest.approx(expected.low, rel=0.06)
    assert interval.high == pytest.approx(expected.high, rel=0.06)
    assert abs(plain.high - expected.high) > 2 * abs(interval.high - expected.high)


def test_bootstrap_interval_when_many_samples_then_covers_the_truth_as_often_as_promised() -> None:
    chance = random.Random(11)
    covered = 0
    for trial in range(200):
        interval = bootstrap_interval([chance.gauss(0, 1) for _ in range(60)], seed=trial, resamples=300)
        covered += interval.low <= 0 <= interval.high
    assert 178 <= covered <= 199


def test_bootstrap_interval_when_order_differs_then_bit_for_bit_the_same() -> None:
    mixed = SCORES[::-1]
    assert bootstrap_interval(mixed, seed=5) == bootstrap_interval(SCORES, seed=5)
    items = {f"item {place}": (value, 1.0) for place, value in enumerate(SCORES)}
    turned = dict(reversed(items.items()))
    first, second = (
        bootstrap_interval(mapping, pooled_ratio, seed=5, resamples=500) for mapping in (items, turned)
    )
    assert first == second
    assert first.estimate == pytest.approx(mean(SCORES))
    assert bootstrap_interval(SCORES, seed=6) != bootstrap_interval(SCORES, seed=5)


@pytest.mark.parametrize("statistic", [mean, lambda values: max(values) - min(values)])
@pytest.mark.parametrize("size", [1, 7, 64])
def test_bootstrap_replicates_when_chunked_then_equal_to_one_run(statistic, size: int) -> None:
    whole = bootstrap_replicates(SCORES, statistic, seed=5, replicates=range(100))
    chunks = [range(start, min(start + size, 100)) for start in range(0, 100, size)]
    random.Random(0).shuffle(chunks)
    parts = {chunk: bootstrap_replicates(SCORES, statistic, seed=5, replicates=chunk) for chunk in chunks}
    assert list(itertools.chain.from_iterable(parts[chunk] for chunk in sorted(chunks, key=min))) == whole


def test_bootstrap_interval_when_statistic_is_alpha_then_over_items() -> None:
    chance = random.Random(4)
    items = {str(i): [(g := chance.randint(0, 4)), min(4, g + chance.randint(0, 1))] for i in range(40)}

    def alpha(rows) -> float | None:
        return krippendorff_alpha(list(zip(*rows, strict=True)), level="ordinal").value

    interval = bootstrap_interval(items, alpha, seed=1, resamples=300)
    assert interval.low < interval.estimate < interval.high < 1


@pytest.mark.parametrize(
    ("items", "reason"),
    [([], "0 items: an interval"), ([0.4], "1 item: an interval"), ({"a": 1.0}, "1 item: an interval")],
)
def test_bootstrap_interval_when_too_few_items_then_reason(items, reason: str) -> None:
    interval = bootstrap_interval(items, seed=1)
    assert (interval.low, interval.high, interval.status) == (None, None, ScoreStatus.UNDEFINED)
    assert reason in interval.reason
    assert interval.n == len(items)


def test_bootstrap_interval_when_all_equal_then_no_width_and_a_caveat() -> None:
    interval = bootstrap_interval([0.5] * 8, seed=1, resamples=100)
    assert (interval.low, interval.high, interval.status) == (0.5, 0.5, ScoreStatus.SCORED)
    assert "not certainty" in interval.reason


def test_bootstrap_interval_when_statistic_often_fails_then_no_interval() -> None:
    interval = bootstrap_interval(SCORES, lambda v: None if max(v) < 1.0 else 1.0, seed=1, resamples=1000)
    assert interval.low is None
    assert f"{interval.n_undefined} of 1000" in interval.reason
    assert 250 < interval.n_undefined < 450  # (9/10) ** 10 = 0.349
    never = bootstrap_interval(SCORES, lambda v: math.nan, seed=1, resamples=100)
    assert never.reason == "the statistic does not exist for these items"


def test_bootstrap_interval_when_input_is_wrong_then_named() -> None:
    with pytest.raises(TypeError, match=r"item 0 is \(1, 2\), not a number"):
        bootstrap_interval([(1, 2)], pooled_ratio, seed=1)
    with pytest.raises(ValueError, match="item 1 is nan"):
        bootstrap_interval([1.0, math.nan], seed=1)
    with pytest.raises(ValueError, match="item 'b' is None"):
        bootstrap_interval({"a": 1.0, "b": None}, seed=1)
    with pytest.raises(ValueError, match="confidence"):
        bootstrap_interval(SCORES, seed=1, confidence=95)
    with pytest.raises(ValueError, match="resamples: 10"):
        bootstrap_interval(SCORES, seed=1, resamples=10)
    with pytest.raises(ValueError, match="unknown method"):
        bootstrap_interval(SCORES, seed=1, method="BCA")


def sign_flip_p(differences: list[Fraction]) -> Fraction:
    observed = abs(sum(differences))
    patterns = list(itertools.product((-1, 1), repeat=len(differences)))
    hits = sum(abs(sum(s * d for s, d in zip(p, differences, strict=True))) >= observed for p in patterns)
    return Fraction(hits, len(patterns))


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 10), st.integers(0, 10)), min_size=1, max_size=8))
def test_paired_permutation_when_few_items_then_exact(pairs: list[tuple[int, int]]) -> None:
    first, second = [a / 10 for a, _ in pairs], [b / 10 for _, b in pairs]
    result = paired_permutation(first, second, seed=1)
    assert result.is_exact
    assert result.p_value == pytest.approx(float(sign_flip_p([Fraction(a - b) for a, b in pairs])), abs=1e-12)
    swapped = paired_permutation(second, first, seed=1)
    assert swapped.p_value == result.p_value
    assert swapped.difference == pytest.approx(-result.difference)


def test_paired_permutation_when_many_items_then_near_scipy_and_order_does_not_show() -> None:
    chance = random.Random(2)
    first = {str(i): chance.random() for i in range(60)}
    second = {key: value - 0.05 + chance.gauss(0, 0.15) for key, value in first.items()}
    result = paired_permutation(first, second, seed=9)
    expected = stats.permutation_test(
        (list(first.values()), list(second.values())),
        lambda a, b, axis: np.mean(a - b, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=20_000,
        rng=np.random.default_rng(1),
    )
    assert not result.is_exact
    assert result.p_value == pytest.approx(expected.pvalue, abs=0.02)
    assert result == paired_permutation(dict(reversed(first.items())), second, seed=9)
    lists = list(zip(first.values(), second.values(), strict=True))
    random.Random(1).shuffle(lists)
    assert paired_permutation([a for a, _ in lists], [b for _, b in lists], seed=9).p_value == result.p_value


def test_paired_permutation_when_degenerate_then_reason_and_n() -> None:
    nothing = paired_permutation({"a": 1.0}, {"b": 1.0}, seed=1)
    assert (nothing.p_value, nothing.n, nothing.n_dropped) == (None, 0, 2)
    assert nothing.status is ScoreStatus.UNDEFINED
    equal = paired_permutation([1, 2, None], [1, 2, 3], seed=1)
    assert (equal.p_value, equal.n, equal.n_dropped) == (1.0, 2, 1)
    assert "equal on all 2 items" in equal.reason


def test_paired_permutation_when_every_item_says_the_same_then_p_is_never_zero() -> None:
    result = paired_permutation([1.0] * 200, [0.0] * 200, seed=1, resamples=500)
    assert result.p_value == 1 / 501


def test_paired_permutation_when_input_is_wrong_then_named() -> None:
    with pytest.raises(TypeError, match="two mappings"):
        paired_permutation({"a": 1.0}, [1.0], seed=1)
    with pytest.raises(ValueError, match="1 and 2 scores"):
        paired_permutation([1.0], [1.0, 2.0], seed=1)
    with pytest.raises(ValueError, match="second: nan"):
        paired_permutation([1.0], [math.nan], seed=1)
    with pytest.raises(ValueError, match="too few"):
        paired_permutation(range(20), [0.5] * 20, seed=1, resamples=10)


def test_two_sample_permutation_when_sets_differ_then_small_and_near_scipy() -> None:
    chance = random.Random(3)
    first, second = [chance.gauss(0, 1) for _ in range(30)], [chance.gauss(0.5, 1) for _ in range(45)]
    result = two_sample_permutation(first, second, seed=1)
    expected = stats.permutation_test(
        (first, second),
        lambda a, b, axis: np.mean(a, axis=axis) - np.mean(b, axis=axis),
        vectorized=True,
        n_resamples=20_000,
        rng=np.random.default_rng(1),
    )
    assert result.p_value == pytest.approx(expected.pvalue, abs=0.02)
    assert result.p_value == two_sample_permutation(first[::-1], second[::-1], seed=1).p_value
    assert result.difference == pytest.approx(mean(first) - mean(second))


def test_two_sample_permutation_when_degenerate_then_reason() -> None:
    assert two_sample_permutation([], [1.0], seed=1).reason == "the first set is empty"
    assert two_sample_permutation([1.0], [], seed=1).reason == "the second set is empty"
    same = two_sample_permutation([2.0, 2.0], [2.0], seed=1)
    assert (same.p_value, same.reason) == (1.0, "all 3 values are 2.0")


@settings(deadline=None)
@given(st.integers(0, 40), st.integers(0, 40))
def test_binomial_test_when_fair_then_the_exact_sum(successes: int, failures: int) -> None:
    trials = successes + failures
    result = binomial_test(successes, trials)
    if not trials:
        assert (result.p_value, result.status) == (None, ScoreStatus.UNDEFINED)
        return
    weights = [math.comb(trials, k) for k in range(trials + 1)]
    exact = Fraction(sum(w for w in weights if w <= weights[successes]), 2**trials)
    assert result.p_value == pytest.approx(float(exact), abs=1e-9)


@pytest.mark.parametrize(("successes", "trials"), [(-1, 3), (4, 3), (0, -1)])
def test_binomial_test_when_counts_are_impossible_then_refused(successes: int, trials: int) -> None:
    with pytest.raises(ValueError, match="successes must be between"):
        binomial_test(successes, trials)
    with pytest.raises(ValueError, match="successes must be between"):
        wilson_interval(successes, trials)


@settings(deadline=None)
@given(st.integers(0, 200), st.integers(0, 200))
def test_wilson_interval_when_any_counts_then_equals_scipy_and_holds_the_share(
    hits: int, misses: int
) -> None:
    interval = wilson_interval(hits, hits + misses)
    if not hits + misses:
        assert (interval.low, interval.reason) == (None, "no trials")
        return
    expected = stats.binomtest(hits, hits + misses).proportion_ci(method="wilson")
    assert interval.low == pytest.approx(expected.low, abs=1e-9)
    assert interval.high == pytest.approx(expected.high, abs=1e-9)
    assert 0 <= interval.low <= interval.estimate <= interval.high <= 1
    assert interval.low < interval.high


def test_resample_when_imported_cold_then_without_scipy() -> None:
    code = "import sys, evaluation.metrics.resample; print('scipy' in sys.modules)"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert process.stdout.strip() == "False"


def test_page_when_its_examples_run_then_as_printed() -> None:
    page = Path(__file__).parents[3] / "docs" / "metrics" / "resampling.md"
    failed, attempted = doctest.testfile(str(page), module_relative=False)
    assert attempted
    assert not failed
