"""Permutation tests of the difference between two systems or two sets of items.

R. A. Fisher, "The Design of Experiments" (1935), chapter 3. Monte Carlo p-values are (hits + 1) / (draws + 1),
so that they are never 0 (B. Phipson and G. K. Smyth, 2010).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from evaluation.metrics.base import ScoreStatus
from evaluation.metrics.resample.bootstrap import mean
from evaluation.metrics.resample.random_draws import draw_order, draw_signs

EXACT_UP_TO = 16
"""Up to this many differing items, all 2**n sign patterns are enumerated instead of sampled."""
_ROUNDING = 1e-12
"""Sums this close to the observed one, relative to the largest possible, count as equal."""


@dataclass(frozen=True, slots=True)
class Significance:
    """A two-sided p-value with its effect; None where it is undefined (`status`, `reason`)."""

    p_value: float | None
    difference: float | None
    n: int
    is_exact: bool
    status: ScoreStatus
    reason: str = ""
    resamples: int = 0
    n_dropped: int = 0
    seed: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON-able form."""
        return asdict(self) | {"status": self.status.value}


def paired_permutation(
    first: Mapping[str, float | None] | Sequence[float | None],
    second: Mapping[str, float | None] | Sequence[float | None],
    *,
    seed: int,
    resamples: int = 10_000,
) -> Significance:
    """Test whether two systems differ in mean score on the same items, by flipping the signs of differences.

    Mappings are paired by item id, lists by position; items without both scores (absent, or None) are dropped and
    counted. `difference` is the mean of first minus second. Exact up to 16 differing items, sampled from the seed
    beyond; independent of the order of items. UNDEFINED without a common item. If no item differs p is 1, with a
    reason.

    >>> result = paired_permutation([3, 4, 5, 6], [1, 2, 3, 4], seed=1)
    >>> result.p_value, result.difference, result.is_exact
    (0.125, 2.0, True)
    """
    differences, n_dropped = _differences(first, second)
    n = len(differences)
    if not n:
        reason = "no item has a score of both"
        return Significance(None, None, 0, False, ScoreStatus.UNDEFINED, reason, n_dropped=n_dropped)
    difference = mean(differences)
    nonzero = np.array(sorted(value for value in differences if value), dtype=float)
    if not len(nonzero):
        reason = f"the scores are equal on all {n} items"
        return Significance(1.0, 0.0, n, True, ScoreStatus.SCORED, reason, n_dropped=n_dropped)
    threshold = abs(math.fsum(nonzero)) - _ROUNDING * math.fsum(abs(nonzero))
    if len(nonzero) <= EXACT_UP_TO:
        p_value = _exact(nonzero, threshold)
        return Significance(p_value, difference, n, True, ScoreStatus.SCORED, n_dropped=n_dropped)
    _check_resamples(resamples)
    hits = sum(
        bool(abs(np.dot(draw_signs(seed, draw, len(nonzero)), nonzero)) >= threshold)
        for draw in range(resamples)
    )
    p_value = (hits + 1) / (resamples + 1)
    return Significance(p_value, difference, n, False, ScoreStatus.SCORED, "", resamples, n_dropped, seed)


def two_sample_permutation(
    first: Sequence[float], second: Sequence[float], *, seed: int, resamples: int = 10_000
) -> Significance:
    """Test whether two sets of items differ in mean, such as a sample and the rest of its population.

    `n` counts both sets. Sampled from the seed, independent of the order of values. UNDEFINED if a set is empty.

    >>> two_sample_permutation([1, 2, 3], [1, 2, 3], seed=1).p_value
    1.0
    """
    n = len(first) + len(second)
    if not first or not second:
        reason = f"the {'second' if first else 'first'} set is empty"
        return Significance(None, None, n, False, ScoreStatus.UNDEFINED, reason)
    _require_finite({"first": first, "second": second})
    difference = mean(first) - mean(second)
    pooled = np.array(sorted([*first, *second]), dtype=float)
    if pooled[0] == pooled[-1]:
        return Significance(1.0, 0.0, n, True, ScoreStatus.SCORED, f"all {n} values are {pooled[0]}")
    _check_resamples(resamples)
    # the total is fixed, so the first set's sum determines the difference of the means
    expected = math.fsum(pooled) * len(first) / n
    threshold = abs(math.fsum(first) - expected) - _ROUNDING * math.fsum(abs(pooled))
    hits = sum(
        bool(abs(pooled[draw_order(seed, draw, n)[: len(first)]].sum() - expected) >= threshold)
        for draw in range(resamples)
    )
    p_value = (hits + 1) / (resamples + 1)
    return Significance(p_value, difference, n, False, ScoreStatus.SCORED, "", resamples, 0, seed)


def _differences(
    first: Mapping[str, float | None] | Sequence[float | None],
    second: Mapping[str, float | None] | Sequence[float | None],
) -> tuple[list[float], int]:
    if isinstance(first, Mapping) != isinstance(second, Mapping):
        raise TypeError("give two mappings from item id to score, or two lists in the same order")
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        ids = sorted({*first, *second})
        pairs = [(first.get(item_id), second.get(item_id)) for item_id in ids]
    elif len(first) != len(second):
        raise ValueError(
            f"the lists have {len(first)} and {len(second)} scores: pair them, None for a missing one"
        )
    else:
        pairs = list(zip(first, second, strict=True))  # type: ignore[arg-type]
    complete = [(a, b) for a, b in pairs if a is not None and b is not None]
    _require_finite({"first": [a for a, _ in complete], "second": [b for _, b in complete]})
    return [a - b for a, b in complete], len(pairs) - len(complete)


def _require_finite(sets: Mapping[str, Sequence[float]]) -> None:
    for name, values in sets.items():
        for value in values:
            if not math.isfinite(value):
                raise ValueError(f"{name}: {value!r} is no score; give None for a missing one")


def _check_resamples(resamples: int) -> None:
    if resamples < 100:
        raise ValueError(f"resamples: {resamples} are too few for a p-value; use at least 100")


def _exact(nonzero: np.ndarray[Any, np.dtype[np.float64]], threshold: float) -> float:
    """Share of the sign patterns whose sum is at least as far from 0 as the observed one."""
    sums = np.zeros(1)
    for value in nonzero:
        sums = np.concatenate([sums - value, sums + value])
    return float(np.count_nonzero(np.abs(sums) >= threshold)) / len(sums)
