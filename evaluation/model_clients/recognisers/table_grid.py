"""A table found on a page: the image of it alone, laid flat, and its cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

Pixels = Any  # uint8 array of height x width x 3, blue, green, red
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Slot:
    """A cell of the grid with its spans, all from 0, and its box (left, top, right, bottom) in the flat image."""

    row: int
    column: int
    rowspan: int
    colspan: int
    box: tuple[int, int, int, int]
    is_header: bool = False


@dataclass(frozen=True, slots=True)
class FlatTable:
    """The image of a table alone; `flatten` (3 x 3) leads from the page's pixels to those of `pixels`."""

    pixels: Pixels
    flatten: Any

    def place(self, x: float, y: float) -> Point:
        """A point of the page in the flat image."""
        (moved,) = cv2.perspectiveTransform(np.array([[[x, y]]], np.float32), self.flatten)[0]
        return float(moved[0]), float(moved[1])

    def box_on_page(self, slot: Slot) -> tuple[float, float, float, float]:
        """The hull of a cell on the page: left, top, right, bottom."""
        left, top, right, bottom = slot.box
        corners = np.array([[[left, top], [right, top], [right, bottom], [left, bottom]]], np.float32)
        points = cv2.perspectiveTransform(corners, np.linalg.inv(self.flatten))[0]
        (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
        return float(x0), float(y0), float(x1), float(y1)


@dataclass(frozen=True, slots=True)
class TableGrid:
    """The cells of a table in reading order, and the image their boxes are in."""

    slots: tuple[Slot, ...]
    rows: int
    table: FlatTable
