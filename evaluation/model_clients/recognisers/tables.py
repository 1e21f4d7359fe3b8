"""The embedded text models put to tables: rough drafts, to be taken cell by cell."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from evaluation.errors import LocalizedError
from evaluation.errors import gettext_noop as _
from evaluation.model_clients.failures import FailureKind
from evaluation.model_clients.recognisers.base import RecognisedLine, RecognisedPage, RecogniserFailed
from evaluation.model_clients.recognisers.embedded import EmbeddedRecogniser, fragments_of
from evaluation.model_clients.recognisers.images import pixels_bgr
from evaluation.model_clients.recognisers.lines import Fragment, lines_from_fragments
from evaluation.model_clients.recognisers.model_loading import EmbeddedModel
from evaluation.model_clients.recognisers.ruled_table import find_ruled_grid
from evaluation.model_clients.recognisers.table_grid import Pixels, Slot, TableGrid
from evaluation.model_clients.recognisers.table_structure import SLANetPlus, grid_of_seen
from evaluation.model_clients.recognisers.unruled_table import table_of_writing
from evaluation.payloads.grid import BadTable, Cell, Table, canonical_cell
from evaluation.payloads.table import write_table

INSET = 0.04  # of a cell's side, cut away with its border when a cell is read alone


class GridFinder(Protocol):
    """Finds the table of a page. `parameters` go with every reading, also with one that failed."""

    @property
    def parameters(self) -> Mapping[str, Any]: ...

    def find(self, pixels: Pixels, fragments: Sequence[Fragment]) -> TableGrid:
        """The grid of the page's table; `fragments` are what was read on the page. Raises RecogniserFailed."""


@dataclass(frozen=True, slots=True)
class RuledLines:
    """The grid as its lines are ruled. Header cells are not told from others: that is left to the annotator."""

    @property
    def parameters(self) -> Mapping[str, Any]:
        return {"table": "ruled lines"}

    def find(self, pixels: Pixels, fragments: Sequence[Fragment]) -> TableGrid:
        grid = find_ruled_grid(pixels)
        if grid is None:
            raise RecogniserFailed(
                FailureKind.EMPTY, LocalizedError(_("no table with ruled lines was found on this page"))
            )
        return grid


@dataclass(frozen=True, slots=True)
class SeenStructure:
    """The grid as a structure model sees it on the table alone: inside its ruled lines, or around what is written."""

    model: EmbeddedModel[SLANetPlus]

    @property
    def parameters(self) -> Mapping[str, Any]:
        return {"table": self.model.model, "table_version": self.model.version}

    def find(self, pixels: Pixels, fragments: Sequence[Fragment]) -> TableGrid:
        ruled = find_ruled_grid(pixels)
        table = ruled.table if ruled else table_of_writing(pixels, fragments)
        if table is None:
            raise RecogniserFailed(
                FailureKind.EMPTY,
                LocalizedError(_("neither ruled lines nor text columns were found on this page")),
            )
        with self.model.engine() as engine:
            seen = engine.see(table.pixels)
        try:
            return grid_of_seen(seen, table)
        except BadTable as problem:
            raise RecogniserFailed(
                FailureKind.GARBAGE,
                LocalizedError.from_error(problem).within(
                    _("%(model)s returned no table"), model=self.model.model
                ),
                raw="".join(seen.tokens),
            ) from problem


@dataclass(frozen=True, slots=True)
class TableReader:
    """A table: its grid from `finder`, the words of each cell from a text model."""

    recogniser: EmbeddedRecogniser
    finder: GridFinder

    def read(self, image_png: bytes) -> RecognisedPage:
        pixels = pixels_bgr(image_png)
        reading = self.recogniser.read(image_png)
        parameters = dict(reading.parameters) | dict(self.finder.parameters)
        fragments = fragments_of(reading)
        started = time.monotonic()
        try:
            grid = self.finder.find(pixels, fragments)
        except RecogniserFailed as failure:
            raise RecogniserFailed(
                failure.kind,
                failure.reason,
                raw=failure.raw or reading.raw,
                attempts=1,
                parameters=parameters,
            ) from failure
        cells = self._cells(grid, fragments)
        rows: list[list[Cell]] = [[] for _ in range(grid.rows)]
        for slot in grid.slots:
            rows[slot.row].append(Cell(cells[slot].text, slot.is_header, slot.rowspan, slot.colspan))
        return replace(
            reading,
            text=write_table(Table(tuple(map(tuple, rows)))),
            lines=tuple(line for line in cells.values() if line.text),
            parameters=parameters,
            latency_s=round(reading.latency_s + time.monotonic() - started, 3),
        )

    def _cells(self, grid: TableGrid, fragments: Iterable[Fragment]) -> dict[Slot, RecognisedLine]:
        """What stands in each cell. Words that a detector drew together over a border are read again, cell by cell."""
        inside: dict[Slot, list[Fragment]] = {slot: [] for slot in grid.slots}
        again: set[Slot] = set()
        for fragment in fragments:
            touched = _slots_under(grid, fragment)
            if len(touched) == 1:
                inside[touched[0]].append(fragment)
            else:
                again.update(touched)
        lines = {}
        for slot, pieces in inside.items():
            if slot in again:
                crop = _crop(grid.table.pixels, slot)
                pieces = self.recogniser.find_pieces(crop) if crop.size else []
            found = lines_from_fragments(pieces)
            text = canonical_cell("\n".join(line.text for line in found))
            confidences = [line.confidence for line in found if line.confidence is not None]
            lines[slot] = RecognisedLine(text, grid.table.box_on_page(slot), min(confidences, default=None))
        return lines


def _slots_under(grid: TableGrid, fragment: Fragment) -> list[Slot]:
    """The cells that hold a fair part of a piece's middle line; none outside the table."""
    left, top, right, bottom = fragment.box
    y = (top + bottom) / 2
    shares: dict[Slot, int] = {}
    steps = 24
    for step in range(steps):
        x, flat_y = grid.table.place(left + (right - left) * (step + 0.5) / steps, y)
        for slot in grid.slots:
            x0, y0, x1, y1 = slot.box
            if x0 <= x < x1 and y0 <= flat_y < y1:
                shares[slot] = shares.get(slot, 0) + 1
    most = max(shares.values(), default=0)
    return [slot for slot, share in shares.items() if share >= max(3, most * 0.25)]


def _crop(flat: Pixels, slot: Slot) -> Pixels:
    left, top, right, bottom = slot.box
    dx, dy = max(3, round(INSET * (right - left))), max(3, round(INSET * (bottom - top)))
    return flat[top + dy : bottom - dy, left + dx : right - dx]
