"""How far two regions cover each other: intersection over union of polygons, exactly.

Areas are computed in rational numbers, so equal regions score exactly 1, touching ones exactly 0, and no
threshold (pairs at 0.5, agrees at 0.9) is missed by a rounding error. The plane is cut into horizontal slabs
at every corner and crossing; within a slab edges run without meeting, so each region is a row of trapezoids
and the common area is that of overlapping trapezoids. Any simple polygons, convex or not, corners on edges
and shared edges included. A geometry library would be faster on thousands of corners, but it rounds, and the
common one carries an LGPL engine; the regions people draw have a handful of corners.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

from evaluation.metrics.agreement.statistic import number, undefined
from evaluation.metrics.base import Score, Status

Point = tuple[Fraction, Fraction]
Edge = tuple[Point, Point]

MAX_CORNERS = 500
"""More corners than any hand-drawn region has; beyond, the exact computation takes minutes."""


class InvalidPolygon(ValueError):
    """The points make no region; the message says why."""


def polygon_iou(first: Sequence[Sequence[float]], second: Sequence[Sequence[float]]) -> Score:
    """Intersection over union in 0..1 of two simple polygons given as corners (x, y), in either direction.

    numerator and denominator are the two areas in the square of the points' unit. UNDEFINED with the reason
    when a polygon has fewer than three corners, no area, or an outline that meets itself: a region without a
    clear inside covers nothing. TOO_LARGE over 500 corners. Raises ValueError for a corner that is not two
    finite numbers.

    >>> square = [(0, 0), (2, 0), (2, 2), (0, 2)]
    >>> polygon_iou(square, [(1, 0), (3, 0), (3, 2), (1, 2)]).value
    0.3333333333333333
    >>> polygon_iou(square, [(0, 0), (2, 2), (2, 0), (0, 2)]).reason
    'second polygon: the sides from (0, 0) and from (2, 0) meet'
    """
    for name, corners in (("first", first), ("second", second)):
        if len(corners) > MAX_CORNERS:
            reason = f"{name} polygon: {len(corners)} corners, over the limit of {MAX_CORNERS}"
            return undefined("polygon_iou", "exact", n=0, reason=reason, status=Status.TOO_LARGE)
    polygons = []
    for name, corners in (("first", first), ("second", second)):
        try:
            polygons.append(read_polygon(corners))
        except InvalidPolygon as fault:
            return undefined("polygon_iou", "exact", n=0, reason=f"{name} polygon: {fault}")
    common, together = _areas(*polygons)
    return number("polygon_iou", "exact", above=common, below=together, n=1)


def read_polygon(corners: Sequence[Sequence[float]]) -> list[Point]:
    """The corners as exact numbers, repeated and straight-through ones dropped.

    Raises InvalidPolygon when they enclose no region or the outline meets itself, ValueError when a corner is
    not two finite numbers.

    >>> len(read_polygon([(0, 0), (1, 0), (2, 0), (2, 2), (0, 0)]))
    3
    """
    points: list[Point] = []
    for place, corner in enumerate(corners):
        if len(corner) != 2 or not all(math.isfinite(value) for value in corner):
            raise ValueError(f"corner {place} is {tuple(corner)!r}: give two finite numbers, x and y")
        points.append((Fraction(corner[0]), Fraction(corner[1])))
    points = _without_idle_corners(points)
    if len(points) < 3:
        raise InvalidPolygon("fewer than three corners that are not on one line: it has no area")
    _check_simple(points)
    return points


def _without_idle_corners(points: list[Point]) -> list[Point]:
    """Drop corners at which the outline stops or goes straight on (or back on itself), until none is left."""
    kept: list[Point] = []
    for point in points:
        kept.append(point)
        while len(kept) > 1 and (kept[-1] == kept[-2] or _is_idle(kept)):
            del kept[-2]
    while len(kept) > 2:
        if kept[0] == kept[-1] or _turn(kept[-2], kept[-1], kept[0]) == 0:
            kept.pop()
        elif _turn(kept[-1], kept[0], kept[1]) == 0:
            kept.pop(0)
        else:
            break
    return kept


def _is_idle(kept: list[Point]) -> bool:
    return len(kept) > 2 and _turn(kept[-3], kept[-2], kept[-1]) == 0


def _turn(a: Point, b: Point, c: Point) -> Fraction:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _edges(points: list[Point]) -> list[Edge]:
    return list(zip(points, points[1:] + points[:1], strict=True))


def _check_simple(points: list[Point]) -> None:
    edges = _edges(points)
    for one in range(len(edges)):
        for other in range(one + 1, len(edges)):
            if other - one in (1, len(edges) - 1):
                continue  # neighbours share their corner, and idle corners are gone
            if _boxes_meet(edges[one], edges[other]) and _meet(edges[one], edges[other]):
                starts = " and from ".join(
                    f"({float(x):g}, {float(y):g})" for (x, y), _ in (edges[one], edges[other])
                )
                raise InvalidPolygon(f"the sides from {starts} meet")


def _boxes_meet(one: Edge, other: Edge) -> bool:
    return all(
        min(one[0][axis], one[1][axis]) <= max(other[0][axis], other[1][axis])
        and min(other[0][axis], other[1][axis]) <= max(one[0][axis], one[1][axis])
        for axis in (0, 1)
    )


def _meet(one: Edge, other: Edge) -> bool:
    """Whether two sides whose boxes meet have a point in common."""
    (a, b), (c, d) = one, other
    return _turn(a, b, c) * _turn(a, b, d) <= 0 and _turn(c, d, a) * _turn(c, d, b) <= 0


def _areas(first: list[Point], second: list[Point]) -> tuple[Fraction, Fraction]:
    """Common area and area of the union."""
    sizes = _area(first) + _area(second)
    common = _common_area(_edges(first), _edges(second))
    return common, sizes - common


def _area(points: list[Point]) -> Fraction:
    return abs(sum((a[0] * b[1] - b[0] * a[1] for a, b in _edges(points)), Fraction())) / 2


def _common_area(first: list[Edge], second: list[Edge]) -> Fraction:
    heights = {point[1] for edge in (*first, *second) for point in edge}
    for one in first:
        for other in second:
            if _boxes_meet(one, other) and (height := _crossing_height(one, other)) is not None:
                heights.add(height)
    ordered = sorted(heights)
    total = Fraction()
    for low, high in itertools.pairwise(ordered):
        left, right = _spans(first, low, high), _spans(second, low, high)
        total += sum((_shared(a, b) for a in left for b in right), Fraction()) * (high - low) / 2
    return total


def _crossing_height(one: Edge, other: Edge) -> Fraction | None:
    """y where two sides cross; None where they are parallel (their ends are cut heights anyway)."""
    (a, b), (c, d) = one, other
    above, below = _turn(c, d, a), _turn(c, d, b)
    if above == below:
        return None
    share = above / (above - below)
    return a[1] + share * (b[1] - a[1]) if 0 <= share <= 1 else None


Span = tuple[Fraction, Fraction, Fraction, Fraction]
"""left x at the slab's bottom and top, right x at its bottom and top."""


def _spans(edges: list[Edge], low: Fraction, high: Fraction) -> list[Span]:
    """The polygon's pieces in a slab, left to right: between its 1st and 2nd side, 3rd and 4th, ..."""
    sides = sorted(
        (
            (_x_at(edge, low), _x_at(edge, high))
            for edge in edges
            if min(edge[0][1], edge[1][1]) <= low and max(edge[0][1], edge[1][1]) >= high
        ),
        key=lambda side: side[0] + side[1],
    )
    return [(*a, *b) for a, b in zip(sides[::2], sides[1::2], strict=True)]


def _x_at(edge: Edge, height: Fraction) -> Fraction:
    (ax, ay), (bx, by) = edge
    return ax + (bx - ax) * (height - ay) / (by - ay)


def _shared(one: Span, other: Span) -> Fraction:
    """Bottom plus top width of what two pieces share; their sides do not cross inside the slab."""
    left = max((one[0], one[1]), (other[0], other[1]), key=sum)
    right = min((one[2], one[3]), (other[2], other[3]), key=sum)
    width = right[0] + right[1] - left[0] - left[1]
    return max(width, Fraction())
