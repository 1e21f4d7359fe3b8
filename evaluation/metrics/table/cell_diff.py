"""Which cell answers which, cell by cell: for colouring tables and for counting kinds of cell errors.

Rows are aligned first, by the exact edit distance between rows, then the cells of aligned rows. Within these
two steps the alignment is optimal; among equal ones a pairing is taken before a gap, and a gap in the
prediction before one in the reference. It explains a score and does not enter it: TEDS itself may pair a cell
with a cell of another row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from evaluation.metrics.table.inkbench import InkTable, read_tables
from evaluation.metrics.table.multiple_tables import pair_tables
from evaluation.metrics.table.parse import TagTokens
from evaluation.metrics.table.rename_costs import rename_cost
from evaluation.metrics.table.tree import roots_between
from evaluation.metrics.table.tree_edit import subtree_distances
from evaluation.payloads.alignment import Step, align
from evaluation.payloads.mask_mark import remove_masks

_Place = tuple[int, int]


class CellState(StrEnum):
    """What became of a cell."""

    EQUAL = "equal"
    CHANGED = "changed"  # text or spans differ
    MISSING = "missing"  # in the reference only
    EXTRA = "extra"  # in the prediction only


@dataclass(frozen=True, slots=True)
class CellDiff:
    """One cell of the reference, the prediction, or both; places are (row, place in row) from 0."""

    state: CellState
    table: int  # position of the reference's table; of the prediction's for tables nobody asked for
    reference: _Place | None
    prediction: _Place | None
    reference_text: str
    prediction_text: str
    cost: float  # rename cost 0..1; 1 for a missing or extra cell

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON-able form."""
        return asdict(self)


def diff_cells(prediction: str, reference: str) -> list[CellDiff]:
    """The cells of all tables as `inkbench-1` reads them, in reading order of the reference.

    Errors: TooLarge.

    >>> row = "<table><tr><td>{}</td><td>b</td></tr></table>".format
    >>> [(cell.state.value, cell.prediction_text) for cell in diff_cells(row("x"), row("a"))]
    [('changed', 'x'), ('equal', 'b')]
    """
    tokens = TagTokens()
    theirs = read_tables(remove_masks(reference), tokens, structure_only=False)
    mine = read_tables(prediction, tokens, structure_only=False)
    partner = {pair.reference: pair.prediction for pair in pair_tables(mine, theirs)} if mine else {}
    found: list[CellDiff] = []
    for at, table in enumerate(theirs):
        other = mine[partner[at]] if at in partner else None
        found += _diff_tables(at, other, table, tokens)
    for at, table in enumerate(mine):
        if at not in partner.values():
            found += _diff_tables(at, table, None, tokens)
    return found


def _diff_tables(
    at: int, prediction: InkTable | None, reference: InkTable | None, tokens: TagTokens
) -> list[CellDiff]:
    mine, theirs = _rows(prediction), _rows(reference)
    if prediction is None or reference is None:
        steps: list[Step] = [(row, None) for row in range(len(mine))]
        steps += [(None, row) for row in range(len(theirs))]
    else:
        costs = subtree_distances(prediction.forest, reference.forest)
        ends_mine, ends_theirs = [stop for _, stop in mine], [stop for _, stop in theirs]
        steps = align(
            [stop - start + 1 for start, stop in mine],
            [stop - start + 1 for start, stop in theirs],
            lambda i, j: float(costs[ends_mine[i], ends_theirs[j]]),
        )
    found: list[CellDiff] = []
    for i, j in steps:
        found += _diff_rows(at, (prediction, i, mine), (reference, j, theirs), tokens)
    return found


_Row = tuple[InkTable | None, int | None, list[tuple[int, int]]]


def _diff_rows(at: int, mine: _Row, theirs: _Row, tokens: TagTokens) -> list[CellDiff]:
    my_cells, their_cells = _cells(mine), _cells(theirs)
    steps = align(
        [1.0] * len(my_cells),
        [1.0] * len(their_cells),
        lambda i, j: rename_cost(my_cells[i], their_cells[j]),
    )
    found = []
    for i, j in steps:
        cost = 1.0 if i is None or j is None else rename_cost(my_cells[i], their_cells[j])
        found.append(
            CellDiff(
                _state(i, j, cost),
                at,
                None if j is None or theirs[1] is None else (theirs[1], j),
                None if i is None or mine[1] is None else (mine[1], i),
                "" if j is None else tokens.spell(their_cells[j].text or ""),
                "" if i is None else tokens.spell(my_cells[i].text or ""),
                cost,
            )
        )
    return found


def _state(mine: int | None, theirs: int | None, cost: float) -> CellState:
    if mine is None:
        return CellState.MISSING
    if theirs is None:
        return CellState.EXTRA
    return CellState.EQUAL if cost == 0 else CellState.CHANGED


def _rows(table: InkTable | None) -> list[tuple[int, int]]:
    """(first cell, row node) positions of each row in the table's postorder."""
    if table is None:
        return []
    sizes = table.forest.sizes
    return [(root - sizes[root] + 1, root) for root in roots_between(sizes, 0, len(sizes) - 1)]


def _cells(row: _Row) -> Sequence[Any]:
    table, number, bounds = row
    if table is None or number is None:
        return ()
    start, stop = bounds[number]
    return table.forest.labels[start:stop]
