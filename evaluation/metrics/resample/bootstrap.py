"""Bootstrap confidence intervals over items.

B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap" (1993): percentile interval, chapter 13;
bias-corrected and accelerated (BCa), chapter 14.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from evaluation.metrics.base import ScoreStatus
from evaluation.metrics.resample.random_draws import draw_indices

T = TypeVar("T")
Method = Literal["percentile", "bca"]
Statistic = Callable[[Sequence[Any]], float | None]

_MAX_UNDEFINED = 0.05
"""Largest share of replicates without a value; above it the interval is undefined."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its interval; low and high are None where it is undefined (`status`, `reason`)."""

    estimate: float | None
    low: float | None
    high: float | None
    confidence: float
    n: int
    method: str
    status: ScoreStatus
    reason: str = ""
    resamples: int = 0
    n_undefined: int = 0
    seed: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON-able form."""
        return asdict(self) | {"status": self.status.value}


def mean(values: Sequence[float]) -> float:
    """The mean, independent of the order of the values.

    >>> mean([1e16, 1, -1e16])
    0.3333333333333333
    """
    return math.fsum(values) / len(values)


def pooled_ratio(counts: Sequence[tuple[float, float]]) -> float | None:
    """Sum of numerators over sum of denominators: the pooled corpus score of (numerator, denominator) items.

    >>> pooled_ratio([(1, 2), (0, 8)])
    0.1
    """
    below = math.fsum(denominator for _, denominator in counts)
    return math.fsum(numerator for numerator, _ in counts) / below if below else None


def bootstrap_replicates(
    items: Mapping[str, T] | Sequence[float],
    statistic: Statistic = mean,
    *,
    seed: int,
    replicates: range,
) -> list[float | None]:
    """The statistic of the numbered resamples; joined chunks equal one long run.

    >>> values = [0.2, 0.4, 0.9]
    >>> whole = bootstrap_replicates(values, seed=1, replicates=range(4))
    >>> parts = [bootstrap_replicates(values, seed=1, replicates=range(i, i + 2)) for i in (0, 2)]
    >>> whole == parts[0] + parts[1]
    True
    """
    ordered = in_fixed_order(items)
    if statistic is mean:
        values = np.asarray(ordered, dtype=float)
        return [float(values[draw_indices(seed, replicate, len(values))].mean()) for replicate in replicates]
    return [
        _finite(statistic([ordered[place] for place in draw_indices(seed, replicate, len(ordered)).tolist()]))
        for replicate in replicates
    ]


def bootstrap_interval(
    items: Mapping[str, T] | Sequence[float],
    statistic: Statistic = mean,
    *,
    seed: int,
    confidence: float = 0.95,
    resamples: int = 10_000,
    method: Method = "percentile",
) -> Interval:
    """A confidence interval for the statistic, resampling items with replacement.

    `items` maps item ids to what the statistic takes (scores, pairs of counts, rows of ratings), or is a list of
    numbers. The result depends on seed, items and ids, not on their order, chunks or workers. A statistic may return
    None where it does not exist; up to 5 % of such replicates are left out and counted.

    UNDEFINED with fewer than two items, when the statistic does not exist for the items or for too many resamples, and
    (BCa) when all replicates lie on one side of the estimate. Equal items give an interval of zero width, with a caveat
    in `reason`. Raises ValueError for a confidence outside 0..1, fewer than
    100 resamples, or a value that is not finite.

    >>> interval = bootstrap_interval([0.1, 0.4, 0.35, 0.8, 0.55, 0.6], seed=1)
    >>> interval.low < interval.estimate < interval.high
    True
    >>> bootstrap_interval([0.5], seed=1).reason
    '1 item: an interval needs at least two'
    """
    _check(confidence, resamples, method)
    ordered = in_fixed_order(items)
    estimate = _finite(statistic(ordered)) if ordered else None
    low = high = None
    n_undefined = 0
    if len(ordered) < 2:
        reason = f"{len(ordered)} item{'' if len(ordered) == 1 else 's'}: an interval needs at least two"
    elif estimate is None:
        reason = "the statistic does not exist for these items"
    else:
        drawn = bootstrap_replicates(items, statistic, seed=seed, replicates=range(resamples))
        defined = np.sort(np.array([value for value in drawn if value is not None], dtype=float))
        n_undefined = resamples - len(defined)
        if n_undefined > _MAX_UNDEFINED * resamples:
            reason = f"the statistic does not exist for {n_undefined} of {resamples} resamples"
        else:
            jackknife = _jackknife(ordered, statistic) if method == "bca" else None
            low, high, reason = _limits(estimate, defined, confidence, jackknife)
    status = ScoreStatus.UNDEFINED if low is None else ScoreStatus.SCORED
    return Interval(
        estimate, low, high, confidence, len(ordered), method, status, reason, resamples, n_undefined, seed
    )


def _limits(
    estimate: float, defined: NDArray[np.float64], confidence: float, jackknife: list[float] | None
) -> tuple[float | None, float | None, str]:
    """Both limits with a caveat, or None with the reason. With jackknife values the interval is BCa."""
    if defined[0] == defined[-1]:
        caveat = "all resamples give one value: no spread to measure, not certainty"
        return float(defined[0]), float(defined[-1]), caveat
    tail = (1 - confidence) / 2
    shares: tuple[float, float] | None = (tail, 1 - tail)
    if jackknife is not None:
        shares = _bca_shares(estimate, defined, jackknife, (tail, 1 - tail))
    if shares is None:
        return None, None, "all resamples lie on one side of the estimate: the bias cannot be corrected"
    low, high = (float(value) for value in np.quantile(defined, shares))
    return low, high, ""


def in_fixed_order(items: Mapping[str, T] | Sequence[float]) -> list[Any]:
    """Items sorted by id, or numbers by size, so that the result does not depend on their order.

    Raises TypeError for a list of anything but numbers (without ids there is no canonical order), and ValueError
    naming an item that is None, NaN or infinite.
    """
    if isinstance(items, Mapping):
        for key, item in items.items():
            if item is None or (isinstance(item, float) and not math.isfinite(item)):
                raise ValueError(f"item {key!r} is {item!r}: leave out items without a value")
        return [items[key] for key in sorted(items)]
    for place, value in enumerate(items):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise TypeError(f"item {place} is {value!r}, not a number: give a mapping from item id to item")
        if not math.isfinite(value):
            raise ValueError(f"item {place} is {value!r}: leave out items without a value")
    return sorted(items)


def _check(confidence: float, resamples: int, method: str) -> None:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence: {confidence} is not between 0 and 1")
    if resamples < 100:
        raise ValueError(f"resamples: {resamples} are too few for an interval; use at least 100")
    if method not in ("percentile", "bca"):
        raise ValueError(f"unknown method {method!r}; choose one of: percentile, bca")


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(value)


def _jackknife(ordered: list[Any], statistic: Statistic) -> list[float]:
    """The jackknife values of the statistic, where it exists."""
    left_out = (statistic(ordered[:place] + ordered[place + 1 :]) for place in range(len(ordered)))
    return [value for value in left_out if value is not None]


def _bca_shares(
    estimate: float, defined: NDArray[np.float64], jackknife: list[float], shares: tuple[float, float]
) -> tuple[float, float] | None:
    """The BCa quantiles; a replicate equal to the estimate counts half."""
    below = (np.count_nonzero(defined < estimate) + np.count_nonzero(defined == estimate) / 2) / len(defined)
    if not 0 < below < 1:
        return None
    normal = NormalDist()
    bias = normal.inv_cdf(below)
    centre = mean(jackknife)
    away = [centre - value for value in jackknife]
    spread = math.fsum(value**2 for value in away)
    acceleration = math.fsum(value**3 for value in away) / (6 * spread**1.5) if spread else 0.0

    def corrected(share: float) -> float:
        moved = bias + normal.inv_cdf(share)
        return normal.cdf(bias + moved / (1 - acceleration * moved))

    return corrected(shares[0]), corrected(shares[1])
