"""Shares: the exact two-sided binomial test, and Wilson's interval.

E. B. Wilson, "Probable inference, the law of succession, and statistical inference" (1927).
"""

from __future__ import annotations

import math
from statistics import NormalDist

from evaluation.metrics.base import Status
from evaluation.metrics.resample.bootstrap import Interval
from evaluation.metrics.resample.permutation import Significance


def binomial_test(successes: int, trials: int, *, share: float = 0.5) -> Significance:
    """Could `successes` of `trials` be chance when each succeeds with probability `share`; exact, two-sided.

    The p-value sums the probabilities of all outcomes at most as likely as the observed one. `difference` is
    the observed share minus `share`. For majorities: count the items won, ties left out. UNDEFINED without
    trials. Raises ValueError for counts that are impossible or a share outside 0..1.

    >>> round(binomial_test(9, 10).p_value, 6)
    0.021484
    >>> binomial_test(0, 0).reason
    'no trials'
    """
    _check_counts(successes, trials)
    if not 0 <= share <= 1:
        raise ValueError(f"share: {share} is not between 0 and 1")
    if not trials:
        return Significance(None, None, 0, True, Status.UNDEFINED, "no trials")
    # heavy: SciPy's statistics take longer to import than everything else here
    from scipy import stats  # noqa: PLC0415

    p_value = float(stats.binomtest(successes, trials, share).pvalue)
    return Significance(p_value, successes / trials - share, trials, True, Status.SCORED)


def wilson_interval(successes: int, trials: int, *, confidence: float = 0.95) -> Interval:
    """Wilson's score interval of a share; stays within 0..1 and has width at 0 and at `trials` successes.

    UNDEFINED without trials. Raises ValueError for impossible counts or a confidence outside 0..1.

    >>> interval = wilson_interval(8, 10)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.4902, 0.9433)
    """
    _check_counts(successes, trials)
    if not 0 < confidence < 1:
        raise ValueError(f"confidence: {confidence} is not between 0 and 1")
    if not trials:
        return Interval(None, None, None, confidence, 0, "wilson", Status.UNDEFINED, "no trials")
    share = successes / trials
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    below = 1 + z * z / trials
    centre = (share + z * z / (2 * trials)) / below
    reach = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials)) / below
    low = 0.0 if not successes else max(0.0, centre - reach)
    high = 1.0 if successes == trials else min(1.0, centre + reach)
    return Interval(share, low, high, confidence, trials, "wilson", Status.SCORED)


def _check_counts(successes: int, trials: int) -> None:
    if trials < 0 or not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes of {trials} trials: successes must be between 0 and trials")
