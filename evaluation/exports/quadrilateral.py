"""A polygon as four corners: itself where it has four and bulges nowhere inward, else its smallest upright or
turned rectangle, which has a side along one of the hull's (H. Freeman and R. Shapira, CACM 18(7), 1975)."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

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
    corners = hull if len(hull) == 4 else _smallest_rectangle(hull)
    start = min(range(4), key=lambda at: (corners[at][0] + corners[at][1], corners[at][1]))
    return [_plain(side) for at in range(4) for side in corners[(start + at) % 4]]


def convex_hull(points: Sequence[Point]) -> list[Point]:
    """The corners of the hull, clockwise as one sees it (y grows downwards), none of them on a straight side."""
    ordered = sorted({(x, y) for x, y in points})
    if len(ordered) < 3:
        return ordered
    halves: list[list[Point]] = []
    for side in (ordered, ordered[::-1]):
        half: list[Point] = []
        for point in side:
            while len(half) > 1 and _turn(half[-2], half[-1], point) <= 0:
                half.pop()
            half.append(point)
        halves.append(half[:-1])
    return halves[0] + halves[1]


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _smallest_rectangle(hull: Sequence[Point]) -> list[Point]:
    best: tuple[float, list[Point]] | None = None
    for at, (x0, y0) in enumerate(hull):
        x1, y1 = hull[(at + 1) % len(hull)]
        length = hypot(x1 - x0, y1 - y0) or 1.0
        along = ((x1 - x0) / length, (y1 - y0) / length) if (x1, y1) != (x0, y0) else (1.0, 0.0)
        across = -along[1], along[0]
        lengths = [x * along[0] + y * along[1] for x, y in hull]
        depths = [x * across[0] + y * across[1] for x, y in hull]
        area = (max(lengths) - min(lengths)) * (max(depths) - min(depths))
        if best is None or area < best[0]:
            corners = [
                (u * along[0] + v * across[0], u * along[1] + v * across[1])
                for u, v in (
                    (min(lengths), min(depths)),
                    (max(lengths), min(depths)),
                    (max(lengths), max(depths)),
                    (min(lengths), max(depths)),
                )
            ]
            best = area, corners
    assert best is not None, "a polygon has points"
    return best[1]


def _plain(side: float) -> float:
    rounded = round(side, _PLACES)
    return int(rounded) if rounded == int(rounded) else rounded
