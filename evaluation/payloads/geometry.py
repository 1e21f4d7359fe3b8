"""Outlines on an image: what an outline may be, and how far two areas overlap.

Points are whole pixels of the full-resolution image, x to the right, y down, 0..width and 0..height: the corners of
pixels, so that the whole image is (0, 0), (width, 0), (width, height), (0, height).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evaluation.errors import gettext_noop
from evaluation.payloads.errors import BadPayload

Point = tuple[int, int]
Box = tuple[int, int, int, int]
"""Left, top, right, bottom."""

MAX_POINTS = 1_000
MAX_COORDINATE = 200_000
_ROWS = 1_024  # lines a brush stroke is measured on
_Floats = npt.NDArray[np.float64]


class BadGeometry(BadPayload):
    """An outline that cannot stand on the image."""


@dataclass(frozen=True, slots=True)
class Area:
    """A closed outline (`width` 0), or everything within half of `width` of the path along `points`."""

    points: tuple[Point, ...]
    width: int = 0


def read_points(value: object) -> tuple[Point, ...]:
    """The points of a decoded JSON list of `[x, y]`. Raises BadGeometry naming the point.

    >>> read_points([[0, 0], [4, 0], [4, 3.0]])
    ((0, 0), (4, 0), (4, 3))
    """
    if not isinstance(value, list | tuple):
        raise BadGeometry(gettext_noop("The outline must be a list of points, each [x, y]."))
    if len(value) > MAX_POINTS:
        raise BadGeometry(
            gettext_noop("The outline has %(found)s points; at most %(most)s are kept. Draw it with fewer."),
            found=f"{len(value):,}",
            most=f"{MAX_POINTS:,}",
        )
    return tuple(_read_point(point, number) for number, point in enumerate(value, start=1))


def _read_point(value: object, number: int) -> Point:
    if not isinstance(value, list | tuple) or len(value) != 2 or not all(map(_is_whole, value)):
        raise BadGeometry(
            gettext_noop("Point %(number)s is not two whole numbers of pixels [x, y]. Set it again."),
            number=number,
        )
    return int(value[0]), int(value[1])


def _is_whole(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= MAX_COORDINATE and value == int(
        value
    )  # false for NaN and infinity before int() is asked


def whole_image(width: int, height: int) -> tuple[Point, ...]:
    """The outline of the whole image."""
    return ((0, 0), (width, 0), (width, height), (0, height))


def check_inside(points: Sequence[Point], width: int, height: int) -> None:
    """Raise BadGeometry for a point outside the image."""
    for number, (x, y) in enumerate(points, start=1):
        if not (0 <= x <= width and 0 <= y <= height):
            raise BadGeometry(
                gettext_noop(
                    "Point %(number)s (%(x)s, %(y)s) lies outside the image of %(width)s × %(height)s pixels."
                    " Move it inside."
                ),
                number=number,
                x=x,
                y=y,
                width=width,
                height=height,
            )


def check_polygon(points: Sequence[Point], width: int, height: int) -> None:
    """Raise BadGeometry unless the points are a simple polygon inside the image with an area.

    The last point joins the first by itself.
    """
    if len(points) < 3:
        raise BadGeometry(
            gettext_noop(
                "The outline has %(found)s points; it needs three or more. Add points or delete it."
            ),
            found=len(points),
        )
    check_inside(points, width, height)
    for number, point in enumerate(points):
        if point == points[number - 1]:
            first = number or len(points)
            raise BadGeometry(
                gettext_noop("Points %(first)s and %(second)s lie on the same place. Delete one."),
                first=first,
                second=number + 1,
            )
    if (crossing := find_crossing(points)) is not None:
        raise BadGeometry(
            gettext_noop(
                "The outline crosses itself between points %(first)s and %(second)s. Move one of them."
            ),
            first=crossing[0] + 1,
            second=crossing[1] + 1,
        )


def find_crossing(points: Sequence[Point]) -> tuple[int, int] | None:
    """The first two sides (by the position of their first point) that meet where they should not; None in a simple
    polygon. A side that folds back on the one before meets it.

    >>> find_crossing([(0, 0), (4, 4), (4, 0), (0, 4)])
    (0, 2)
    """
    starts = np.array(points, dtype=np.int64)
    ends = np.roll(starts, -1, axis=0)
    meets = _do_meet(starts, ends, starts, ends)
    count = len(starts)
    near = np.abs(np.subtract.outer(np.arange(count), np.arange(count)))
    meets[(near <= 1) | (near == count - 1)] = False
    sides = ends - starts
    following = np.roll(sides, -1, axis=0)
    folds = (_cross(sides, following) == 0) & ((sides * following).sum(axis=1) < 0)
    for at in np.flatnonzero(folds):
        meets[at, (at + 1) % count] = True
    found = np.argwhere(meets)
    if not len(found):
        return None
    first, second = sorted(map(int, found[0]))
    return first, second


def _cross(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])


def _do_meet(
    a: npt.NDArray[Any], b: npt.NDArray[Any], c: npt.NDArray[Any], d: npt.NDArray[Any]
) -> npt.NDArray[np.bool_]:
    """[i, j]: whether the closed segment a[i]-b[i] meets c[j]-d[j]."""
    along, across = (b - a)[:, None], (d - c)[None]
    c_a, d_a = c[None] - a[:, None], d[None] - a[:, None]
    left = np.sign(_cross(along, c_a)) * np.sign(_cross(along, d_a)) <= 0
    right = np.sign(_cross(across, -c_a)) * np.sign(_cross(across, b[:, None] - c[None])) <= 0
    lower, upper = np.minimum(a, b)[:, None], np.maximum(a, b)[:, None]
    boxes = (lower <= np.maximum(c, d)[None]) & (np.minimum(c, d)[None] <= upper)
    return np.asarray(left & right & boxes.all(axis=2))


def bounding_box(area: Area) -> Box:
    """The smallest upright box around an area (rounded outwards).

    >>> bounding_box(Area(((2, 2), (8, 2)), width=3))
    (0, 0, 10, 4)
    """
    xs, ys = [x for x, _ in area.points], [y for _, y in area.points]
    reach = (area.width + 1) // 2
    return (min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach)


def overlap(first: Area, second: Area) -> float:
    """Intersection over union, 0..1: exact for outlines, on up to 1,024 lines for a brush.

    >>> overlap(Area(((0, 0), (2, 0), (2, 2), (0, 2))), Area(((1, 0), (3, 0), (3, 2), (1, 2))))
    0.3333333333333333
    """
    if first == second:
        return 1.0
    one, two = bounding_box(first), bounding_box(second)
    if one[0] >= two[2] or two[0] >= one[2] or one[1] >= two[3] or two[1] >= one[3]:
        return 0.0
    shared = joint = 0.0
    for y, weight in _lines(first, second):
        a, b = _spans(first, y), _spans(second, y)
        own, other = float((a[1] - a[0]).sum()), float((b[1] - b[0]).sum())
        both = _shared_length(a, b)
        shared += weight * both
        joint += weight * (own + other - both)
    return float(shared / joint) if joint else 0.0


def _lines(first: Area, second: Area) -> list[tuple[float, float]]:
    """(y, height) of the slabs to measure: between all corners and crossings, so that in each the length is linear;
    evenly where a brush is among the two."""
    one, two = bounding_box(first), bounding_box(second)
    top, bottom = min(one[1], two[1]), max(one[3], two[3])
    if first.width or second.width:
        count = min(_ROWS, bottom - top)
        step = (bottom - top) / count
        return [(top + (at + 0.5) * step, step) for at in range(count)]
    levels = np.unique(
        np.concatenate([_corner_levels(first), _corner_levels(second), _crossings(first, second)])
    )
    return [((low + high) / 2, high - low) for low, high in itertools.pairwise(levels)]


def _corner_levels(area: Area) -> _Floats:
    return np.array([y for _, y in area.points], dtype=np.float64)


def _sides(area: Area) -> tuple[_Floats, _Floats]:
    starts = np.array(area.points, dtype=np.float64)
    return starts, np.roll(starts, -1, axis=0)


def _crossings(first: Area, second: Area) -> _Floats:
    """The y of every point where a side of one crosses a side of the other."""
    (a, b), (c, d) = _sides(first), _sides(second)
    along, across = (b - a)[:, None], (d - c)[None]
    turn = _cross(along, across)
    with np.errstate(divide="ignore", invalid="ignore"):
        at = _cross(c[None] - a[:, None], across) / turn
        y = a[:, None, 1] + at * along[..., 1]
    is_there = _do_meet(a, b, c, d) & (turn != 0)
    return np.asarray(y[is_there])


def _spans(area: Area, y: float) -> tuple[_Floats, _Floats]:
    """Left and right ends of the pieces of the horizontal line at `y` inside the area, apart and in order."""
    if area.width:
        return _brush_spans(area, y)
    starts, ends = _sides(area)
    hit = (starts[:, 1] <= y) != (ends[:, 1] <= y)
    a, b = starts[hit], ends[hit]
    xs = np.sort(a[:, 0] + (y - a[:, 1]) * (b[:, 0] - a[:, 0]) / (b[:, 1] - a[:, 1]))
    return xs[::2], xs[1::2]


def _brush_spans(area: Area, y: float) -> tuple[_Floats, _Floats]:
    """The union, over the strokes of the path, of the line's piece within half a width of the stroke."""
    points = np.array(area.points, dtype=np.float64)
    half = area.width / 2
    reach = half**2 - (points[:, 1] - y) ** 2
    near = reach > 0
    lefts = [points[near, 0] - np.sqrt(reach[near])]
    rights = [points[near, 0] + np.sqrt(reach[near])]
    a, b = points[:-1], points[1:]
    length = np.hypot(*(b - a).T)
    a, b, length = a[length > 0], b[length > 0], length[length > 0]
    offset = np.stack([a[:, 1] - b[:, 1], b[:, 0] - a[:, 0]], axis=1) * (half / length)[:, None]
    corners = np.stack([a + offset, b + offset, b - offset, a - offset], axis=1)  # [stroke, corner, xy]
    following = np.roll(corners, -1, axis=1)
    hit = (corners[..., 1] <= y) != (following[..., 1] <= y)
    with np.errstate(divide="ignore", invalid="ignore"):
        x = corners[..., 0] + (y - corners[..., 1]) * (following[..., 0] - corners[..., 0]) / (
            following[..., 1] - corners[..., 1]
        )
    crossed = hit.any(axis=1)
    lefts.append(np.where(hit, x, np.inf).min(axis=1)[crossed])
    rights.append(np.where(hit, x, -np.inf).max(axis=1)[crossed])
    return _merge(np.concatenate(lefts), np.concatenate(rights))


def _merge(lefts: _Floats, rights: _Floats) -> tuple[_Floats, _Floats]:
    """Overlapping pieces of a line as one."""
    if not len(lefts):
        return lefts, rights
    order = np.argsort(lefts)
    lefts, reached = lefts[order], np.maximum.accumulate(rights[order])
    begins = np.concatenate([[True], lefts[1:] > reached[:-1]])
    return lefts[begins], reached[np.concatenate([begins[1:], [True]])]


def _shared_length(a: tuple[_Floats, _Floats], b: tuple[_Floats, _Floats]) -> float:
    left = np.maximum.outer(a[0], b[0])
    right = np.minimum.outer(a[1], b[1])
    return float(np.clip(right - left, 0, None).sum())
