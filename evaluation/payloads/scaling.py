"""From pixels of the full-resolution image to those of the released one, and exactly back.

The released image is the full one scaled by one factor a side. A place of the full image is whole pixels; on the
released one it is kept with four decimals, and rounding the way back gives the whole pixels again wherever the
scale is above 1 : 10,000.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

Size = tuple[int, int]
Point = tuple[float, float]
STEPS = 10_000  # to the pixel: four decimals


def scale_points(points: Iterable[Iterable[float]], *, full: Size, released: Size) -> tuple[Point, ...]:
    """Places on the full image as places on the released one.

    >>> scale_points([(3, 100)], full=(3000, 1000), released=(1000, 333))
    ((1, 33.3),)
    """
    return tuple(
        (_scaled(x, full[0], released[0]), _scaled(y, full[1], released[1])) for x, y in map(tuple, points)
    )


def scale_length(length: float, *, full: Size, released: Size) -> float:
    """A width in pixels, by the longer side's scale.

    >>> scale_length(30, full=(3000, 1000), released=(1000, 333))
    10
    """
    side = 0 if full[0] >= full[1] else 1
    return _scaled(length, full[side], released[side])


def _scaled(value: float, full: int, released: int) -> float:
    steps = round(Fraction(value) * released * STEPS / full)
    return steps // STEPS if steps % STEPS == 0 else steps / STEPS
