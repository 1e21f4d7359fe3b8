"""Cohen's kappa between two raters: agreement beyond chance.

J. Cohen, "A coefficient of agreement for nominal scales" (1960) and "Weighted kappa" (1968).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import Literal

from evaluation.errors import gettext_noop as _
from evaluation.metrics.agreement.statistic import (
    complete_pairs,
    defined_score,
    sorted_values,
    undefined_score,
)
from evaluation.metrics.base import Score

Weights = Literal["none", "linear", "quadratic"]

_COST: dict[str, Callable[[Fraction], Fraction]] = {
    "none": lambda distance: Fraction(distance != 0),
    "linear": abs,
    "quadratic": lambda distance: distance * distance,
}


def cohen_kappa(
    first: Sequence[Hashable | None],
    second: Sequence[Hashable | None],
    *,
    weights: Weights = "none",
    categories: Sequence[Hashable] | None = None,
) -> Score:
    """Kappa of two raters' categories, at most 1; 0 is chance, below 0 worse than chance.

    One value per item in each list; items with a missing value (None) are dropped and counted in `details`. With
    weights, a disagreement costs the distance (or its square) between the positions of the two values in
    `categories`. By default these are the values that occur, in order, so a grade that nobody gave takes up no room:
    pass the whole scale, or use `quadratic_weighted_kappa`.

    UNDEFINED without a common item, and when both raters used one and the same category throughout: agreement by
    chance is then certain. When one rater used a single category kappa is 0 by construction, which `reason` points
    out. Raises ValueError for a value that is not in `categories`.

    >>> round(cohen_kappa(["a", "a", "b", "b"], ["a", "b", "b", "b"]).value, 4)
    0.5
    >>> cohen_kappa(["a", "a"], ["a", "a"]).reason
    "all 2 ratings of both raters are 'a': agreement by chance is certain, so kappa does not exist"
    """
    if weights not in _COST:
        raise ValueError(f"unknown weights {weights!r}; choose one of: {', '.join(_COST)}")
    left, right, n_dropped = complete_pairs(first, second)
    scale = sorted_values({*left, *right}) if categories is None else list(categories)
    places = {category: Fraction(place) for place, category in enumerate(scale)}
    if len(places) != len(scale):
        raise ValueError("categories: a category is there twice; keep one of them")
    for value in (*left, *right):
        if value not in places:
            raise ValueError(f"the rating {value!r} is not among the categories; add it or mend the rating")
    return _kappa(left, right, places, weights, "cohen_kappa", n_dropped)


def quadratic_weighted_kappa(
    first: Sequence[int | float | None], second: Sequence[int | float | None]
) -> Score:
    """Kappa of two raters' numeric grades; a disagreement costs the square of the grades' difference.

    The distance is that of the numbers, so grades that nobody gave count too (0, 5 and 10 are five apart). UNDEFINED
    where `cohen_kappa` is. Raises ValueError for a value that is not a finite number.

    >>> round(quadratic_weighted_kappa([0, 5, 10, 10], [0, 6, 10, 9]).value, 4)
    0.9846
    """
    left, right, n_dropped = complete_pairs(first, second)
    places: dict[Hashable, Fraction] = {}
    for value in (*left, *right):
        try:
            places[value] = Fraction(value)
        except (TypeError, ValueError, OverflowError) as fault:
            raise ValueError(
                f"the grade {value!r} is no finite number; give None for a missing one"
            ) from fault
    return _kappa(left, right, places, "quadratic", "quadratic_weighted_kappa", n_dropped)


def _kappa(
    left: Sequence[Hashable],
    right: Sequence[Hashable],
    places: dict[Hashable, Fraction],
    weights: str,
    metric: str,
    n_dropped: int,
) -> Score:
    n = len(left)
    details = {"n_dropped": n_dropped, "n_categories": len(places)}
    if not n:
        return undefined_score(
            metric, weights, n=0, reason=_("no item was rated by both raters"), details=details
        )
    cost = _COST[weights]
    rows, columns = Counter(left), Counter(right)
    observed = sum(
        (
            cost(places[a] - places[b]) * count
            for (a, b), count in Counter(zip(left, right, strict=True)).items()
        ),
        Fraction(),
    )
    expected = sum(
        (
            cost(places[a] - places[b]) * times_a * times_b
            for a, times_a in rows.items()
            for b, times_b in columns.items()
        ),
        Fraction(),
    )
    if not expected:
        reason = (
            f"all {n} ratings of both raters are {left[0]!r}: "
            "agreement by chance is certain, so kappa does not exist"
        )
        return undefined_score(metric, weights, n=n, reason=reason, details=details)
    caveat = ""
    if min(len(rows), len(columns)) == 1:
        caveat = _("one rater used a single category, so kappa is 0 whatever the other rater does")
    below = expected / (n * n)
    above = below - observed / n
    return defined_score(metric, weights, above=above, below=below, n=n, reason=caveat, details=details)
