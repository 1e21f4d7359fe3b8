"""Proportions: the exact two-sided binomial test with its power, and Wilson's interval.

E. B. Wilson, "Probable inference, the law of succession, and statistical inference" (1927).
"""

from __future__ import annotations

import math
from statistics import NormalDist

from evaluation.metrics.base import ScoreStatus
from evaluation.metrics.resample.bootstrap import Interval
from evaluation.metrics.resample.permutation import Significance


def binomial_test(successes: int, trials: int, *, share: float = 0.5) -> Significance:
    """Exact two-sided binomial test of `successes` in `trials` against probability `share`.

    The p-value sums the probabilities of all outcomes at most as likely as the observed one. `difference` is
    the observed share minus `share`. For majorities, count the items won without ties. UNDEFINED without
    trials. Raises ValueError for impossible counts or a share outside 0..1.

    >>> round(binomial_test(9, 10).p_value, 6)
    0.021484
    >>> binomial_test(0, 0).reason
    'no trials'
    """
    _check_counts(successes, trials)
    if not 0 <= share <= 1:
        raise ValueError(f"share: {share} is not between 0 and 1")
    if not trials:
        return Significance(None, None, 0, True, ScoreStatus.UNDEFINED, "no trials")
    # heavy: SciPy's statistics take longer to import than everything else here
    from scipy import stats  # noqa: PLC0415

    p_value = float(stats.binomtest(successes, trials, share).pvalue)
    return Significance(p_value, successes / trials - share, trials, True, ScoreStatus.SCORED)


def wilson_interval(successes: int, trials: int, *, confidence: float = 0.95) -> Interval:
    """Wilson's score interval of a proportion; within 0..1, and of positive width even at 0 and `trials` successes.

    UNDEFINED without trials. Raises ValueError for impossible counts or a confidence outside 0..1.

    >>> interval = wilson_interval(8, 10)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.4902, 0.9433)
    """
    _check_counts(successes, trials)
    if not 0 < confidence < 1:
        raise ValueError(f"confidence: {confidence} is not between 0 and 1")
    if not trials:
        return Interval(None, None, None, confidence, 0, "wilson", ScoreStatus.UNDEFINED, "no trials")
    share = successes / trials
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    below = 1 + z * z / trials
    centre = (share + z * z / (2 * trials)) / below
    reach = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials)) / below
    low = 0.0 if not successes else max(0.0, centre - reach)
    high = 1.0 if successes == trials else min(1.0, centre + reach)
    return Interval(share, low, high, confidence, trials, "wilson", ScoreStatus.SCORED)


def binomial_power(trials: int, share: float, *, level: float = 0.05) -> float:
    """Probability that `binomial_test` gives p <= `level` when each trial truly succeeds with probability `share`.

    Exact: the sum of the probabilities, under `share`, of all counts that are significant in the two-sided test
    against one half. 0 if none is (too few trials). Raises ValueError for negative trials or a share or level
    outside 0..1.

    >>> round(binomial_power(200, 0.6), 3), binomial_power(5, 0.9)
    (0.787, 0.0)
    """
    _check_counts(0, trials)
    for name, value in (("share", share), ("level", level)):
        if not 0 <= value <= 1:
            raise ValueError(f"{name}: {value} is not between 0 and 1")
    from scipy import stats  # noqa: PLC0415  (heavy)

    most = _largest_significant(trials, level)
    if most < 0:
        return 0.0
    return float(stats.binom.cdf(most, trials, share) + stats.binom.sf(trials - most - 1, trials, share))


def detectable_share(trials: int, *, power: float = 0.8, level: float = 0.05) -> float | None:
    """The smallest share above one half that `trials` detect with this power, to 0.001; None if there is none.

    >>> detectable_share(200), detectable_share(5)
    (0.602, None)
    """
    return next(
        (
            share / 1000
            for share in range(501, 1001)
            if binomial_power(trials, share / 1000, level=level) >= power
        ),
        None,
    )


def _largest_significant(trials: int, level: float) -> int:
    """The largest count below half the trials with p <= level against one half; -1 if there is none.

    Against one half the distribution is symmetric, so the two-sided p of k is twice the lower tail.
    """
    from scipy import stats  # noqa: PLC0415  (heavy)

    most = int(stats.binom.ppf(level / 2, trials, 0.5)) + 1
    while most >= 0 and (2 * most >= trials or 2 * float(stats.binom.cdf(most, trials, 0.5)) > level):
        most -= 1
    return most


def _check_counts(successes: int, trials: int) -> None:
    if trials < 0 or not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes of {trials} trials: successes must be between 0 and trials")
