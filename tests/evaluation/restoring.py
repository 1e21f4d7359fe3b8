"""The way back from a released image to the full one, as whoever has both can go it."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from evaluation.payloads.coordinate_scaling import STEPS


def restore_points(
    points: Iterable, *, full: tuple[int, int], released: tuple[int, int]
) -> list[tuple[int, ...]]:
    """Places on the released image as the whole pixels of the full one that they were made of."""
    return [tuple(_restored(*side) for side in zip(point, full, released, strict=True)) for point in points]


def _restored(value: float, full: int, released: int) -> int:
    return round(Fraction(round(value * STEPS), STEPS) * full / released)
