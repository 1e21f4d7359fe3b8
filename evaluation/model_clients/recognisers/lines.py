"""From the boxes a detector found to lines in reading order, sloping or not.

A page written across is read top to bottom and left to right; a page written downwards, as old Chinese pages are,
column by column from the right.
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

MIN_OVERLAP = 0.5  # share of the lower box's height that two boxes of one line have in common
WIDE_GAP = 1.2  # in line heights: a gap that a writer of Chinese leaves on purpose
IDEOGRAPHIC = (("\u3000", "\u9fff"), ("\uf900", "\ufaff"), ("\uff00", "\uffef"), ("\U00020000", "\U0003ffff"))
TALL = 1.6  # height to width of a box whose characters stand below each other
MAX_SLOPE = math.radians(20)  # beyond this a box is not a line that slopes but something turned


@dataclass(frozen=True, slots=True)
class Fragment:
    """A piece of text as a detector found it: four corners from the top left clockwise, in pixels."""

    text: str
    corners: Corners
    confidence: float

    @property
    def box(self) -> Box:
        return _hull(self.corners)


@dataclass(frozen=True, slots=True)
class _Placed:
    """A fragment on the page as it is read: levelled, and turned where it is written downwards."""

    fragment: Fragment
    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        return max(self.bottom - self.top, 1.0)


def lines_from_fragments(fragments: Iterable[Fragment]) -> tuple[RecognisedLine, ...]:
    """Lines in reading order; a line's box holds its fragments, its confidence is their mean by length."""
    kept = [fragment for fragment in fragments if fragment.text.strip()]
    is_down = _is_written_down(kept)
    seen = [(fragment, _turn(fragment.corners) if is_down else fragment.corners) for fragment in kept]
    slope = _page_slope([corners for _, corners in seen])
    placed = sorted(
        (_level(fragment, corners, slope) for fragment, corners in seen), key=lambda item: item.left
    )
    rows: list[list[_Placed]] = []
    for item in placed:
        row = _row_for(item, rows)
        if row is None:
            rows.append([item])
        else:
            row.append(item)
    rows.sort(key=lambda row: fmean((item.top + item.bottom) / 2 for item in row))
    return tuple(_line(row) for row in rows)


def _is_written_down(fragments: Sequence[Fragment]) -> bool:
    """Whether most characters are in tall boxes; single characters, square by nature, have no say."""
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
    """A quarter turn against the clock, which makes of columns from the right rows from the top."""
    _, second, third, fourth = turned = [(y, -x) for x, y in corners]
    return second, third, fourth, turned[0]


def _page_slope(seen: Sequence[Corners]) -> float:
    """The angle most text runs at, in radians; only long boxes know theirs."""
    angles = []
    for corners in seen:
        (x0, y0), (x1, y1), _, (x3, y3) = corners
        if math.dist((x0, y0), (x1, y1)) >= 3 * math.dist((x0, y0), (x3, y3)):
            angle = math.atan2(y1 - y0, x1 - x0)
            if abs(angle) <= MAX_SLOPE:
                angles.append(angle)
    return median(angles) if angles else 0.0


def _level(fragment: Fragment, corners: Corners, slope: float) -> _Placed:
    cos, sin = math.cos(-slope), math.sin(-slope)
    turned = [(x * cos - y * sin, x * sin + y * cos) for x, y in corners]
    (top_left, top_right, bottom_right, bottom_left) = turned
    # The mean of the two upper corners, not the hull: a box that slopes by itself is no taller for it.
    return _Placed(
        fragment,
        left=min(x for x, _ in turned),
        right=max(x for x, _ in turned),
        top=(top_left[1] + top_right[1]) / 2,
        bottom=(bottom_left[1] + bottom_right[1]) / 2,
    )


def _row_for(item: _Placed, rows: list[list[_Placed]]) -> list[_Placed] | None:
    """The row whose last piece stands left of the item, at its height; the best match where several do."""
    best, best_overlap = None, MIN_OVERLAP
    for row in rows:
        last = row[-1]
        overlap = (min(item.bottom, last.bottom) - max(item.top, last.top)) / min(item.height, last.height)
        is_beside = item.left >= last.right - 0.5 * min(item.height, last.height)
        if is_beside and overlap >= best_overlap:
            best, best_overlap = row, overlap
    return best


def _line(row: list[_Placed]) -> RecognisedLine:
    text = row[0].fragment.text.strip()
    for before, after in pairwise(row):
        piece = after.fragment.text.strip()
        gap = (after.left - before.right) / median((before.height, after.height))
        is_chinese = _is_ideographic(text[-1]) and _is_ideographic(piece[0])
        text += piece if is_chinese and gap < WIDE_GAP else f" {piece}"
    pieces = [item.fragment for item in row]
    weighted = sum(len(piece.text) * piece.confidence for piece in pieces)
    confidence = weighted / sum(len(piece.text) for piece in pieces)
    return RecognisedLine(
        text, _hull([corner for piece in pieces for corner in piece.corners]), round(confidence, 4)
    )


def _is_ideographic(character: str) -> bool:
    """Han characters and the punctuation set with them, between which no space is written."""
    return any(low <= character <= high for low, high in IDEOGRAPHIC)


def _hull(points: Sequence[Point]) -> Box:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)
