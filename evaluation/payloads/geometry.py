"""Which polygons on an image are valid. The geometry is in `polygons`, the overlap of two areas in `iou`.

Points are whole pixels of the full-resolution image, x to the right, y down, 0..width and 0..height. They are corners
of pixels, so the whole image is (0, 0), (width, 0), (width, height), (0, height). static/src/js/lib/geometry.js has the
same rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.errors import gettext_noop
from evaluation.payloads.errors import BadPayload
from evaluation.payloads.polygons import find_crossing

Point = tuple[int, int]
Box = tuple[int, int, int, int]
"""Left, top, right, bottom."""

MAX_POINTS = 1_000
MAX_COORDINATE = 200_000


class BadGeometry(BadPayload):
    """A polygon that is not valid on the image."""


@dataclass(frozen=True, slots=True)
class Area:
    """A polygon (`width` 0) or a brush stroke: all points within `width` / 2 pixels of the path along `points`."""

    points: tuple[Point, ...]
    width: int = 0


def read_points(value: object) -> tuple[Point, ...]:
    """The points of a decoded JSON list of `[x, y]`, at most MAX_POINTS. Raises BadGeometry naming the point.

    >>> read_points([[0, 0], [4, 0], [4, 3.0]])
    ((0, 0), (4, 0), (4, 3))
    """
    if not isinstance(value, list | tuple):
        raise BadGeometry(gettext_noop("The outline must be a list of points, each [x, y]."))
    if len(value) > MAX_POINTS:
        raise BadGeometry(
            gettext_noop(
                "The outline has too many points (%(found)s); the limit is %(most)s. Draw it with fewer."
            ),
            found=f"{len(value):,}",
            most=f"{MAX_POINTS:,}",
        )
    return tuple(_read_point(point, number) for number, point in enumerate(value, start=1))


def _read_point(value: object, number: int) -> Point:
    if not isinstance(value, list | tuple) or len(value) != 2 or not all(map(_is_whole, value)):
        raise BadGeometry(
            gettext_noop("Point %(number)s must be two whole numbers of pixels [x, y]. Set it again."),
            number=number,
        )
    return int(value[0]), int(value[1])


def _is_whole(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= MAX_COORDINATE and value == int(value)  # int() is never called for NaN or infinity


def whole_image(width: int, height: int) -> tuple[Point, ...]:
    """The polygon around the whole image."""
    return ((0, 0), (width, 0), (width, height), (0, height))


def check_inside(points: Sequence[Point], width: int, height: int) -> None:
    """Raise BadGeometry for a point outside the image."""
    for number, (x, y) in enumerate(points, start=1):
        if not (0 <= x <= width and 0 <= y <= height):
            raise BadGeometry(
                gettext_noop(
                    "Point %(number)s (%(x)s, %(y)s) is outside the image of %(width)s × "
                    "%(height)s pixels. Move it inside."
                ),
                number=number,
                x=x,
                y=y,
                width=width,
                height=height,
            )


def check_polygon(points: Sequence[Point], width: int, height: int) -> None:
    """Raise BadGeometry unless the points are a simple polygon inside the image with an area.

    The polygon is closed: the last point is connected to the first.
    """
    if len(points) < 3:
        raise BadGeometry(
            gettext_noop(
                "The outline has too few points (%(found)s); it needs at least three. Add "
                "points or delete it."
            ),
            found=len(points),
        )
    check_inside(points, width, height)
    for number, point in enumerate(points):
        if point == points[number - 1]:
            first = number or len(points)
            raise BadGeometry(
                gettext_noop("Points %(first)s and %(second)s are in the same place. Delete one."),
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


def bounding_box(area: Area) -> Box:
    """The smallest upright box around an area, rounded outwards.

    >>> bounding_box(Area(((2, 2), (8, 2)), width=3))
    (0, 0, 10, 4)
    """
    xs, ys = [x for x, _ in area.points], [y for _, y in area.points]
    reach = (area.width + 1) // 2
    return (min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach)
