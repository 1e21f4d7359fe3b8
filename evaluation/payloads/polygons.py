"""Exact geometry of polygons: crossing sides, areas, convex hull, smallest rectangle.

A polygon is the list of its corners (x, y) in either direction; it is closed, so the last corner is connected to the
first. Integers and fractions are never rounded, so every platform gives the same digits (docs/adr/0007-polygons.md). No
package is needed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from math import hypot
from typing import TypeVar

Corner = tuple[int, int]
FloatCorner = tuple[float, float]
Number = TypeVar("Number", int, float, Fraction)
_Edge = tuple[int, int, int, int, int]
"""Left x and y, right x and y, and 1 where the polygon runs to the right, -1 where it runs to the left."""


def find_crossing(corners: Sequence[Corner]) -> tuple[int, int] | None:
    """The first two sides (by the position of their first corner, from 0) that meet where they should not; None in a
    simple polygon. A side that folds back on the one before meets it.

    >>> find_crossing([(0, 0), (4, 4), (4, 0), (0, 4)])
    (0, 2)
    """
    count = len(corners)
    ends = [*corners[1:], *corners[:1]]
    crossings = [_first_fold(corners)]
    boxes = [
        (min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1))
        for (x0, y0), (x1, y1) in zip(corners, ends, strict=True)
    ]
    if sum(box[1] - box[0] for box in boxes) > sum(box[3] - box[2] for box in boxes):
        boxes = [(top, bottom, left, right) for left, right, top, bottom in boxes]
    swept: list[int] = []  # sides that reach as far as the line that sweeps over the polygon
    for side in sorted(range(count), key=boxes.__getitem__):
        start, _, low, high = boxes[side]
        swept = [other for other in swept if boxes[other][1] >= start]
        for other in swept:
            if boxes[other][2] <= high and low <= boxes[other][3]:
                i, j = min(side, other), max(side, other)
                if j - i not in (1, count - 1) and _do_meet(corners[i], ends[i], corners[j], ends[j]):
                    crossings.append((i, j))
        swept.append(side)
    first = min((crossing for crossing in crossings if crossing is not None), default=None)
    return None if first is None else (min(first), max(first))


def _first_fold(corners: Sequence[Corner]) -> tuple[int, int] | None:
    count = len(corners)
    for i, (a, b) in enumerate(zip(corners, [*corners[1:], *corners[:1]], strict=True)):
        c = corners[(i + 2) % count]
        if turn(a, b, c) == 0 and (a[0] - b[0]) * (c[0] - b[0]) + (a[1] - b[1]) * (c[1] - b[1]) > 0:
            return i, (i + 1) % count
    return None


def turn(a: tuple[Number, Number], b: tuple[Number, Number], c: tuple[Number, Number]) -> Number:
    """Twice the signed area of the triangle a, b, c: positive, where y grows downwards, for a turn to the right."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _do_meet(a: Corner, b: Corner, c: Corner, d: Corner) -> bool:
    """Whether two segments whose bounding boxes meet have a point in common, ends included."""
    return turn(a, b, c) * turn(a, b, d) <= 0 and turn(c, d, a) * turn(c, d, b) <= 0


def intersection_and_union(first: Sequence[Corner], second: Sequence[Corner]) -> tuple[Fraction, Fraction]:
    """The two areas, in squares of the corners' unit, of simple polygons.

    The area under a polygon's edges, counted positive in one direction and negative in the other, is its own. So the
    intersection is the sum, over pairs of edges, of the area that lies under both.

    >>> square = [(0, 0), (2, 0), (2, 2), (0, 2)]
    >>> intersection_and_union(square, [(1, 0), (3, 0), (3, 2), (1, 2)])
    (Fraction(2, 1), Fraction(6, 1))
    """
    doubled: defaultdict[int, int] = defaultdict(int)  # denominator to numerator, of twice the intersection
    seconds = _edges(second)
    for edge in _edges(first):
        for other in seconds:
            if edge[0] < other[2] and other[0] < edge[2]:
                _add_common_area(doubled, edge, other)
    intersection = abs(sum((Fraction(*part[::-1]) for part in doubled.items()), Fraction())) / 2
    return intersection, _area(first) + _area(second) - intersection


