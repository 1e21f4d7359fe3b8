"""Alignment of cells, for colouring tables and counting kinds of cell errors.

Rows are aligned first, by the exact edit distance between rows, then the cells of aligned rows. Each of the
two steps is optimal; at ties a pair is preferred to a gap, and a gap in the prediction to one in the reference. The
alignment explains a score and does not enter it: TEDS itself may pair cells of different rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from evaluation.metrics.table.inkbench import InkbenchTable, read_tables
from evaluation.metrics.table.multiple_tables import pair_tables
from evaluation.metrics.table.parse import TagTokens
from evaluation.metrics.table.rename_costs import rename_cost
from evaluation.metrics.table.tree import roots_between
from evaluation.metrics.table.tree_edit import subtree_distances
from evaluation.payloads.alignment import Step, align
from evaluation.payloads.mask_mark import remove_masks

_Place = tuple[int, int]


class CellState(StrEnum):
    """Whether a cell was read correctly."""

    EQUAL = "equal"
    CHANGED = "changed"  # text or spans differ
    MISSING = "missing"  # in the reference only
    EXTRA = "extra"  # in the prediction only


@dataclass(frozen=True, slots=True)
class CellDiff:
    """One cell of the reference, the prediction, or both; positions are (row, cell in the row) from 0."""

    state: CellState
    table: int  # index of the reference's table; of the prediction's for an extra table
    reference: _Place | None
    prediction: _Place | None
    reference_text: str
    prediction_text: str
    cost: float  # rename cost 0..1; 1 for a missing or extra cell

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON-able form."""
        return asdict(self)


def diff_cells(prediction: str, reference: str) -> list[CellDiff]:
    """The cells of all tables as `inkbench-1` reads them, in reading order of the reference. Raises TooLarge.

    >>> row = "<table><tr><td>{}</td><td>b</td></tr></table>".format
    >>> [(cell.state.value, cell.prediction_text) for cell in diff_cells(row("x"), row("a"))]
    [('changed', 'x'), ('equal', 'b')]
    """
    tokens = TagTokens()
    ref = read_tables(remove_masks(reference), tokens, structure_only=False)
    pred = read_tables(prediction, tokens, structure_only=False)
    partner = {pair.reference: pair.prediction for pair in pair_tables(pred, ref)} if pred else {}
    cells: list[CellDiff] = []
    for index, table in enumerate(ref):
        other = pred[partner[index]] if index in partner else None
        cells += _diff_tables(index, other, table, tokens)
    for index, table in enumerate(pred):
        if index not in partner.values():
            cells += _diff_tables(index, table, None, tokens)
    return cells


def _diff_tables(
    index: int, prediction: InkbenchTable | None, reference: InkbenchTable | None, tokens: TagTokens
) -> list[CellDiff]:
    pred, ref = _rows(prediction), _rows(reference)
    if prediction is None or reference is None:
        steps: list[Step] = [(row, None) for row in range(len(pred))]
        steps += [(None, row) for row in range(len(ref))]
    else:
        costs = subtree_distances(prediction.forest, reference.forest)
        pred_ends, ref_ends = [stop for _, stop in pred], [stop for _, stop in ref]
        steps = align(
            [stop - start + 1 for start, stop in pred],
            [stop - start + 1 for start, stop in ref],
            lambda i, j: float(costs[pred_ends[i], ref_ends[j]]),
        )
    cells: list[CellDiff] = []
    for i, j in steps:
        cells += _diff_rows(index, (prediction, i, pred), (reference, j, ref), tokens)
    return cells


_Row = tuple[InkbenchTable | None, int | None, list[tuple[int, int]]]


def _diff_rows(index: int, pred: _Row, ref: _Row, tokens: TagTokens) -> list[CellDiff]:
    pred_cells, ref_cells = _cells(pred), _cells(ref)
    steps = align(
        [1.0] * len(pred_cells),
        [1.0] * len(ref_cells),
        lambda i, j: rename_cost(pred_cells[i], ref_cells[j]),
    )
    cells = []
    for i, j in steps:
        cost = 1.0 if i is None or j is None else rename_cost(pred_cells[i], ref_cells[j])
        cells.append(
            CellDiff(
                _state(i, j, cost),
                index,
                None if j is None or ref[1] is None else (ref[1], j),
                None if i is None or pred[1] is None else (pred[1], i),
                "" if j is None else tokens.spell(ref_cells[j].text or ""),
                "" if i is None else tokens.spell(pred_cells[i].text or ""),
                cost,
            )
        )
    return cells


def _state(pred: int | None, ref: int | None, cost: float) -> CellState:
    if pred is None:
        return CellState.MISSING
    if ref is None:
        return CellState.EXTRA
    return CellState.EQUAL if cost == 0 else CellState.CHANGED


def _rows(table: InkbenchTable | None) -> list[tuple[int, int]]:
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
