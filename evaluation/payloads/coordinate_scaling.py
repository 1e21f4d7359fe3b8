"""From pixels of the full-resolution image to those of the released image, without loss.

The released image is the full one scaled by one factor per side. Coordinates on the full image are whole pixels. On the
released image they have four decimals, and scaling them back and rounding restores the whole pixels if the scale is
above 1 : 10,000.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

Size = tuple[int, int]
Point = tuple[float, float]
STEPS = 10_000  # per pixel: four decimals


def scale_points(points: Iterable[Iterable[float]], *, full: Size, released: Size) -> tuple[Point, ...]:
    """Points on the full image as points on the released one.

    >>> scale_points([(3, 100)], full=(3000, 1000), released=(1000, 333))
    ((1, 33.3),)
    """
    return tuple(
        (_scaled(x, full[0], released[0]), _scaled(y, full[1], released[1])) for x, y in map(tuple, points)
    )


def scale_length(length: float, *, full: Size, released: Size) -> float:
    """A length in pixels, by the scale of the longer side.

    >>> scale_length(30, full=(3000, 1000), released=(1000, 333))
    10
    """
    side = 0 if full[0] >= full[1] else 1
    return _scaled(length, full[side], released[side])


def _scaled(value: float, full: int, released: int) -> float:
    steps = round(Fraction(value) * released * STEPS / full)
    return steps // STEPS if steps % STEPS == 0 else steps / STEPS
