"""Overlap of two regions: the exact intersection over union of polygons.

Areas are computed in integers and fractions: equal regions score exactly 1, touching ones exactly 0, and no rounding
error moves a score across a threshold (0.5 to pair, 0.9 to agree). The geometry is `evaluation.payloads.polygons`,
by which labels are paired too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from evaluation.metrics.agreement.statistic import defined_score, undefined_score
from evaluation.metrics.base import Score, ScoreStatus
from evaluation.payloads.polygons import find_crossing, intersection_and_union, turn

Point = tuple[Fraction, Fraction]

MAX_CORNERS = 500
"""Far more than a hand-drawn region has; the time is quadratic in the number of corners."""


class InvalidPolygon(ValueError):
    """The points do not enclose a region; the message says why."""


def polygon_iou(first: Sequence[Sequence[float]], second: Sequence[Sequence[float]]) -> Score:
    """Intersection over union in 0..1 of two simple polygons given as corners (x, y), in either direction.

    `numerator` and `denominator` are the two areas in squared units of the points. UNDEFINED with a reason when a
    polygon has fewer than three corners, no area, or an outline that meets itself: it has no well-defined inside.
    TOO_LARGE over 500 corners. Raises ValueError for a corner that is not two finite numbers.

    >>> square = [(0, 0), (2, 0), (2, 2), (0, 2)]
    >>> polygon_iou(square, [(1, 0), (3, 0), (3, 2), (1, 2)]).value
    0.3333333333333333
    >>> polygon_iou(square, [(0, 0), (2, 2), (2, 0), (0, 2)]).reason
    'second polygon: the sides from (0, 0) and from (2, 0) meet'
    """
    for name, corners in (("first", first), ("second", second)):
        if len(corners) > MAX_CORNERS:
            reason = f"{name} polygon: {len(corners)} corners, over the limit of {MAX_CORNERS}"
            return undefined_score("polygon_iou", "exact", n=0, reason=reason, status=ScoreStatus.TOO_LARGE)
    polygons = []
    for name, corners in (("first", first), ("second", second)):
        try:
            polygons.append(read_polygon(corners))
        except InvalidPolygon as fault:
            return undefined_score("polygon_iou", "exact", n=0, reason=f"{name} polygon: {fault}")
    scale = _common_denominator(polygons)
    intersection, union = intersection_and_union(*(_scaled(polygon, scale) for polygon in polygons))
    return defined_score("polygon_iou", "exact", above=intersection / scale**2, below=union / scale**2, n=1)


def read_polygon(corners: Sequence[Sequence[float]]) -> list[Point]:
    """The corners as exact numbers, without repeated and collinear ones.

    Raises InvalidPolygon when they do not enclose a region or the outline meets itself, ValueError when a corner is not
    two finite numbers.

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
    scale = _common_denominator([points])
    if (crossing := find_crossing(_scaled(points, scale))) is not None:
        starts = " and from ".join(
            f"({float(x):g}, {float(y):g})" for x, y in map(points.__getitem__, crossing)
        )
        raise InvalidPolygon(f"the sides from {starts} meet")
    return points


def _common_denominator(polygons: Sequence[Sequence[Point]]) -> int:
    return math.lcm(*(value.denominator for polygon in polygons for point in polygon for value in point))


def _scaled(points: Sequence[Point], scale: int) -> list[tuple[int, int]]:
    return [(int(x * scale), int(y * scale)) for x, y in points]


def _without_idle_corners(points: list[Point]) -> list[Point]:
    """Drop corners at which the outline does not turn or turns back on itself, until none is left."""
    corners: list[Point] = []
    for point in points:
        corners.append(point)
        while len(corners) > 1 and (corners[-1] == corners[-2] or _is_idle(corners)):
            del corners[-2]
    while len(corners) > 2:
        if corners[0] == corners[-1] or turn(corners[-2], corners[-1], corners[0]) == 0:
            corners.pop()
        elif turn(corners[-1], corners[0], corners[1]) == 0:
            corners.pop(0)
        else:
            break
    return corners


def _is_idle(corners: list[Point]) -> bool:
    return len(corners) > 2 and turn(corners[-3], corners[-2], corners[-1]) == 0
