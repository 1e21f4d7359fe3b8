"""Areas as cells of a grid: how strokes and many-cornered outlines overlap without a sum over every line of each pair.

A cell is covered when its middle is. Lines are intersected for all pieces of an area at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evaluation.payloads.geometry import Area, Box, bounding_box, overlap

MOST_CELLS = 512  # of a grid, along either side
QUICK = 120  # points of two areas that are measured as they are
MANY = 20_000  # points, summed over all pairs of areas
Cells = npt.NDArray[np.bool_]
_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Grid:
    """`rows` lines of `columns` cells over a box, each cell `height` by `width` pixels."""

    box: Box
    rows: int
    columns: int

    @classmethod
    def over(cls, areas: Sequence[Area]) -> Grid:
        """Over all areas; at most MOST_CELLS lines and columns, a pixel is never split."""
        boxes = np.array([bounding_box(area) for area in areas])
        left, top = boxes[:, :2].min(axis=0)
        right, bottom = boxes[:, 2:].max(axis=0)
        box = (int(left), int(top), int(right), int(bottom))
        return cls(box, max(1, min(MOST_CELLS, box[3] - box[1])), max(1, min(MOST_CELLS, box[2] - box[0])))

    @property
    def height(self) -> float:
        return (self.box[3] - self.box[1]) / self.rows or 1.0

    @property
    def width(self) -> float:
        return (self.box[2] - self.box[0]) / self.columns or 1.0

    def cover(self, area: Area) -> Cells:
        """[row, column]: whether the cell's middle is inside the area."""
        ys: _Floats = self.box[1] + (np.arange(self.rows, dtype=np.float64) + 0.5) * self.height
        steps = _brush_steps(area, ys, self) if area.width else _outline_steps(area, ys, self)
        inside = np.cumsum(steps.reshape(self.rows, self.columns + 1), axis=1)[:, :-1]
        return np.asarray(inside > 0 if area.width else inside % 2 == 1)

    def at(self, rows: npt.NDArray[np.intp], xs: _Floats) -> npt.NDArray[np.intp]:
        """The flat place of the first cell whose middle lies at or right of x, in lines of `columns` + 1."""
        column = np.ceil((xs - self.box[0]) / self.width - 0.5).clip(0, self.columns).astype(np.intp)
        return np.asarray(rows * (self.columns + 1) + column)

    def count(self, places: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
        return np.bincount(places, minlength=self.rows * (self.columns + 1))


def _outline_steps(area: Area, ys: _Floats, grid: Grid) -> npt.NDArray[np.intp]:
    points = np.array(area.points, dtype=np.float64)
    a, b = points[:, None], np.roll(points, -1, axis=0)[:, None]
    sides, rows = np.nonzero((a[..., 1] <= ys) != (b[..., 1] <= ys))
    a, b = a[sides, 0], b[sides, 0]
    xs = a[:, 0] + (ys[rows] - a[:, 1]) * (b[:, 0] - a[:, 0]) / (b[:, 1] - a[:, 1])
    return grid.count(grid.at(rows, xs))


def _brush_steps(area: Area, ys: _Floats, grid: Grid) -> npt.NDArray[np.intp]:
    points = np.array(area.points, dtype=np.float64)
    half = area.width / 2
    reach = half**2 - (points[:, 1, None] - ys) ** 2
    discs, rows = np.nonzero(reach > 0)
    root = np.sqrt(reach[discs, rows])
    opens = [grid.at(rows, points[discs, 0] - root)]
    closes = [grid.at(rows, points[discs, 0] + root)]
    a, b = points[:-1], points[1:]
    length = np.hypot(*(b - a).T)
    a, b, length = a[length > 0], b[length > 0], length[length > 0]
    offset = np.stack([a[:, 1] - b[:, 1], b[:, 0] - a[:, 0]], axis=1) * (half / length)[:, None]
    corners = (a + offset, b + offset, b - offset, a - offset)
    left, right = np.full((len(a), len(ys)), np.inf), np.full((len(a), len(ys)), -np.inf)
    for one, other in zip(corners, (*corners[1:], corners[0]), strict=True):
        strokes, lines = np.nonzero((one[:, 1, None] <= ys) != (other[:, 1, None] <= ys))
        p, q = one[strokes], other[strokes]
        xs = p[:, 0] + (ys[lines] - p[:, 1]) * (q[:, 0] - p[:, 0]) / (q[:, 1] - p[:, 1])
        left[strokes, lines] = np.minimum(left[strokes, lines], xs)
        right[strokes, lines] = np.maximum(right[strokes, lines], xs)
    strokes, rows = np.nonzero(left < right)
    opens.append(grid.at(rows, left[strokes, rows]))
    closes.append(grid.at(rows, right[strokes, rows]))
    return grid.count(np.concatenate(opens)) - grid.count(np.concatenate(closes))


def share_of(first: Area, second: Area) -> float:
    """Intersection over union, 0..1: by `geometry.overlap` as long as that is quick, else on a grid over both.

    >>> share_of(Area(((0, 0), (2, 0), (2, 2), (0, 2))), Area(((1, 0), (3, 0), (3, 2), (1, 2))))
    0.3333333333333333
    """
    if first == second:
        return 1.0
    if len(first.points) + len(second.points) <= QUICK:
        return overlap(first, second)
    return float(_on_grid([first], [second])[0, 0])


def shares_of(first: Sequence[Area], second: Sequence[Area]) -> _Floats:
    """[i, j]: `share_of(first[i], second[j])`; on one grid over all of them when they are too many for pairs."""
    corners = [sum(len(area.points) for area in side) for side in (first, second)]
    if len(first) * corners[1] + len(second) * corners[0] > MANY:
        return _on_grid(first, second)
    return np.array([[share_of(one, other) for other in second] for one in first])


def _on_grid(first: Sequence[Area], second: Sequence[Area]) -> _Floats:
    grid = Grid.over([*first, *second])
    ones, others = (np.stack([np.packbits(grid.cover(area)) for area in side]) for side in (first, second))
    sizes = np.array([int(np.bitwise_count(bits).sum()) for bits in ones])
    other_sizes = np.array([int(np.bitwise_count(bits).sum()) for bits in others])
    shared = np.array([np.bitwise_count(bits & others).sum(axis=1, dtype=np.int64) for bits in ones])
    joint = sizes[:, None] + other_sizes[None] - shared
    return np.asarray(shared / np.maximum(joint, 1), dtype=np.float64)
