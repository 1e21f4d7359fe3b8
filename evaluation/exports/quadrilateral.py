"""A polygon as four corners: itself where it has four and bulges nowhere inward, else its smallest upright or
turned rectangle."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.payloads.polygons import convex_hull, minimum_rotated_rectangle
from evaluation.record_parts import Point

_PLACES = 4  # decimals of a pixel


def smallest_quadrilateral(polygon: Sequence[Point]) -> list[float]:
    """Eight numbers: top left, top right, bottom right, bottom left, as x, y. Corners may lie outside the image.

    >>> smallest_quadrilateral([(0, 0), (9, 0), (9, 5), (4, 5), (0, 5)])
    [0, 0, 9, 0, 9, 5, 0, 5]
    >>> smallest_quadrilateral([(0, 0), (9, 1), (8, 6), (1, 5)])
    [0, 0, 9, 1, 8, 6, 1, 5]
    """
    hull = convex_hull(polygon)
    corners = hull if len(hull) == 4 else minimum_rotated_rectangle(hull)
    start = min(range(4), key=lambda corner: (sum(corners[corner]), corners[corner][1]))
    return [_plain(coordinate) for x_y in (*corners[start:], *corners[:start]) for coordinate in x_y]


def _plain(coordinate: float) -> float:
    rounded = round(coordinate, _PLACES)
    return int(rounded) if rounded == int(rounded) else rounded
