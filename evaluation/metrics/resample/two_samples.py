"""Tests whether two sets of numbers, or two rows of counts, come from one distribution.

A. N. Kolmogorov (1933) and N. V. Smirnov (1939): the largest distance of two empirical distributions.
R. A. Fisher, "Statistical Methods for Research Workers" (1934): the exact test of a 2 x 2 table.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from evaluation.metrics.base import ScoreStatus
from evaluation.metrics.resample.permutation import Significance


def kolmogorov_smirnov(first: Sequence[float], second: Sequence[float]) -> Significance:
    """Two-sided two-sample test; `difference` is D, the largest distance of the empirical distributions, 0..1.

    The p-value is SciPy's (exact up to 10,000 values, asymptotic beyond). It assumes independent sets, so
    it is too optimistic for a sample and the set it was drawn from: read D first. UNDEFINED if a set is empty.

    >>> kolmogorov_smirnov([1, 2, 3, 4], [1, 2, 3, 4]).difference
    0.0
    >>> kolmogorov_smirnov([1, 2], [3, 4, 5]).difference
    1.0
    """
    n = len(first) + len(second)
    if not first or not second:
        reason = f"the {'second' if first else 'first'} set is empty"
        return Significance(None, None, n, False, ScoreStatus.UNDEFINED, reason)
    for name, values in (("first", first), ("second", second)):
        for value in values:
            if not math.isfinite(value):
                raise ValueError(f"{name}: {value!r} is no score; leave out items without one")
    # heavy: SciPy's statistics take longer to import than everything else here
    from scipy import stats  # noqa: PLC0415

    is_exact = max(len(first), len(second)) <= 10_000
    result = stats.ks_2samp(sorted(first), sorted(second), method="exact" if is_exact else "asymp")
    return Significance(float(result.pvalue), float(result.statistic), n, is_exact, ScoreStatus.SCORED)


def fisher_exact(first: tuple[int, int], second: tuple[int, int]) -> Significance:
    """Exact two-sided test of two rows of (yes, no) counts; `difference` is that of the shares of yes.

    UNDEFINED if a row is empty; if all counts are yes, or all no, p is 1, with a reason. Raises ValueError
    for a negative count.

    >>> result = fisher_exact((8, 2), (1, 5))
    >>> round(result.p_value, 6), round(result.difference, 4)
    (0.034965, 0.6333)
    >>> fisher_exact((0, 0), (1, 5)).reason
    'the first row has no counts'
    """
    if min(*first, *second) < 0:
        raise ValueError(f"{first} and {second}: counts cannot be negative")
    n = sum(first) + sum(second)
    if not sum(first) or not sum(second):
        reason = f"the {'second' if sum(first) else 'first'} row has no counts"
        return Significance(None, None, n, True, ScoreStatus.UNDEFINED, reason)
    difference = first[0] / sum(first) - second[0] / sum(second)
    if not first[0] + second[0] or not first[1] + second[1]:
        return Significance(1.0, difference, n, True, ScoreStatus.SCORED, "all counts are on one side")
    from scipy import stats  # noqa: PLC0415  (heavy)

    p_value = min(1.0, float(stats.fisher_exact([first, second]).pvalue))
    return Significance(p_value, difference, n, True, ScoreStatus.SCORED)
