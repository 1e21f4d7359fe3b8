"""Groups text fragments into lines in reading order; lines may slope.

Horizontal writing is ordered from top to bottom and left to right, vertical writing, as on old Chinese pages, column by
column from the right.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, median

from evaluation.model_clients.recognisers.base import Box, RecognisedLine

Point = tuple[float, float]
Corners = tuple[Point, Point, Point, Point]

MIN_OVERLAP = 0.5  # of the smaller height: the least vertical overlap of two boxes on one line
WIDE_GAP = 1.2  # in line heights: a gap left on purpose in Chinese writing
IDEOGRAPHIC = (("\u3000", "\u9fff"), ("\uf900", "\ufaff"), ("\uff00", "\uffef"), ("\U00020000", "\U0003ffff"))
TALL = 1.6  # height to width of a box of vertical writing
MAX_SLOPE = math.radians(20)  # a steeper box is rotated text, not a sloping line


@dataclass(frozen=True, slots=True)
class Fragment:
    """A piece of text from a text detector: four corners in pixels, clockwise from the top left."""

    text: str
    corners: Corners
    confidence: float

    @property
    def box(self) -> Box:
        return _bounding_box(self.corners)


@dataclass(frozen=True, slots=True)
class _LevelledFragment:
    """A fragment with the page's slope removed, and rotated if the page is written vertically."""

    fragment: Fragment
    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        return max(self.bottom - self.top, 1.0)


def lines_from_fragments(fragments: Iterable[Fragment]) -> tuple[RecognisedLine, ...]:
    """Lines in reading order. A line's box contains its fragments; its confidence is their mean weighted by length."""
    kept = [fragment for fragment in fragments if fragment.text.strip()]
    is_vertical = _is_vertical(kept)
    oriented = [(fragment, _turn(fragment.corners) if is_vertical else fragment.corners) for fragment in kept]
    slope = _page_slope([corners for _, corners in oriented])
    placed = sorted(
        (_level(fragment, corners, slope) for fragment, corners in oriented), key=lambda item: item.left
    )
    rows: list[list[_LevelledFragment]] = []
    for item in placed:
        row = _row_for(item, rows)
        if row is None:
            rows.append([item])
        else:
            row.append(item)
    rows.sort(key=lambda row: fmean((item.top + item.bottom) / 2 for item in row))
    return tuple(_line(row) for row in rows)


def _is_vertical(fragments: Sequence[Fragment]) -> bool:
    """Whether most characters are in tall boxes; boxes of one character, which are square, are not counted."""
    down = across = 0
    for fragment in fragments:
        size = len(fragment.text.strip())
        left, top, right, bottom = fragment.box
        if size > 1 and bottom - top >= TALL * (right - left):
            down += size
        elif size > 1:
            across += size
    return down > across


def _turn(corners: Corners) -> Corners:
    """The corners rotated by 90 degrees anticlockwise: columns from the right become rows from the top."""
    _, second, third, fourth = turned = [(y, -x) for x, y in corners]
    return second, third, fourth, turned[0]


def _page_slope(boxes: Sequence[Corners]) -> float:
    """The median slope of the text in radians, from long boxes only; 0 without such boxes."""
    angles = []
    for corners in boxes:
        (x0, y0), (x1, y1), _, (x3, y3) = corners
        if math.dist((x0, y0), (x1, y1)) >= 3 * math.dist((x0, y0), (x3, y3)):
            angle = math.atan2(y1 - y0, x1 - x0)
            if abs(angle) <= MAX_SLOPE:
                angles.append(angle)
    return median(angles) if angles else 0.0


def _level(fragment: Fragment, corners: Corners, slope: float) -> _LevelledFragment:
    cos, sin = math.cos(-slope), math.sin(-slope)
    turned = [(x * cos - y * sin, x * sin + y * cos) for x, y in corners]
    (top_left, top_right, bottom_right, bottom_left) = turned
    # The mean of two corners, not the bounding box, so that a box with a slope of its own does not become taller.
    return _LevelledFragment(
        fragment,
        left=min(x for x, _ in turned),
        right=max(x for x, _ in turned),
        top=(top_left[1] + top_right[1]) / 2,
        bottom=(bottom_left[1] + bottom_right[1]) / 2,
    )


def _row_for(item: _LevelledFragment, rows: list[list[_LevelledFragment]]) -> list[_LevelledFragment] | None:
    """The row whose last fragment is to the left of the item and overlaps it most in height, if any."""
    best, best_overlap = None, MIN_OVERLAP
    for row in rows:
        last = row[-1]
        overlap = (min(item.bottom, last.bottom) - max(item.top, last.top)) / min(item.height, last.height)
        is_beside = item.left >= last.right - 0.5 * min(item.height, last.height)
        if is_beside and overlap >= best_overlap:
            best, best_overlap = row, overlap
    return best


def _line(row: list[_LevelledFragment]) -> RecognisedLine:
    text = row[0].fragment.text.strip()
    for before, after in pairwise(row):
        next_text = after.fragment.text.strip()
        gap = (after.left - before.right) / median((before.height, after.height))
        is_chinese = _is_ideographic(text[-1]) and _is_ideographic(next_text[0])
        text += next_text if is_chinese and gap < WIDE_GAP else f" {next_text}"
    fragments = [item.fragment for item in row]
    weighted = sum(len(fragment.text) * fragment.confidence for fragment in fragments)
    confidence = weighted / sum(len(fragment.text) for fragment in fragments)
    return RecognisedLine(
        text,
        _bounding_box([corner for fragment in fragments for corner in fragment.corners]),
        round(confidence, 4),
    )


def _is_ideographic(character: str) -> bool:
    """Han characters and their punctuation, between which no space is written."""
    return any(low <= character <= high for low, high in IDEOGRAPHIC)


def _bounding_box(points: Sequence[Point]) -> Box:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)
