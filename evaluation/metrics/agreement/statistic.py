"""Shared by the agreement statistics: missing values, and scores for defined and undefined results."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from evaluation.metrics.base import Direction, Score, ScoreStatus, Signature

T = TypeVar("T")
H = TypeVar("H", bound=Hashable)


class UnequalLength(ValueError):
    """Two lists that should hold one value per item differ in length."""


def complete_pairs(first: Sequence[T | None], second: Sequence[T | None]) -> tuple[list[T], list[T], int]:
    """The items with both values, and the number of those without; None is a missing value.

    Raises UnequalLength.

    >>> complete_pairs([1, None, 3], [1, 2, None])
    ([1], [1], 2)
    """
    if len(first) != len(second):
        raise UnequalLength(
            f"the first list has {len(first)} values and the second {len(second)}: "
            "give one value per item in each, None where one is missing"
        )
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    return [a for a, _ in pairs], [b for _, b in pairs], len(first) - len(pairs)


def require_finite(values: Sequence[Any], name: str) -> list[float]:
    """The values as floats. Raises ValueError naming the first that is no finite number."""
    numbers = []
    for place, value in enumerate(values):
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            raise ValueError(
                f"{name}: value {place} is {value!r}, not a finite number; give None for a missing value"
            )
        numbers.append(float(value))
    return numbers


def sorted_values(values: set[H]) -> list[H]:
    """Values in their natural order, or by type and text where they have none in common."""
    try:
        return sorted(values)  # type: ignore[type-var]
    except TypeError:
        return sorted(values, key=lambda value: (type(value).__name__, str(value)))


def defined_score(
    metric: str,
    preset: str,
    *,
    above: float | Fraction,
    below: float | Fraction,
    n: int,
    reason: str = "",
    details: Mapping[str, Any] | None = None,
) -> Score:
    """The score of a defined statistic, above / below, with a caveat in `reason` where needed."""
    return Score(
        float(above / below),
        float(above),
        float(below),
        n,
        0,
        Direction.HIGHER,
        ScoreStatus.SCORED,
        Signature(metric, preset),
        reason,
        details or {},
    )


def undefined_score(
    metric: str,
    preset: str,
    *,
    n: int,
    reason: str,
    details: Mapping[str, Any] | None = None,
    status: ScoreStatus = ScoreStatus.UNDEFINED,
) -> Score:
    """The score of a statistic that is not defined for these data, with the reason."""
    signature = Signature(metric, preset)
    return Score(None, 0, 0, n, 0, Direction.HIGHER, status, signature, reason, details or {})
