"""People and models over the same samples: means with intervals, paired tests, agreement. Pure.

All resampling is seeded; a figure that does not exist for the data comes as a reason, never as a number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from statistics import median

from baseline.consensus import distance
from evaluation.metrics.resample import Interval, Significance, bootstrap_interval, paired_permutation

SEED = 20
RESAMPLES = 2_000

Values = tuple[tuple[str, float], ...]
"""(sample id, value), sorted by id: hashable, so that equal questions are answered once."""


def frozen(values: Mapping[str, float | None], only: frozenset[str] | None = None) -> Values:
    """The values that exist, of these samples."""
    return tuple(
        sorted((k, float(v)) for k, v in values.items() if v is not None and (only is None or k in only))
    )


@lru_cache(maxsize=2_000)
def mean_of(values: Values) -> Interval:
    """The mean over samples with its percentile interval (95 %, resampling samples).

    >>> mean_of((("a", 0.5),)).reason
    '1 item: an interval needs at least two'
    """
    return bootstrap_interval(dict(values), seed=SEED, resamples=RESAMPLES)


@lru_cache(maxsize=2_000)
def difference_of(first: Values, second: Values) -> Significance:
    """First minus second over the samples both have, by a two-sided paired permutation test.

    >>> difference_of((("a", 1.0),), (("b", 1.0),)).reason
    'no item has a score of both'
    """
    return paired_permutation(dict(first), dict(second), seed=SEED)


def agreement_by_sample(answers: Mapping[str, Sequence[str | None]]) -> dict[str, float]:
    """For each sample with at least two answers the mean over pairs of 1 - normalised edit distance.

    "I cannot read this" (None) agrees with itself (1) and with no text (0).

    >>> agreement_by_sample({"a": ["ink", "ink"], "b": ["ink"], "c": [None, "ink"]})
    {'a': 1.0, 'c': 0.0}
    """
    agreement = {}
    for sample, given in answers.items():
        pairs = [_alike(first, second) for first, second in combinations(given, 2)]
        if pairs:
            agreement[sample] = sum(pairs) / len(pairs)
    return agreement


def _alike(first: str | None, second: str | None) -> float:
    if first is None or second is None:
        return float(first is second)
    return 1.0 - distance(first, second)


def middle(values: Sequence[float]) -> float | None:
    """The median, None of nothing."""
    return median(values) if values else None
