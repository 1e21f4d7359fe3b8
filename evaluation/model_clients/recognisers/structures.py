"""The embedded text models put to tables and formulas: rough drafts, to be taken piece by piece."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace

from evaluation.model_clients.failures import FailureKind
from evaluation.model_clients.recognisers.answers import page_of_formulas
from evaluation.model_clients.recognisers.base import Line, Reading, RecogniserFailed
from evaluation.model_clients.recognisers.embedded import EmbeddedRecogniser
from evaluation.model_clients.recognisers.images import pixels_bgr
from evaluation.model_clients.recognisers.linear_maths import latex_of_line
from evaluation.model_clients.recognisers.lines import Fragment, lines_from_fragments
from evaluation.model_clients.recognisers.ruled_table import Pixels, RuledGrid, Slot, find_ruled_grid
from evaluation.payloads.grid import Cell, Table, canonical_cell
from evaluation.payloads.table import write_table
from evaluation.told import Told
from evaluation.told import gettext_noop as _

INSET = 0.04  # of a cell's side, cut away with its border when a cell is read alone


@dataclass(frozen=True, slots=True)
class RuledTableReader:
    """A table with ruled lines: the grid from its lines, the words of each cell from a text model.

    Header cells are not told from others: which they are is left to the annotator.
    """

    recogniser: EmbeddedRecogniser

    def read(self, image_png: bytes) -> Reading:
        pixels = pixels_bgr(image_png)
        reading = self.recogniser.read(image_png)
        grid = find_ruled_grid(pixels)
        if grid is None:
            raise RecogniserFailed(
                FailureKind.EMPTY,
                Told(_("no table with ruled lines was found on this page")),
                raw=reading.raw,
                attempts=1,
                parameters=reading.parameters,
            )
        cells = self._cells(grid, fragments_of(reading))
        rows: list[list[Cell]] = [[] for _ in range(grid.rows)]
        for slot in grid.slots:
            rows[slot.row].append(
                Cell(cells[slot].text if slot in cells else "", rowspan=slot.rowspan, colspan=slot.colspan)
            )
        return replace(
            reading,
            text=write_table(Table(tuple(map(tuple, rows)))),
            lines=tuple(line for line in cells.values() if line.text),
            parameters=dict(reading.parameters) | {"table": "ruled lines"},
        )

    def _cells(self, grid: RuledGrid, fragments: Iterable[Fragment]) -> dict[Slot, Line]:
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
                pieces = self.recogniser.find_pieces(_crop(grid.flat, slot))
            found = lines_from_fragments(pieces)
            text = canonical_cell("\n".join(line.text for line in found))
            confidences = [line.confidence for line in found if line.confidence is not None]
            lines[slot] = Line(text, grid.box_on_page(slot), min(confidences, default=None))
        return lines


@dataclass(frozen=True, slots=True)
class LinearFormulaReader:
    """Each written line as one formula: the text model's one-line reading turned into rough LaTeX."""

    recogniser: EmbeddedRecogniser

    def read(self, image_png: bytes) -> Reading:
        reading = self.recogniser.read(image_png)
        lines = tuple(replace(line, text=latex_of_line(line.text)) for line in reading.lines)
        kept = tuple(line for line in lines if line.text)
        return replace(
            reading,
            text=page_of_formulas(tuple(line.text for line in kept)),
            lines=kept,
            parameters=dict(reading.parameters) | {"formulas": "one line of text each"},
        )


def fragments_of(reading: Reading) -> list[Fragment]:
    """The pieces of a page that an embedded recogniser read and kept."""
    least = float(reading.parameters["min_confidence"])
    pieces = []
    for item in json.loads(reading.raw):
        first, second, third, fourth = ((x, y) for x, y in item["box"])
        pieces.append(Fragment(item["text"], (first, second, third, fourth), item["score"]))
    return [piece for piece in pieces if piece.confidence >= least and piece.text.strip()]


def _slots_under(grid: RuledGrid, fragment: Fragment) -> list[Slot]:
    """The cells that hold a fair part of a piece's middle line; none outside the table."""
    left, top, right, bottom = fragment.box
    y = (top + bottom) / 2
    shares: dict[Slot, int] = {}
    steps = 24
    for step in range(steps):
        x, flat_y = grid.place(left + (right - left) * (step + 0.5) / steps, y)
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