def _edges(corners: Sequence[Corner]) -> list[_Edge]:
    """The sides from left to right; upright ones have no area under them."""
    return [
        (x0, y0, x1, y1, 1) if x0 < x1 else (x1, y1, x0, y0, -1)
        for (x0, y0), (x1, y1) in zip(corners, [*corners[1:], *corners[:1]], strict=True)
        if x0 != x1
    ]


def _add_common_area(doubled: defaultdict[int, int], edge: _Edge, other: _Edge) -> None:
    """Add twice the area between y = 0 and the lower of two edges, as far as both reach."""
    ax, ay, bx, by, sign = edge
    cx, cy, dx, dy, other_sign = other
    left, right = max(ax, cx), min(bx, dx)
    run, other_run = bx - ax, dx - cx
    # Heights at both ends: of the one edge in units of 1 / run, of the other in 1 / other_run.
    start, end = ay * run + (left - ax) * (by - ay), ay * run + (right - ax) * (by - ay)
    other_start = cy * other_run + (left - cx) * (dy - cy)
    other_end = cy * other_run + (right - cx) * (dy - cy)
    # By how much the one edge lies above the other, in units of 1 / (run * other_run).
    above_start = start * other_run - other_start * run
    above_end = end * other_run - other_end * run
    width = sign * other_sign * (right - left)
    if above_start >= 0 and above_end >= 0:
        doubled[other_run] += width * (other_start + other_end)
        return
    doubled[run] += width * (start + end)
    if (most := max(above_start, above_end)) > 0:  # they cross: less the triangle above the other edge
        doubled[abs(above_end - above_start) * run * other_run] -= width * most * most


def _area(corners: Sequence[Corner]) -> Fraction:
    """Gauss's shoelace formula."""
    sides = zip(corners, [*corners[1:], *corners[:1]], strict=True)
    return Fraction(abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in sides)), 2)


def convex_hull(points: Sequence[FloatCorner]) -> list[FloatCorner]:
    """The corners of the hull, clockwise as one sees it (y grows downwards), none of them on a straight side.

    The leftmost comes first. Points on one line give its two ends, equal points one (A. M. Andrew, IPL 9(5), 1979).
    """
    ordered = sorted({(x, y) for x, y in points})
    if len(ordered) < 3:
        return ordered
    halves: list[list[FloatCorner]] = []
    for half_order in (ordered, ordered[::-1]):
        half: list[FloatCorner] = []
        for point in half_order:
            while len(half) > 1 and turn(half[-2], half[-1], point) <= 0:
                half.pop()
            half.append(point)
        halves.append(half[:-1])
    return halves[0] + halves[1]


def minimum_rotated_rectangle(hull: Sequence[FloatCorner]) -> list[FloatCorner]:
    """Four corners, clockwise, of the rectangle of least area around a convex hull; of equal ones the first.

    It has a side along one of the hull's (H. Freeman and R. Shapira, CACM 18(7), 1975). Raises ValueError for no point.
    """
    if not hull:
        raise ValueError("no rectangle lies around no point")
    best_area, best_corners = float("inf"), list(hull)
    for (x0, y0), (x1, y1) in zip(hull, [*hull[1:], *hull[:1]], strict=True):
        length = hypot(x1 - x0, y1 - y0) or 1.0
        along = ((x1 - x0) / length, (y1 - y0) / length) if (x1, y1) != (x0, y0) else (1.0, 0.0)
        across = -along[1], along[0]
        lengths = [x * along[0] + y * along[1] for x, y in hull]
        depths = [x * across[0] + y * across[1] for x, y in hull]
        (near, far), (top, bottom) = (min(lengths), max(lengths)), (min(depths), max(depths))
        area = (far - near) * (bottom - top)
        if area < best_area:
            best_area = area
            best_corners = [
                (u * along[0] + v * across[0], u * along[1] + v * across[1])
                for u, v in ((near, top), (far, top), (far, bottom), (near, bottom))
            ]
    return best_corners
