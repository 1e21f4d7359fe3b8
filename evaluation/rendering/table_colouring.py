"""What TEDS saw of a table, cell by cell: the ground truth's grid, each cell with what became of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evaluation.metrics.edge_cases import TooLarge
from evaluation.metrics.table.cell_diff import CellDiff, CellState, diff_cells
from evaluation.metrics.table.inkbench import InkbenchTable, read_tables
from evaluation.metrics.table.parse import TagTokens
from evaluation.payloads.mask_mark import remove_masks

MAX_CELLS = 2_000  # more are no help to an eye


@dataclass(frozen=True, slots=True)
class ColouredCell:
    """A cell of the ground truth; `answer` is what the prediction has there where that differs."""

    text: str
    colspan: int
    rowspan: int
    state: str  # CellState
    answer: str = ""


@dataclass(frozen=True, slots=True)
class ColouredTable:
    """One table of the ground truth, row by row, and the texts of cells that only the prediction has."""

    rows: tuple[tuple[ColouredCell, ...], ...]
    extra: tuple[str, ...]


def colour_tables(*, prediction: str, gold: str) -> list[ColouredTable]:
    """The ground truth's tables; none where they are too large to be shown or to be read.

    >>> row = "<table><tr><td>{}</td><td>b</td></tr></table>".format
    >>> [(cell.text, cell.state, cell.answer) for cell in colour_tables(prediction=row("x"), gold=row("a"))[0].rows[0]]
    [('a', 'changed', 'x'), ('b', 'equal', '')]
    """
    try:
        tokens = TagTokens()
        tables = read_tables(remove_masks(gold), tokens, structure_only=False)
        if sum(len(table.cells) for table in tables) > MAX_CELLS:
            return []
        cells = diff_cells(prediction, gold)
    except TooLarge:
        return []
    by_table: dict[int, list[CellDiff]] = {}
    for cell in cells:
        by_table.setdefault(cell.table, []).append(cell)
    return [_coloured(table, by_table.get(index, []), tokens) for index, table in enumerate(tables)]


def _coloured(table: InkbenchTable, cells: list[CellDiff], tokens: TagTokens) -> ColouredTable:
    known = {cell.reference: cell for cell in cells if cell.reference is not None}
    rows: dict[int, list[ColouredCell]] = {}
    for place, cell in zip(table.cells, _cells(table, tokens), strict=True):
        text, colspan, rowspan = cell
        diff = known.get(place)
        state = diff.state if diff is not None else CellState.MISSING
        answer = diff.prediction_text if diff is not None and state is CellState.CHANGED else ""
        rows.setdefault(place[0], []).append(ColouredCell(text, colspan, rowspan, state.value, answer))
    extra = tuple(cell.prediction_text for cell in cells if cell.state is CellState.EXTRA)
    return ColouredTable(tuple(tuple(rows[number]) for number in sorted(rows)), extra)


def _cells(table: InkbenchTable, tokens: TagTokens) -> Iterator[tuple[str, int, int]]:
    for label in table.forest.labels:
        if label.text is not None:
            yield tokens.spell(label.text), label.colspan, label.rowspan
