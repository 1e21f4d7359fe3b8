"""Krippendorff's alpha: agreement of any number of raters, with missing ratings allowed.

K. Krippendorff, "Computing Krippendorff's alpha-reliability" (2011). Alpha is 1 - observed / expected
disagreement, where pairs within an item weigh 1 / (ratings of the item - 1).

All three levels are one formula. On the interval scale a pair costs its squared difference; the ordinal cost
is the squared difference of mid-ranks among all pairable ratings; the nominal cost is 1 for unequal values.
Sums of squared differences are computed from deviations from the mean, so the time is linear in the ratings.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any, Literal

from evaluation.errors import gettext_noop as _
from evaluation.metrics.agreement.statistic import (
    defined_score,
    require_finite,
    sorted_values,
    undefined_score,
)
from evaluation.metrics.base import Score

Level = Literal["nominal", "ordinal", "interval"]
_LEVELS = ("nominal", "ordinal", "interval")


def krippendorff_alpha(
    ratings: Sequence[Sequence[Hashable | None]],
    *,
    level: Level = "nominal",
    categories: Sequence[Hashable] | None = None,
) -> Score:
    """Alpha of a table of ratings, at most 1; 0 is chance, below 0 systematic disagreement.

    `ratings` has one row per rater and one column per item; None where a rater left the item out. Items with
    fewer than two ratings are ignored; `n` counts the others. The ordinal order is that of the values
    (numbers, or strings by code point) unless `categories` gives it; the interval level needs finite numbers.

    UNDEFINED when no item has two ratings, and when all pairable ratings are equal (the expected disagreement is 0).
    Raises ValueError for rows of unequal length or a value that is not on the scale.

    >>> ratings = [[1, 2, 3, 3, 2], [1, 2, 3, 3, 2], [None, 3, 3, 3, 2]]
    >>> round(krippendorff_alpha(ratings).value, 4)
    0.7797
    >>> krippendorff_alpha([[1, 1], [None, None]]).reason
    'no item has two ratings'
    """
    if level not in _LEVELS:
        raise ValueError(f"unknown level {level!r}; choose one of: {', '.join(_LEVELS)}")
    lengths = {len(row) for row in ratings}
    if len(lengths) > 1:
        raise ValueError(
            f"the raters' rows have {min(lengths)} to {max(lengths)} items: "
            "give every rater one value per item, None where one is missing"
        )
    items = [[value for value in column if value is not None] for column in zip(*ratings, strict=True)]
    units = [item for item in items if len(item) > 1]
    pooled = Counter(value for unit in units for value in unit)
    details = {
        "n_raters": len(ratings),
        "n_items": len(items),
        "n_ratings": pooled.total(),
        "n_values": len(pooled),
    }
    if not units:
        return undefined_score(
            "krippendorff_alpha", level, n=0, reason=_("no item has two ratings"), details=details
        )
    if len(pooled) == 1:
        reason = (
            f"all {pooled.total()} ratings are {next(iter(pooled))!r}: "
            "without variation there is no disagreement to expect, so alpha does not exist"
        )
        return undefined_score("krippendorff_alpha", level, n=len(units), reason=reason, details=details)
    observed, expected = _disagreements(units, pooled, level, categories)
    return defined_score(
        "krippendorff_alpha",
        level,
        above=expected - observed,
        below=expected,
        n=len(units),
        details=details,
    )


def _disagreements(
    units: Sequence[Sequence[Hashable]],
    pooled: Counter[Hashable],
    level: Level,
    categories: Sequence[Hashable] | None,
) -> tuple[float, float]:
    """Observed and expected disagreement, up to a common factor. fsum makes them independent of the order of rows."""
    n_ratings = pooled.total()
    if level == "nominal":
        within = [_unequal_pairs(Counter(unit)) / (len(unit) - 1) for unit in units]
        return math.fsum(within), _unequal_pairs(pooled) / (n_ratings - 1)
    points = _interval_points(pooled) if level == "interval" else _mid_ranks(pooled, categories)
    within = [2 * len(unit) * _squares([points[value] for value in unit]) / (len(unit) - 1) for unit in units]
    everything = [points[value] for value in pooled.elements()]
    return math.fsum(within), 2 * n_ratings * _squares(everything) / (n_ratings - 1)


def _unequal_pairs(counts: Counter[Hashable]) -> int:
    return counts.total() ** 2 - sum(count * count for count in counts.values())


def _squares(values: Sequence[float]) -> float:
    """Sum of squared deviations from the mean."""
    mean = math.fsum(values) / len(values)
    return math.fsum((value - mean) ** 2 for value in values)


def _interval_points(pooled: Counter[Hashable]) -> dict[Hashable, float]:
    values: list[Any] = list(pooled)
    return dict(zip(values, require_finite(values, "ratings"), strict=True))


def _mid_ranks(pooled: Counter[Hashable], categories: Sequence[Hashable] | None) -> dict[Hashable, float]:
    """Ratings before a value plus half of those equal to it: squared differences are the ordinal cost."""
    scale = sorted_values(set(pooled)) if categories is None else list(categories)
    for value in pooled:
        if value not in scale:
            raise ValueError(f"the rating {value!r} is not among the categories; add it or mend the rating")
    ranks, before = {}, 0
    for value in scale:
        ranks[value] = before + pooled[value] / 2
        before += pooled[value]
    return ranks
