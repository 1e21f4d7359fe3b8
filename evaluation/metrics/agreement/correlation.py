"""Correlation of two lists of numbers: Pearson's r, Spearman's rho, Kendall's tau-b.

Computed by SciPy, after the cases in which the coefficient does not exist. p-values (two-sided, with SciPy's
assumptions) are in `details`; prefer the permutation test to compare systems.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from evaluation.errors import gettext_noop as _
from evaluation.metrics.agreement.statistic import complete_pairs, require_finite, undefined_score
from evaluation.metrics.base import Direction, Score, ScoreStatus, Signature

_ROUNDING = 1e-13
"""Spread relative to the mean below which values differ by rounding only."""


def pearson(first: Sequence[float | None], second: Sequence[float | None]) -> Score:
    """Pearson's r in -1..1: the strength of the linear relation.

    Items with a missing value (None) on either side are dropped and counted in `details`. UNDEFINED with
    fewer than two common items or when one list is constant (up to rounding). With two items r is always
    1 or -1, which `reason` points out. Raises ValueError for NaN or infinity, UnequalLength for unequal lists.

    >>> round(pearson([1, 2, 3, 4], [1, 3, 2, 4]).value, 4)
    0.8
    >>> pearson([1, 2, 3], [5, 5, 5]).reason
    'all 3 values of the second list are 5.0: a constant correlates with nothing'
    """
    return _correlate("pearson", first, second)


def spearman(first: Sequence[float | None], second: Sequence[float | None]) -> Score:
    """Spearman's rho in -1..1: Pearson's r of the ranks, ties sharing their mean rank.

    Missing, constant and invalid values as in `pearson`. Values that differ only by rounding get different ranks:
    round them first.

    >>> spearman([1, 2, 3, 4], [1, 4, 9, 16]).value
    1.0
    """
    return _correlate("spearman", first, second)


def kendall_tau(first: Sequence[float | None], second: Sequence[float | None]) -> Score:
    """Kendall's tau-b in -1..1: pairs in the same order minus pairs in opposite order, corrected for ties.

    (C - D) / sqrt((P - Tx) (P - Ty)) with P all pairs and Tx, Ty the pairs tied on one side. Missing, constant
    and invalid values as in `pearson`; rounding as in `spearman`.

    >>> round(kendall_tau([1, 2, 3, 4], [1, 3, 2, 4]).value, 4)
    0.6667
    """
    return _correlate("kendall_tau", first, second)


def _correlate(metric: str, first: Sequence[float | None], second: Sequence[float | None]) -> Score:
    left, right, n_dropped = complete_pairs(first, second)
    left, right = require_finite(left, "first list"), require_finite(right, "second list")
    n = len(left)
    details: dict[str, object] = {"n_dropped": n_dropped}
    if n < 2:
        reason = f"{n} items have both values: a correlation needs at least two"
        return undefined_score(metric, "none", n=n, reason=reason, details=details)
    for name, values in (("first", left), ("second", right)):
        if _is_constant(values):
            reason = f"all {n} values of the {name} list are {values[0]}: a constant correlates with nothing"
            return undefined_score(metric, "none", n=n, reason=reason, details=details)
    value, p_value, version = _by_scipy(metric, left, right)
    details["p_value"] = p_value
    caveat = _("with only two items, a correlation is always 1 or -1") if n == 2 else ""
    signature = Signature(metric, "none", libraries=(("scipy", version),))
    return Score(value, 0, 0, n, 0, Direction.HIGHER, ScoreStatus.SCORED, signature, caveat, details)


def _is_constant(values: Sequence[float]) -> bool:
    mean = math.fsum(values) / len(values)
    return max(values) - min(values) <= _ROUNDING * abs(mean)


def _by_scipy(metric: str, left: list[float], right: list[float]) -> tuple[float, float | None, str]:
    # heavy: SciPy's statistics take longer to import than everything else here
    import scipy  # noqa: PLC0415
    from scipy import stats  # noqa: PLC0415

    # sorted, so that the last digit does not depend on the order of the items
    points = sorted(zip(left, right, strict=True))
    x, y = [a for a, _b in points], [b for _, b in points]
    compute = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall_tau": stats.kendalltau}[
        metric
    ]
    result = compute(x, y)
    value = min(1.0, max(-1.0, float(result.statistic)))
    p_value = float(result.pvalue)
    return value, p_value if math.isfinite(p_value) else None, scipy.__version__
