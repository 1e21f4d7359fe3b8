"""A table detected on a page: its rectified image and its cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

Pixels = Any  # uint8, height x width x 3, BGR
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell: its row and column from 0, its spans, and its box (left, top, right, bottom) in the rectified image."""

    row: int
    column: int
    rowspan: int
    colspan: int
    box: tuple[int, int, int, int]
    is_header: bool = False


@dataclass(frozen=True, slots=True)
class RectifiedTable:
    """The image of a table alone; `homography` (3 x 3) maps pixels of the page to those of `pixels`."""

    pixels: Pixels
    homography: Any

    def from_page(self, x: float, y: float) -> Point:
        """A point of the page in the rectified image."""
        (moved,) = cv2.perspectiveTransform(np.array([[[x, y]]], np.float32), self.homography)[0]
        return float(moved[0]), float(moved[1])

    def box_on_page(self, cell: GridCell) -> tuple[float, float, float, float]:
        """The bounding box of a cell on the page: left, top, right, bottom."""
        left, top, right, bottom = cell.box
        corners = np.array([[[left, top], [right, top], [right, bottom], [left, bottom]]], np.float32)
        points = cv2.perspectiveTransform(corners, np.linalg.inv(self.homography))[0]
        (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
        return float(x0), float(y0), float(x1), float(y1)


@dataclass(frozen=True, slots=True)
class TableGrid:
    """The cells of a table in reading order, its number of rows, and the image in which the boxes are."""

    cells: tuple[GridCell, ...]
    rows: int
    table: RectifiedTable
