"""Mapping a metric's own scale to the 0 to 10 that raters see, and formatting scores.

Pure. Both scores of an item are mapped here and have the same number of decimals, so that only their values differ.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from evaluation.errors import LocalizedError
from evaluation.errors import gettext_noop as _

TOP = 10.0
DECIMALS = (0, 1)
"""The possible numbers of decimals of a shown score."""
REVEALING_DIFFERENCE = 0.3
"""Two metrics whose shares of whole numbers among the shown scores differ by more can be distinguished."""


class BadMapping(LocalizedError, ValueError):
    """A mapping that is not monotone or that reverses the metric; the message says what to change."""


class MappingKind(StrEnum):
    LINEAR = "linear"
    INVERTED = "inverted"
    RESCALED = "rescaled"


@dataclass(frozen=True, slots=True)
class ScoreMapping:
    """One monotone map of a metric to 0..10, clipped at both ends.

    linear: 10 (x - low) / (high - low); inverted, for metrics where lower is better: 10 (high - x) / (high - low);
    rescaled, for embedding scores with a baseline b = low: 10 (x - b) / (1 - b).
    """

    kind: MappingKind
    low: float = 0.0
    high: float = 1.0

    def check(self, *, is_lower_better: bool | None = None) -> None:
        """Raise BadMapping unless the map increases with quality. `is_lower_better` None: the direction is unknown.

        >>> ScoreMapping(MappingKind.LINEAR).check(is_lower_better=True)
        Traceback (most recent call last):
        ...
        evaluation.preference.score_mapping.BadMapping: lower is better here: choose the inverted mapping
        """
        if not all(math.isfinite(end) for end in (self.low, self.high)):
            raise BadMapping(_("both ends of the scale must be finite numbers"))
        top = 1.0 if self.kind is MappingKind.RESCALED else self.high
        if self.low >= top:
            raise BadMapping(
                _("the lower end (%(low)s) must be below the upper end (%(top)s)"),
                low=f"{self.low:g}",
                top=f"{top:g}",
            )
        is_inverted = self.kind is MappingKind.INVERTED
        if is_lower_better is True and not is_inverted:
            raise BadMapping(_("lower is better here: choose the inverted mapping"))
        if is_lower_better is False and is_inverted:
            raise BadMapping(_("higher is better here: the inverted mapping would reverse the scores"))

    def unclipped(self, value: float) -> float:
        """The mapped value, unclipped and unrounded.

        >>> ScoreMapping(MappingKind.RESCALED, low=0.8).unclipped(0.9)
        5.0
        >>> ScoreMapping(MappingKind.INVERTED).unclipped(0.25)
        7.5
        """
        top = 1.0 if self.kind is MappingKind.RESCALED else self.high
        distance = top - value if self.kind is MappingKind.INVERTED else value - self.low
        # rounded so that binary fractions make no difference: 0.735 of 0..1 is 7.35
        return round(TOP * distance / (top - self.low), 9)

    def mapped(self, value: float) -> float:
        """The mapped value within 0..10.

        >>> ScoreMapping(MappingKind.LINEAR, 0, 100).mapped(120)
        10.0
        """
        return min(TOP, max(0.0, self.unclipped(value)))

    def is_clipped(self, value: float) -> bool:
        return not 0.0 <= self.unclipped(value) <= TOP

    def formula(self) -> str:
        """The formula as papers print it.

        >>> ScoreMapping(MappingKind.INVERTED, 0, 2).formula()
        '10 * (2 - x) / (2 - 0), kept within 0 to 10'
        """
        formula = {
            MappingKind.LINEAR: f"10 * (x - {self.low:g}) / ({self.high:g} - {self.low:g})",
            MappingKind.INVERTED: f"10 * ({self.high:g} - x) / ({self.high:g} - {self.low:g})",
            MappingKind.RESCALED: f"10 * (x - {self.low:g}) / (1 - {self.low:g})",
        }[self.kind]
        return f"{formula}, kept within 0 to 10"


def format_score(value: float, decimals: int) -> str:
    """A mapped score as raters see it: rounded half up, always with the same number of decimals.

    >>> format_score(7.25, 1), format_score(10.0, 1), format_score(6.5, 0)
    ('7.3', '10.0', '7')
    """
    if decimals not in DECIMALS:
        raise ValueError(f"decimals: {decimals} is not one of {DECIMALS}")
    scale = 10**decimals
    return f"{math.floor(value * scale + 0.5) / scale:.{decimals}f}"


def share_of_whole_numbers(scores: Iterable[str]) -> float | None:
    """The share of whole numbers among the shown scores; None without scores.

    >>> share_of_whole_numbers(["7.0", "6.5"])
    0.5
    """
    values = list(scores)
    return sum(float(value).is_integer() for value in values) / len(values) if values else None


def may_reveal_metric(first: Iterable[str], second: Iterable[str]) -> bool:
    """Whether the decimals alone may reveal a metric: one has whole numbers much more often than the other.

    >>> may_reveal_metric(["7.0", "8.0", "3.0"], ["6.5", "4.2", "9.9"])
    True
    """
    a, b = share_of_whole_numbers(first), share_of_whole_numbers(second)
    return a is not None and b is not None and abs(a - b) > REVEALING_DIFFERENCE
