"""The parts of a record that are more than a text: regions, masks, answers by region, rated difficulty.

Places are in pixels of the released image, with at most four decimals (`evaluation.payloads.scaling`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Point = tuple[float, float]
SHAPES = ("box", "polygon", "brush")
_LEAST_POINTS = {"box": 2, "polygon": 3, "brush": 1}
MAX_PARTS = 1000
MAX_SIDE = 10**6  # pixels


class BadPart(ValueError):
    """A part is not what it should be; the message begins with the quoted field and says what to mend."""


@dataclass(frozen=True, slots=True)
class Region:
    """A formula's place and its one LaTeX. `number`, from 1, is its reading order and its name in answers."""

    number: int
    polygon: tuple[Point, ...]
    latex: str


@dataclass(frozen=True, slots=True)
class Mask:
    """A place that is painted over: a box by two opposite corners, a polygon, or a brush stroke `width` px wide."""

    shape: str
    points: tuple[Point, ...]
    width: float = 0
    reason: str = ""


def read_regions(value: object) -> tuple[Region, ...]:
    """Regions from plain JSON, numbered 1, 2, ... in order. Raises BadPart.

    >>> read_regions([{"number": 1, "polygon": [[0, 0], [9, 0], [9, 5]], "latex": "x"}])[0].polygon
    ((0, 0), (9, 0), (9, 5))
    """
    regions = []
    for number, (where, entry) in enumerate(_entries("regions", value), start=1):
        if entry.get("number") != number or isinstance(entry["number"], bool):
            raise BadPart(f"{where}: 'number' must be {number}, as regions are numbered in reading order.")
        latex = entry.get("latex")
        if not isinstance(latex, str):
            raise BadPart(f"{where}: 'latex' must be a string.")
        regions.append(Region(number, _points(where, "polygon", entry.get("polygon"), least=3), latex))
    return tuple(regions)


def read_masks(value: object) -> tuple[Mask, ...]:
    """Masks from plain JSON. Raises BadPart.

    >>> read_masks([{"shape": "box", "points": [[0, 0], [9, 5]]}])
    (Mask(shape='box', points=((0, 0), (9, 5)), width=0, reason=''),)
    """
    masks = []
    for where, entry in _entries("masks", value):
        shape, width, reason = entry.get("shape"), entry.get("width", 0), entry.get("reason", "")
        if shape not in SHAPES:
            raise BadPart(f"{where}: 'shape' must be one of: {', '.join(SHAPES)}.")
        if not _is_number(width) or (shape == "brush") != (width > 0):
            raise BadPart(f"{where}: 'width' must be the stroke's width in pixels for a brush, else 0.")
        if not isinstance(reason, str):
            raise BadPart(f"{where}: 'reason' must be a string.")
        points = _points(where, "points", entry.get("points"), least=_LEAST_POINTS[shape])
        if shape == "box" and len(points) != 2:
            raise BadPart(f"{where}: a box has two 'points', its opposite corners; got {len(points)}.")
        masks.append(Mask(shape, points, width, reason))
    return tuple(masks)


def read_answers(value: object) -> dict[str, str] | None:
    """An answer keyed by region: an object of LaTeX by region number. Raises BadPart.

    >>> read_answers({"1": "x^2"})
    {'1': 'x^2'}
    """
    if value is None:
        return None
    if not isinstance(value, dict):
        raise BadPart(f"'regions' must be an object of LaTeX by region number; got {type(value).__name__}.")
    for name, latex in value.items():
        if not (name.isascii() and name.isdecimal() and name == str(int(name[:9])) and name != "0"):
            raise BadPart(f"'regions': the key {name[:40]!r} must be a region's number, as in the outlines.")
        if not isinstance(latex, str):
            raise BadPart(f"'regions': region {name} must be a string; leave out what was not answered.")
    return value


def read_difficulty(value: object) -> dict[str, dict[str, float]]:
    """Ratings by dimension, each with `mean`, `spread` and `n`. Raises BadPart."""
    if not isinstance(value, dict):
        raise BadPart(f"'difficulty' must be an object by dimension; got {type(value).__name__}.")
    for name, figures in value.items():
        is_rating = isinstance(figures, dict) and {"mean", "spread", "n"} <= figures.keys()
        if not is_rating or not all(_is_number(figure) for figure in figures.values()):
            raise BadPart(f"'difficulty': {name[:40]!r} must have the numbers mean, spread and n.")
    return value


def _entries(name: str, value: object) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if not isinstance(value, list | tuple) or len(value) > MAX_PARTS:
        raise BadPart(f"'{name}' must be a list of at most {MAX_PARTS} objects.")
    for at, entry in enumerate(value):
        if not isinstance(entry, dict):
            raise BadPart(f"'{name}'[{at}]: must be an object; got {type(entry).__name__}.")
        yield f"'{name}'[{at}]", entry


def _points(where: str, name: str, value: object, *, least: int) -> tuple[Point, ...]:
    if not isinstance(value, list | tuple) or len(value) < least:
        raise BadPart(f"{where}: '{name}' must be a list of at least {least} points [x, y].")
    for at, point in enumerate(value):
        is_pair = isinstance(point, list | tuple) and len(point) == 2
        if not is_pair or not all(_is_number(side) and abs(side) <= MAX_SIDE for side in point):
            raise BadPart(f"{where}: '{name}'[{at}] must be two numbers [x, y], in pixels.")
    return tuple((point[0], point[1]) for point in value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
