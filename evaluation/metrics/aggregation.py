"""Aggregation of sample scores into corpus scores: pooled, mean over samples, mean over pages. Sums are exact.

Floating-point sums depend on their order. An accumulator keeps integers (a float is an integer over a power of two)
and rounds once at the end, so the result is the same to the last digit for any order, chunking and number of workers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any

from evaluation.metrics.base import Direction, Score, ScoreStatus, Signature

_SCALE = 1074  # every finite float is an integer times 2 ** -1074


class Average(StrEnum):
    """How sample scores become one corpus score."""

    POOLED = "pooled"  # sum of numerators / sum of denominators: long samples weigh more
    SAMPLE = "sample"  # mean of the samples' values: every sample weighs the same
    PAGE = "page"  # mean over pages of the page's score: every page weighs the same


class ExactSum:
    """A sum of floats without rounding error, in any order.

    >>> total = ExactSum()
    >>> for term in (1e100, 1.0, -1e100):
    ...     total.add(term)
    >>> float(total)
    1.0
    """

    __slots__ = ("_units",)

    def __init__(self) -> None:
        self._units = 0

    def add(self, term: float) -> None:
        """Add one finite number."""
        numerator, denominator = term.as_integer_ratio()
        self._units += numerator << (_SCALE + 1 - denominator.bit_length())

    def add_sum(self, other: ExactSum) -> None:
        """Add another sum."""
        self._units += other._units

    def fraction(self) -> Fraction:
        """The exact sum."""
        return Fraction(self._units, 1 << _SCALE)

    def __float__(self) -> float:
        return float(self.fraction())


class _Sums:
    """Counts and values of one group of samples."""

    __slots__ = ("denominator", "n", "numerator", "values")

    def __init__(self) -> None:
        self.numerator, self.denominator, self.values, self.n = ExactSum(), ExactSum(), ExactSum(), 0

    def add(self, other: _Sums) -> None:
        self.numerator.add_sum(other.numerator)
        self.denominator.add_sum(other.denominator)
        self.values.add_sum(other.values)
        self.n += other.n

    def ratio(self) -> Fraction | None:
        below = self.denominator.fraction()
        return self.numerator.fraction() / below if below else None

    def mean(self) -> Fraction | None:
        return self.values.fraction() / self.n if self.n else None


@dataclass(slots=True)
class Accumulator:
    """Accumulates the sample scores of one metric and gives the corpus score in any average.

    `worst` is the value of a sample that has none but counts (too large). `ratio_in_page`: a page's score is its pooled
    ratio (edit distance), otherwise the mean of its samples (TEDS, CDM); a page whose samples all have weight 0 counts
    with the mean of their values. Memory grows with the number of pages, not of samples.
    """

    signature: Signature
    direction: Direction
    worst: float
    ratio_in_page: bool = True
    states: Counter[ScoreStatus] = field(default_factory=Counter)
    n_failed: int = 0
    n_exact: int = 0  # samples with the best value: exact matches (ExpRate)
    _all: _Sums = field(default_factory=_Sums)
    _pages: dict[str, _Sums] = field(default_factory=dict)

    def add(self, score: Score, page: str | None = None) -> None:
        """Add one sample; a score with n = 0 is only counted in `states`."""
        self.states[score.status] += 1
        if not score.n:
            return
        self.n_failed += score.n_failed
        self.n_exact += score.value == self._best
        value = self.worst if score.value is None else score.value
        groups = [self._all] if page is None else [self._all, self._pages.setdefault(page, _Sums())]
        for sums in groups:
            sums.numerator.add(score.numerator)
            sums.denominator.add(score.denominator)
            sums.values.add(value)
            sums.n += 1

    def add_all(self, scores: Iterable[Score]) -> Accumulator:
        """Add many samples; returns the accumulator."""
        for score in scores:
            self.add(score)
        return self

    def merge(self, other: Accumulator) -> None:
        """Add the samples of another accumulator of the same metric (from another worker)."""
        self.states += other.states
        self.n_failed += other.n_failed
        self.n_exact += other.n_exact
        self._all.add(other._all)
        for page, sums in other._pages.items():
            self._pages.setdefault(page, _Sums()).add(sums)

    def score(self, average: Average = Average.POOLED) -> Score:
        """The corpus score; `details` has the other averages and the count of every status."""
        figures = {kind: self._figure(kind) for kind in Average}
        above, below = figures[average]
        value = float(above / below) if below else None
        details: dict[str, Any] = {
            "average": average.value,
            "averages": {
                kind.value: float(top / base) if base else None for kind, (top, base) in figures.items()
            },
            "states": {status.value: self.states[status] for status in ScoreStatus if self.states[status]},
            "pages": len(self._pages),
            "n_exact": self.n_exact,
            "exact_rate": self.n_exact / self._all.n if self._all.n else None,
        }
        status, reason = (ScoreStatus.SCORED, "") if value is not None else self._why_not(average)
        return Score(
            value,
            float(above),
            float(below),
            self._all.n,
            self.n_failed,
            self.direction,
            status,
            self.signature,
            reason,
            details,
        )

    @property
    def _best(self) -> float:
        return 0.0 if self.direction is Direction.LOWER else 1.0

    def _figure(self, average: Average) -> tuple[Fraction, Fraction]:
        if average is Average.POOLED:
            return self._all.numerator.fraction(), self._all.denominator.fraction()
        if average is Average.SAMPLE:
            return self._all.values.fraction(), Fraction(self._all.n)
        figures = [figure for sums in self._pages.values() if (figure := self._page_figure(sums)) is not None]
        return sum(figures, Fraction()), Fraction(len(figures))

    def _page_figure(self, sums: _Sums) -> Fraction | None:
        ratio = sums.ratio() if self.ratio_in_page else None
        return sums.mean() if ratio is None else ratio

    def _why_not(self, average: Average) -> tuple[ScoreStatus, str]:
        if not self.states:
            return ScoreStatus.UNDEFINED, "no samples"
        if average is Average.PAGE and not self._pages:
            return ScoreStatus.UNDEFINED, "no page was named: a mean over pages needs the samples' pages"
        seen = ", ".join(f"{count} {status.value}" for status, count in sorted(self.states.items()))
        only = next(iter(self.states)) if len(self.states) == 1 else ScoreStatus.UNDEFINED
        return (
            ScoreStatus.UNDEFINED if only is ScoreStatus.SCORED else only
        ), f"no sample could be scored ({seen})"
