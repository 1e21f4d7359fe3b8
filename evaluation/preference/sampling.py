"""Drawing the items of a study so that their scores are distributed like those of all predictions.

Pure. The sample is stratified on the first metric and drawn DRAWS times; the draw whose two score distributions are
nearest to the full ones is kept (rerandomisation: K. L. Morgan and D. B. Rubin, Annals of Statistics 40, 2012). Items
with two equal shown scores allow no preference; they belong to the full set but are never drawn.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.metrics.resample.bootstrap import mean
from evaluation.metrics.resample.random_draws import draw_order
from evaluation.metrics.resample.two_samples import kolmogorov_smirnov

DRAWS = 200
"""The number of draws from which the best is kept."""
_STREAM = 1_000_000  # above the random streams of orders and sides (design.py)


class TooFewItems(ValueError):
    """Fewer items can be drawn than requested; `available` is their number."""

    def __init__(self, available: int) -> None:
        super().__init__(f"only {available} items can be drawn")
        self.available = available


@dataclass(frozen=True, slots=True)
class ScoredUnit:
    """One prediction for one sample with both scores mapped to 0..10; `is_equal`: they are shown as equal."""

    sample: str
    system: str
    first: float
    second: float
    is_equal: bool


@dataclass(frozen=True, slots=True)
class DistributionComparison:
    """A sample against the full set, for one metric: both means, and D and p of the Kolmogorov-Smirnov test."""

    mean_full: float
    mean_sample: float
    distance: float
    p_value: float
    n_full: int
    n_sample: int


def count_drawable(units: Sequence[ScoredUnit]) -> int:
    """The number of items that can be drawn at most: each sample once, however many systems predicted it.

    >>> units = [ScoredUnit("a", "x", 1, 2, False), ScoredUnit("a", "y", 1, 3, False), ScoredUnit("b", "x", 2, 2, True)]
    >>> count_drawable(units)
    1
    """
    return len({unit.sample for unit in units if not unit.is_equal})


def draw_sample(units: Sequence[ScoredUnit], n: int, *, seed: int) -> list[int]:
    """The indices in `units` of the `n` items drawn, ascending, with each sample at most once.

    Depends only on the units, their order, n and seed. Raises TooFewItems.

    >>> units = [ScoredUnit(str(i), "x", i, 9 - i, False) for i in range(10)]
    >>> len(draw_sample(units, 4, seed=1)), draw_sample(units, 4, seed=1) == draw_sample(units, 4, seed=1)
    (4, True)
    """
    if n < 1 or n > count_drawable(units):
        raise TooFewItems(count_drawable(units))
    scores = np.array([(unit.first, unit.second) for unit in units], dtype=float)
    full = np.sort(scores, axis=0)
    best: NDArray[np.int64] | None = None
    nearest = np.inf
    for draw in range(DRAWS):
        drawn = _one_draw(units, scores, n, seed, _STREAM + 2 * draw)
        distance = max(_distance(np.sort(scores[drawn, column]), full[:, column]) for column in (0, 1))
        if distance < nearest:
            best, nearest = drawn, distance
    assert best is not None
    return sorted(best.tolist())


def compare_distributions(full: Sequence[float], sample: Sequence[float]) -> DistributionComparison | None:
    """Means and Kolmogorov-Smirnov test of a sample against the full set; None if one is empty.

    >>> comparison = compare_distributions([1.0, 2.0, 3.0, 4.0], [2.0, 3.0])
    >>> comparison.mean_full, comparison.mean_sample, comparison.distance
    (2.5, 2.5, 0.25)
    """
    if not full or not sample:
        return None
    test = kolmogorov_smirnov(full, sample)
    assert test.difference is not None and test.p_value is not None
    return DistributionComparison(
        mean(full), mean(sample), test.difference, test.p_value, len(full), len(sample)
    )


def _one_draw(
    units: Sequence[ScoredUnit], scores: NDArray[np.float64], n: int, seed: int, stream: int
) -> NDArray[np.int64]:
    """One random prediction of each sample, ranked by the first score; then one at random from each of n strata."""
    index_by_sample: dict[str, int] = {}
    for index in draw_order(seed, stream, len(units)).tolist():
        if not units[index].is_equal:
            index_by_sample.setdefault(units[index].sample, index)
    indices = np.array(
        list(index_by_sample.values()), dtype=np.int64
    )  # in random order: ties in score are random
    ranked = indices[np.argsort(scores[indices, 0], kind="stable")]
    ends = np.linspace(0, len(ranked), n + 1).round().astype(int)
    keys = draw_order(seed, stream + 1, len(ranked))
    return np.array([ranked[low + int(np.argmin(keys[low:high]))] for low, high in itertools.pairwise(ends)])


def _distance(sample: NDArray[np.float64], full: NDArray[np.float64]) -> float:
    """Kolmogorov-Smirnov's D of two sorted sets."""
    points = np.concatenate([sample, full])
    below = [np.searchsorted(values, points, side="right") / len(values) for values in (sample, full)]
    return float(np.abs(below[0] - below[1]).max())
