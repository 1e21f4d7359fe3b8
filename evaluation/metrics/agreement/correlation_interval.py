"""Confidence interval of a correlation: percentile bootstrap over items.

B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 13.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evaluation.metrics.resample.bootstrap import Interval, bootstrap_interval

Kind = Literal["pearson", "spearman"]


def correlation_interval(
    pairs: Mapping[str, tuple[float, float]],
    *,
    kind: Kind,
    seed: int,
    confidence: float = 0.95,
    resamples: int = 10_000,
) -> Interval:
    """An interval for Pearson's r or Spearman's rho of (x, y) by item id, resampling items with replacement.

    A resample in which one side is constant has no correlation: up to 5 % of these are left out and counted. The
    estimate is that of `pearson` or `spearman`, and is undefined where theirs is.

    >>> pairs = {"a": (1.0, 1.0), "b": (2.0, 3.0), "c": (3.0, 2.0), "d": (4.0, 5.0), "e": (5.0, 4.0)}
    >>> interval = correlation_interval(pairs, kind="pearson", seed=1, resamples=500)
    >>> round(interval.estimate, 4), interval.low < interval.estimate < interval.high
    (0.8, True)
    """
    if kind not in ("pearson", "spearman"):
        raise ValueError(f"unknown kind {kind!r}; choose one of: pearson, spearman")
    statistic = _pearson_of if kind == "pearson" else _spearman_of
    return bootstrap_interval(pairs, statistic, seed=seed, confidence=confidence, resamples=resamples)


def _pearson_of(pairs: Sequence[tuple[float, float]]) -> float | None:
    """The coefficient without its p-value: fast enough for ten thousand resamples."""
    return _product_moment(np.array(pairs, dtype=float))


def _spearman_of(pairs: Sequence[tuple[float, float]]) -> float | None:
    # heavy: SciPy's statistics take longer to import than everything else here
    from scipy.stats import rankdata  # noqa: PLC0415

    return _product_moment(rankdata(np.array(pairs, dtype=float), axis=0))


def _product_moment(points: NDArray[np.float64]) -> float | None:
    away = points - points.mean(axis=0)
    below = math.sqrt(float((away[:, 0] ** 2).sum()) * float((away[:, 1] ** 2).sum()))
    scale = float(np.abs(points).max(initial=0.0)) ** 2 * len(points)
    if below <= 1e-13 * scale:
        return None
    return min(1.0, max(-1.0, float((away[:, 0] * away[:, 1]).sum()) / below))
