"""How hard a page is to read: six dimensions, each from 1 (easy) to 5 (hard). Pure.

The dimensions are those of WildHandBench, section 3 and appendix A; the paper defines no scale, so the scale is ours.
Difficulty stratifies scores and is never part of one.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from evaluation.errors import InvalidInput
from evaluation.errors import gettext_noop as _
from evaluation.metrics.agreement import krippendorff_alpha
from evaluation.metrics.base import Score

LOWEST, HIGHEST = 1, 5
SCALE = tuple(range(LOWEST, HIGHEST + 1))


class Dimension(StrEnum):
    """The dimensions in the order of the form."""

    VISUAL_DEGRADATION = "visual_degradation"
    CURSIVENESS = "cursiveness"
    LINGUISTIC_AMBIGUITY = "linguistic_ambiguity"
    STRUCTURAL_COMPLEXITY = "structural_complexity"
    DOMAIN_KNOWLEDGE = "domain_knowledge"
    MULTILINGUAL_MIXING = "multilingual_mixing"


class BadScores(InvalidInput):
    """Scores that are not one whole number from 1 to 5 for each dimension; `dimensions` lists the invalid ones."""

    field = "scores"

    def __init__(self, dimensions: Sequence[str]) -> None:
        super().__init__(
            _("Give a whole number from 1 to 5 for each dimension. Check: %(names)s."),
            names=", ".join(dimensions),
        )
        self.dimensions = tuple(dimensions)


@dataclass(frozen=True, slots=True)
class Summary:
    """Ratings of one dimension: mean, spread (sample standard deviation, None below two ratings), n."""

    mean: float
    spread: float | None
    n: int


def check_scores(scores: Mapping[str, Any], *, is_complete: bool) -> dict[str, int]:
    """The scores by dimension. Raises BadScores for unknown names, invalid values and, if `is_complete`, gaps."""
    bad = [
        name
        for name, value in scores.items()
        if name not in set(Dimension) or type(value) is not int or value not in SCALE
    ]
    if is_complete:
        bad += [dimension for dimension in Dimension if dimension not in scores]
    if bad:
        raise BadScores(bad)
    return {str(dimension): scores[dimension] for dimension in Dimension if dimension in scores}


def summarise(ratings: Sequence[Mapping[str, float]]) -> dict[str, Summary]:
    """Mean, spread and number of ratings by dimension; dimensions without a rating are left out.

    >>> summarise([{"cursiveness": 2}, {"cursiveness": 4}])["cursiveness"]
    Summary(mean=3.0, spread=1.4142135623730951, n=2)
    """
    summaries = {}
    for dimension in Dimension:
        values = [rating[dimension] for rating in ratings if dimension in rating]
        if values:
            spread = statistics.stdev(values) if len(values) > 1 else None
            summaries[str(dimension)] = Summary(statistics.fmean(values), spread, len(values))
    return summaries


def agreement_on(dimension: Dimension, ratings: Mapping[tuple[int, int], Mapping[str, int]]) -> Score:
    """Krippendorff's alpha (interval) of one dimension; `ratings` by (rater, sample), gaps are missing values.

    UNDEFINED with the reason when no sample has two ratings or none differs (see `krippendorff_alpha`).
    """
    raters = sorted({rater for rater, _ in ratings})
    samples = sorted({sample for _, sample in ratings})
    table = [[ratings.get((rater, sample), {}).get(dimension) for sample in samples] for rater in raters]
    return krippendorff_alpha(table or [[]], level="interval")
