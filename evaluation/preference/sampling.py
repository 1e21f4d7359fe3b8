"""Which items of a release the raters get: a sample that mirrors the scores of the whole.

Pure. The sample is stratified on the first metric and drawn again and again; the draw whose two score distributions
lie nearest to the full ones is kept (rerandomisation: K. L. Morgan and D. B. Rubin, Annals of Statistics 40, 2012).
Items whose two shown scores are equal cannot be preferred either way; they are in the full set, and never drawn.
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
"""How many samples are drawn to choose from."""
_STREAM = 1_000_000  # random streams of sampling lie above those of orders and sides (design.py)


class TooFew(ValueError):
    """Fewer items can be drawn than were asked for; `available` says how many there are."""

    def __init__(self, available: int) -> None:
        super().__init__(f"only {available} items can be drawn")
        self.available = available


@dataclass(frozen=True, slots=True)
class SampledUnit:
    """One system's answer to one sample with both scores, mapped to 0..10; `is_equal`: shown as the same."""

    sample: str
    system: str
    first: float
    second: float
    is_equal: bool


@dataclass(frozen=True, slots=True)
class Mirror:
    """How near a sample is to the full set, for one metric: both means, and the two-sample test's D and p."""

    mean_full: float
    mean_sample: float
    distance: float
    p_value: float
    n_full: int
    n_sample: int


def drawable(units: Sequence[SampledUnit]) -> int:
    """How many items can be drawn at most: each sample once, whatever number of systems answered it.

    >>> units = [SampledUnit("a", "x", 1, 2, False), SampledUnit("a", "y", 1, 3, False)]
    >>> drawable([*units, SampledUnit("b", "x", 2, 2, True)])
    1
    """
    return len({unit.sample for unit in units if not unit.is_equal})


def draw_sample(units: Sequence[SampledUnit], n: int, *, seed: int) -> list[int]:
    """Places in `units` of the `n` items drawn, in ascending order. Each sample comes at most once.

    Depends on units, their order, n and seed alone. Raises TooFew.

    >>> units = [SampledUnit(str(i), "x", i, 9 - i, False) for i in range(10)]
    >>> len(draw_sample(units, 4, seed=1)), draw_sample(units, 4, seed=1) == draw_sample(units, 4, seed=1)
    (4, True)
    """
    if n < 1 or n > drawable(units):
        raise TooFew(drawable(units))
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


def mirror(full: Sequence[float], sample: Sequence[float]) -> Mirror | None:
    """Means and Kolmogorov-Smirnov test of a sample against the full set; None where one is empty.

    >>> found = mirror([1.0, 2.0, 3.0, 4.0], [2.0, 3.0])
    >>> found.mean_full, found.mean_sample, found.distance
    (2.5, 2.5, 0.25)
    """
    if not full or not sample:
        return None
    test = kolmogorov_smirnov(full, sample)
    assert test.difference is not None and test.p_value is not None
    return Mirror(mean(full), mean(sample), test.difference, test.p_value, len(full), len(sample))


def _one_draw(
    units: Sequence[SampledUnit], scores: NDArray[np.float64], n: int, seed: int, stream: int
) -> NDArray[np.int64]:
    """One answer of each sample at random, ranked by the first score, one of each of n equal strata at random."""
    chosen: dict[str, int] = {}
    for place in draw_order(seed, stream, len(units)).tolist():
        if not units[place].is_equal:
            chosen.setdefault(units[place].sample, place)
    places = np.array(list(chosen.values()), dtype=np.int64)  # in random order, so ties in score are random
    ranked = places[np.argsort(scores[places, 0], kind="stable")]
    ends = np.linspace(0, len(ranked), n + 1).round().astype(int)
    keys = draw_order(seed, stream + 1, len(ranked))
    return np.array([ranked[low + int(np.argmin(keys[low:high]))] for low, high in itertools.pairwise(ends)])


def _distance(sample: NDArray[np.float64], full: NDArray[np.float64]) -> float:
    """Kolmogorov-Smirnov's D of two sorted sets."""
    points = np.concatenate([sample, full])
    below = [np.searchsorted(values, points, side="right") / len(values) for values in (sample, full)]
    return float(np.abs(below[0] - below[1]).max())
