"""Tables by embedded models: rough suggestions, meant to be used cell by cell."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from evaluation.errors import LocalizedError
from evaluation.errors import gettext_noop as _
from evaluation.model_clients.failures import FailureKind
from evaluation.model_clients.recognisers.base import RecognisedLine, RecognisedPage, RecogniserFailed
from evaluation.model_clients.recognisers.detected_grid import GridCell, Pixels, TableGrid
from evaluation.model_clients.recognisers.embedded import EmbeddedRecogniser, kept_fragments
from evaluation.model_clients.recognisers.images import decode_bgr
from evaluation.model_clients.recognisers.lines import Fragment, lines_from_fragments
from evaluation.model_clients.recognisers.model_loading import EmbeddedModel
from evaluation.model_clients.recognisers.ruled_table import detect_ruled_grid
from evaluation.model_clients.recognisers.table_structure import SLANetPlus, grid_from_detection
from evaluation.model_clients.recognisers.unruled_table import crop_unruled_table
from evaluation.payloads.table import write_table
from evaluation.payloads.table_grid import BadTable, Cell, Table, canonical_cell

INSET = 0.04  # share of a cell's side that is cut off with its border when the cell is recognised alone


class GridDetector(Protocol):
    """Detects the table of a page. `parameters` are recorded with every result and every failure."""

    @property
    def parameters(self) -> Mapping[str, Any]: ...

    def detect(self, pixels: Pixels, fragments: Sequence[Fragment]) -> TableGrid:
        """The grid of the page's table; `fragments` are those of the whole page. Raises RecogniserFailed."""


@dataclass(frozen=True, slots=True)
class RuledGridDetector:
    """The grid of a table's ruled lines. It does not tell header cells from others; annotators mark them."""

    @property
    def parameters(self) -> Mapping[str, Any]:
        return {"table": "ruled lines"}

    def detect(self, pixels: Pixels, fragments: Sequence[Fragment]) -> TableGrid:
        grid = detect_ruled_grid(pixels)
        if grid is None:
            raise RecogniserFailed(
                FailureKind.EMPTY, LocalizedError(_("no table with ruled lines was found on this page"))
            )
        return grid


@dataclass(frozen=True, slots=True)
class ModelGridDetector:
    """The grid by a structure model, applied to the table alone: the ruled area, or the area of the writing."""

    model: EmbeddedModel[SLANetPlus]

    @property
    def parameters(self) -> Mapping[str, Any]:
        return {"table": self.model.model, "table_version": self.model.version}

    def detect(self, pixels: Pixels, fragments: Sequence[Fragment]) -> TableGrid:
        ruled = detect_ruled_grid(pixels)
        table = ruled.table if ruled else crop_unruled_table(pixels, fragments)
        if table is None:
            raise RecogniserFailed(
                FailureKind.EMPTY,
                LocalizedError(_("neither ruled lines nor text columns were found on this page")),
            )
        with self.model.engine() as engine:
            detected = engine.detect(table.pixels)
        try:
            return grid_from_detection(detected, table)
        except BadTable as problem:
            raise RecogniserFailed(
                FailureKind.GARBAGE,
                LocalizedError.from_error(problem).within(
                    _("%(model)s returned no table"), model=self.model.model
                ),
                raw="".join(detected.tokens),
            ) from problem


@dataclass(frozen=True, slots=True)
class TableRecogniser:
    """Recognises a table: the grid by `detector`, the text of each cell by a text model."""

    recogniser: EmbeddedRecogniser
    detector: GridDetector

    def recognise(self, image_png: bytes) -> RecognisedPage:
        pixels = decode_bgr(image_png)
        page = self.recogniser.recognise(image_png)
        parameters = dict(page.parameters) | dict(self.detector.parameters)
        fragments = kept_fragments(page)
        started = time.monotonic()
        try:
            grid = self.detector.detect(pixels, fragments)
        except RecogniserFailed as failure:
            raise RecogniserFailed(
                failure.kind,
                failure.reason,
                raw=failure.raw or page.raw,
                attempts=1,
                parameters=parameters,
            ) from failure
        lines = self._recognise_cells(grid, fragments)
        rows: list[list[Cell]] = [[] for _ in range(grid.rows)]
        for cell in grid.cells:
            rows[cell.row].append(Cell(lines[cell].text, cell.is_header, cell.rowspan, cell.colspan))
        return replace(
            page,
            text=write_table(Table(tuple(map(tuple, rows)))),
            lines=tuple(line for line in lines.values() if line.text),
            parameters=parameters,
            latency_s=round(page.latency_s + time.monotonic() - started, 3),
        )

    def _recognise_cells(
        self, grid: TableGrid, fragments: Iterable[Fragment]
    ) -> dict[GridCell, RecognisedLine]:
        """The text of each cell. Cells that share a fragment across a border are recognised again one by one."""
        fragments_by_cell: dict[GridCell, list[Fragment]] = {cell: [] for cell in grid.cells}
        shared: set[GridCell] = set()
        for fragment in fragments:
            touched = _cells_under(grid, fragment)
            if len(touched) == 1:
                fragments_by_cell[touched[0]].append(fragment)
            else:
                shared.update(touched)
        lines = {}
        for cell, cell_fragments in fragments_by_cell.items():
            if cell in shared:
                crop = _crop(grid.table.pixels, cell)
                cell_fragments = self.recogniser.detect_fragments(crop) if crop.size else []
            cell_lines = lines_from_fragments(cell_fragments)
            text = canonical_cell("\n".join(line.text for line in cell_lines))
            confidences = [line.confidence for line in cell_lines if line.confidence is not None]
            lines[cell] = RecognisedLine(text, grid.table.box_on_page(cell), min(confidences, default=None))
        return lines


def _cells_under(grid: TableGrid, fragment: Fragment) -> list[GridCell]:
    """The cells that contain a substantial part of the fragment's horizontal centre line; none outside the table."""
    left, top, right, bottom = fragment.box
    y = (top + bottom) / 2
    shares: dict[GridCell, int] = {}
    steps = 24
    for step in range(steps):
        x, table_y = grid.table.from_page(left + (right - left) * (step + 0.5) / steps, y)
        for cell in grid.cells:
            x0, y0, x1, y1 = cell.box
            if x0 <= x < x1 and y0 <= table_y < y1:
                shares[cell] = shares.get(cell, 0) + 1
    most = max(shares.values(), default=0)
    return [cell for cell, share in shares.items() if share >= max(3, most * 0.25)]


def _crop(pixels: Pixels, cell: GridCell) -> Pixels:
    left, top, right, bottom = cell.box
    dx, dy = max(3, round(INSET * (right - left))), max(3, round(INSET * (bottom - top)))
    return pixels[top + dy : bottom - dy, left + dx : right - dx]
