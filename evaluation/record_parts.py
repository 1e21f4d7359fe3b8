"""The parts of a record that are more than a text: regions, masks, answers by region, rated difficulty.

Places are in pixels of the released image, with at most four decimals (`evaluation.payloads.coordinate_scaling`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from evaluation.errors import LocalizedError
from evaluation.errors import gettext_noop as _

Point = tuple[float, float]
SHAPES = ("box", "polygon", "brush")
_LEAST_POINTS = {"box": 2, "polygon": 3, "brush": 1}
MAX_PARTS = 1000
MAX_SIDE = 10**6  # pixels
_FIELD = _("field %(place)s")


class BadPart(LocalizedError, ValueError):
    """A part is not what it should be; the message begins with the field and says what to mend."""


@dataclass(frozen=True, slots=True)
class RecordRegion:
    """A formula's place and its one LaTeX. `number`, from 1, is its reading order and its name in answers."""

    number: int
    polygon: tuple[Point, ...]
    latex: str


@dataclass(frozen=True, slots=True)
class RecordMask:
    """A place that is painted over: a box by two opposite corners, a polygon, or a brush stroke `width` px wide."""

    shape: str
    points: tuple[Point, ...]
    width: float = 0
    reason: str = ""


def read_regions(value: object) -> tuple[RecordRegion, ...]:
    """Regions from plain JSON, numbered 1, 2, ... in order. Raises BadPart.

    >>> read_regions([{"number": 1, "polygon": [[0, 0], [9, 0], [9, 5]], "latex": "x"}])[0].polygon
    ((0, 0), (9, 0), (9, 5))
    """
    regions = []
    for number, (where, entry) in enumerate(_entries("regions", value), start=1):
        if entry.get("number") != number or isinstance(entry["number"], bool):
            raise BadPart(
                _("'number' must be %(number)s, because regions are numbered in reading order."),
                number=number,
            ).within(_FIELD, place=where)
        latex = entry.get("latex")
        if not isinstance(latex, str):
            raise BadPart(_("'latex' must be a string.")).within(_FIELD, place=where)
        regions.append(RecordRegion(number, _points(where, "polygon", entry.get("polygon"), least=3), latex))
    return tuple(regions)


def read_masks(value: object) -> tuple[RecordMask, ...]:
    """Masks from plain JSON. Raises BadPart.

    >>> read_masks([{"shape": "box", "points": [[0, 0], [9, 5]]}])
    (RecordMask(shape='box', points=((0, 0), (9, 5)), width=0, reason=''),)
    """
    masks = []
    for where, entry in _entries("masks", value):
        shape, width, reason = entry.get("shape"), entry.get("width", 0), entry.get("reason", "")
        if shape not in SHAPES:
            raise BadPart(_("'shape' must be one of: %(known)s."), known=", ".join(SHAPES)).within(
                _FIELD, place=where
            )
        if not _is_number(width) or (shape == "brush") != (width > 0):
            raise BadPart(_("'width' must be the stroke width in pixels for a brush, otherwise 0.")).within(
                _FIELD, place=where
            )
        if not isinstance(reason, str):
            raise BadPart(_("'reason' must be a string.")).within(_FIELD, place=where)
        points = _points(where, "points", entry.get("points"), least=_LEAST_POINTS[shape])
        if shape == "box" and len(points) != 2:
            raise BadPart(
                _("a box has two 'points', its opposite corners; got %(count)s."), count=len(points)
            ).within(_FIELD, place=where)
        masks.append(RecordMask(shape, points, width, reason))
    return tuple(masks)


def read_region_latex(value: object) -> dict[str, str] | None:
    """A prediction by region: an object of LaTeX by region number. Raises BadPart.

    >>> read_region_latex({"1": "x^2"})
    {'1': 'x^2'}
    """
    if value is None:
        return None
    if not isinstance(value, dict):
        raise BadPart(
            _("field 'regions' must be an object that maps region numbers to LaTeX; got %(found)s."),
            found=type(value).__name__,
        )
    for name, latex in value.items():
        if not (name.isascii() and name.isdecimal() and name == str(int(name[:9])) and name != "0"):
            raise BadPart(
                _("field 'regions': the key %(key)s must be a region number, as in the outlines."),
                key=repr(name[:40]),
            )
        if not isinstance(latex, str):
            raise BadPart(
                _(
                    "field 'regions': region %(region)s must be a string; leave out regions "
                    "that were not read."
                ),
                region=name,
            )
    return value


def read_difficulty(value: object) -> dict[str, dict[str, float]]:
    """Ratings by dimension, each with `mean`, `spread` and `n`. Raises BadPart."""
    if not isinstance(value, dict):
        raise BadPart(
            _("field 'difficulty' must be an object keyed by dimension; got %(found)s."),
            found=type(value).__name__,
        )
    for name, figures in value.items():
        is_rating = isinstance(figures, dict) and {"mean", "spread", "n"} <= figures.keys()
        if not is_rating or not all(_is_number(figure) for figure in figures.values()):
            raise BadPart(
                _("field 'difficulty': %(key)s must have the numbers mean, spread and n."),
                key=repr(name[:40]),
            )
    return value


def _entries(name: str, value: object) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if not isinstance(value, list | tuple) or len(value) > MAX_PARTS:
        raise BadPart(
            _("field '%(name)s' must be a list of at most %(most)s objects."), name=name, most=MAX_PARTS
        )
    for index, entry in enumerate(value):
        if not isinstance(entry, dict):
            raise BadPart(_("must be an object; got %(found)s."), found=type(entry).__name__).within(
                _FIELD, place=f"'{name}'[{index}]"
            )
        yield f"'{name}'[{index}]", entry


def _points(where: str, name: str, value: object, *, least: int) -> tuple[Point, ...]:
    if not isinstance(value, list | tuple) or len(value) < least:
        raise BadPart(
            _("'%(name)s' must be a list of at least %(least)s points [x, y]."), name=name, least=least
        ).within(_FIELD, place=where)
    for index, point in enumerate(value):
        is_pair = isinstance(point, list | tuple) and len(point) == 2
        if not is_pair or not all(_is_number(side) and abs(side) <= MAX_SIDE for side in point):
            raise BadPart(
                _("'%(name)s'[%(at)s] must be two numbers [x, y], in pixels."), name=name, at=index
            ).within(_FIELD, place=where)
    return tuple((point[0], point[1]) for point in value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
