"""Intersection over union (IoU) of areas, 0..1: exact for polygons, by scanlines for brush strokes, on a raster if
there are so many points that both would take too long.

A raster cell is covered if its centre is. All pieces of an area are intersected with the scanlines at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evaluation.payloads.geometry import Area, Box, bounding_box
from evaluation.payloads.polygons import find_crossing, intersection_and_union

MAX_SCANLINES = 1_024
MAX_RASTER_SIDE = 512  # cells along either side of a raster
MAX_PAIR_POINTS = 120  # points of two areas that are measured without a raster
MAX_MATRIX_POINTS = 20_000  # the same, summed over all pairs of a matrix
Cells = npt.NDArray[np.bool_]
_Floats = npt.NDArray[np.float64]
_Places = npt.NDArray[np.intp]
_Spans = tuple[_Floats, _Floats]
"""Left and right ends of the pieces of a scanline, disjoint and ascending."""


def iou(first: Area, second: Area) -> float:
    """Intersection over union, 0..1: by `measure_iou` up to MAX_PAIR_POINTS points, otherwise on a raster.

    >>> iou(Area(((0, 0), (2, 0), (2, 2), (0, 2))), Area(((1, 0), (3, 0), (3, 2), (1, 2))))
    0.3333333333333333
    """
    if first == second:
        return 1.0
    if len(first.points) + len(second.points) <= MAX_PAIR_POINTS:
        return measure_iou(first, second)
    return float(_iou_on_raster([first], [second])[0, 0])


def iou_matrix(first: Sequence[Area], second: Sequence[Area]) -> _Floats:
    """[i, j]: `iou(first[i], second[j])`; on one raster over all areas above MAX_MATRIX_POINTS points."""
    points = [sum(len(area.points) for area in areas) for areas in (first, second)]
    if len(first) * points[1] + len(second) * points[0] > MAX_MATRIX_POINTS:
        return _iou_on_raster(first, second)
    return np.array([[iou(left, right) for right in second] for left in first])


def measure_iou(first: Area, second: Area) -> float:
    """Intersection over union, 0..1: exact for simple polygons (the float nearest to the fraction), otherwise by up to
    MAX_SCANLINES scanlines. A polygon that crosses itself covers what the even-odd rule says.

    >>> round(measure_iou(Area(((2, 2), (8, 2)), width=4), Area(((2, 0), (8, 0), (8, 4), (2, 4)))), 2)
    0.65
    """
    if first == second:
        return 1.0
    first_box, second_box = bounding_box(first), bounding_box(second)
    if (
        first_box[0] >= second_box[2]
        or second_box[0] >= first_box[2]
        or first_box[1] >= second_box[3]
        or second_box[1] >= first_box[3]
    ):
        return 0.0
    if not any(area.width or find_crossing(area.points) for area in (first, second)):
        intersection, union = intersection_and_union(first.points, second.points)
        return float(intersection / union) if union else 0.0
    return _iou_on_scanlines(
        first, second, min(first_box[1], second_box[1]), max(first_box[3], second_box[3])
    )


def _iou_on_scanlines(first: Area, second: Area, top: int, bottom: int) -> float:
    count = min(MAX_SCANLINES, bottom - top)
    height = (bottom - top) / count
    ys = _centres(top, count, height)
    shared = joint = 0.0
    for first_spans, second_spans in zip(_spans(first, ys), _spans(second, ys), strict=True):
        own, other = (
            float((first_spans[1] - first_spans[0]).sum()),
            float((second_spans[1] - second_spans[0]).sum()),
        )
        both = _shared_length(first_spans, second_spans)
        shared += height * both
        joint += height * (own + other - both)
    return float(shared / joint) if joint else 0.0


def _centres(top: int, count: int, height: float) -> _Floats:
    """The y of the centres of `count` scanlines of one height."""
    return np.asarray(top + (np.arange(count, dtype=np.float64) + 0.5) * height)


def _spans(area: Area, ys: _Floats) -> list[_Spans]:
    """The pieces of each scanline inside the area."""
    if area.width:
        lines, lefts, rights = _stroke_pieces(area, ys)
        order = np.lexsort((lefts, lines))
        ends = np.searchsorted(lines[order], np.arange(1, len(ys)))
        pieces = zip(np.split(lefts[order], ends), np.split(rights[order], ends), strict=True)
        return [_merge(*line_pieces) for line_pieces in pieces]
    lines, xs = _polygon_crossings(area, ys)
    order = np.lexsort((xs, lines))
    ends = np.searchsorted(lines[order], np.arange(1, len(ys)))
    return [(line_xs[::2], line_xs[1::2]) for line_xs in np.split(xs[order], ends)]


def _polygon_crossings(area: Area, ys: _Floats) -> tuple[_Places, _Floats]:
    """Index of the scanline and x of every crossing of a side and a scanline."""
    starts = np.array(area.points, dtype=np.float64)
    ends = np.roll(starts, -1, axis=0)
    sides, lines = np.nonzero((starts[:, 1, None] <= ys) != (ends[:, 1, None] <= ys))
    return lines, _x_iou_on_scanlines(starts[sides], ends[sides], ys[lines])


def _x_iou_on_scanlines(starts: _Floats, ends: _Floats, ys: _Floats) -> _Floats:
    rises = ends[:, 1] - starts[:, 1]
    return np.asarray(starts[:, 0] + (ys - starts[:, 1]) * (ends[:, 0] - starts[:, 0]) / rises)


def _stroke_pieces(area: Area, ys: _Floats) -> tuple[_Places, _Floats, _Floats]:
    """Index of the scanline and both ends of its piece inside each disc and each rectangle of a stroke."""
    points = np.array(area.points, dtype=np.float64)
    half = area.width / 2
    reach = half**2 - (points[:, 1, None] - ys) ** 2
    discs, disc_lines = np.nonzero(reach > 0)
    root = np.sqrt(reach[discs, disc_lines])
    a, b = points[:-1], points[1:]
    length = np.hypot(*(b - a).T)
    a, b, length = a[length > 0], b[length > 0], length[length > 0]
    offset = np.stack([a[:, 1] - b[:, 1], b[:, 0] - a[:, 0]], axis=1) * (half / length)[:, None]
    corners = (a + offset, b + offset, b - offset, a - offset)
    left, right = np.full((len(a), len(ys)), np.inf), np.full((len(a), len(ys)), -np.inf)
    for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
        rectangles, lines = np.nonzero((start[:, 1, None] <= ys) != (end[:, 1, None] <= ys))
        xs = _x_iou_on_scanlines(start[rectangles], end[rectangles], ys[lines])
        left[rectangles, lines] = np.minimum(left[rectangles, lines], xs)
        right[rectangles, lines] = np.maximum(right[rectangles, lines], xs)
    rectangles, lines = np.nonzero(left < right)
    return (
        np.concatenate([disc_lines, lines]),
        np.concatenate([points[discs, 0] - root, left[rectangles, lines]]),
        np.concatenate([points[discs, 0] + root, right[rectangles, lines]]),
    )


def _merge(lefts: _Floats, rights: _Floats) -> _Spans:
    """Pieces of a scanline, sorted by their left ends, with overlapping ones merged."""
    if not len(lefts):
        return lefts, rights
    reached = np.maximum.accumulate(rights)
    begins = np.concatenate([[True], lefts[1:] > reached[:-1]])
    return lefts[begins], reached[np.concatenate([begins[1:], [True]])]


def _shared_length(first: _Spans, second: _Spans) -> float:
    left = np.maximum.outer(first[0], second[0])
    right = np.minimum.outer(first[1], second[1])
    return float(np.clip(right - left, 0, None).sum())


@dataclass(frozen=True, slots=True)
class Raster:
    """A box divided into `rows` x `columns` cells, each `height` by `width` pixels."""

    box: Box
    rows: int
    columns: int

    @classmethod
    def over(cls, areas: Sequence[Area]) -> Raster:
        """A raster over all areas: at most MAX_RASTER_SIDE rows and columns, none smaller than a pixel."""
        boxes = np.array([bounding_box(area) for area in areas])
        left, top = boxes[:, :2].min(axis=0)
        right, bottom = boxes[:, 2:].max(axis=0)
        box = (int(left), int(top), int(right), int(bottom))
        return cls(
            box, max(1, min(MAX_RASTER_SIDE, box[3] - box[1])), max(1, min(MAX_RASTER_SIDE, box[2] - box[0]))
        )

    @property
    def height(self) -> float:
        return (self.box[3] - self.box[1]) / self.rows or 1.0

    @property
    def width(self) -> float:
        return (self.box[2] - self.box[0]) / self.columns or 1.0

    def rasterise(self, area: Area) -> Cells:
        """[row, column]: whether the cell's centre is inside the area."""
        ys = _centres(self.box[1], self.rows, self.height)
        if area.width:
            lines, lefts, rights = _stroke_pieces(area, ys)
            return np.asarray(
                self._cumulate(self._count_starts(lines, lefts) - self._count_starts(lines, rights)) > 0
            )
        return np.asarray(self._cumulate(self._count_starts(*_polygon_crossings(area, ys))) % 2 == 1)

    def _count_starts(self, rows: _Places, xs: _Floats) -> _Places:
        """How many of the x have each cell as the first whose centre is not left of them; one extra column."""
        columns = np.ceil((xs - self.box[0]) / self.width - 0.5).clip(0, self.columns).astype(np.intp)
        return np.bincount(rows * (self.columns + 1) + columns, minlength=self.rows * (self.columns + 1))

    def _cumulate(self, counts: _Places) -> _Places:
        return np.asarray(np.cumsum(counts.reshape(self.rows, self.columns + 1), axis=1)[:, :-1])


def _iou_on_raster(first: Sequence[Area], second: Sequence[Area]) -> _Floats:
    raster = Raster.over([*first, *second])
    first_bits, second_bits = (
        np.stack([np.packbits(raster.rasterise(area)) for area in areas]) for areas in (first, second)
    )
    first_sizes = np.array([int(np.bitwise_count(bits).sum()) for bits in first_bits])
    second_sizes = np.array([int(np.bitwise_count(bits).sum()) for bits in second_bits])
    shared = np.array(
        [np.bitwise_count(bits & second_bits).sum(axis=1, dtype=np.int64) for bits in first_bits]
    )
    joint = first_sizes[:, None] + second_sizes[None] - shared
    return np.asarray(shared / np.maximum(joint, 1), dtype=np.float64)
