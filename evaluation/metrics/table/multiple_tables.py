"""Matching of predicted with reference tables, so that a sample with several tables has one score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.metrics.edge_cases import TooLarge
from evaluation.metrics.table.inkbench import InkbenchTable
from evaluation.metrics.table.tree_edit import MAX_NODE_PAIRS, tree_edit_distance
from evaluation.payloads.optimal_matching import optimal_pairs

_TIE = 1e-9  # at equal savings the smaller total is preferred


@dataclass(frozen=True, slots=True)
class TablePair:
    """A matched pair: indices into prediction and reference, edit distance, larger number of nodes."""

    prediction: int
    reference: int
    distance: float
    size: int

    @property
    def saved(self) -> float:
        """Nodes saved: size - distance, at least 0."""
        return max(self.size - self.distance, 0.0)


def pair_tables(predictions: Sequence[InkbenchTable], references: Sequence[InkbenchTable]) -> list[TablePair]:
    """The one-to-one matching that saves most nodes, in reference order, whatever the order on the page.

    Raises TooLarge if all tables together hold more than MAX_NODE_PAIRS pairs of nodes.
    """
    if not predictions or not references:
        return []
    if len(predictions) == len(references) == 1:
        return [_compare(0, 0, predictions[0], references[0])]
    nodes = sum(len(table.forest) for table in predictions), sum(len(table.forest) for table in references)
    if nodes[0] * nodes[1] > MAX_NODE_PAIRS:
        raise TooLarge(
            f"the tables hold {nodes[0]} x {nodes[1]} nodes; at most {MAX_NODE_PAIRS} pairs are compared"
            " (MAX_NODE_PAIRS)"
        )
    pairs = [
        [_compare(i, j, pred, ref) for i, pred in enumerate(predictions)] for j, ref in enumerate(references)
    ]
    gains = np.array([[pair.saved - _TIE * pair.size for pair in row] for row in pairs])
    return [pairs[row][column] for row, column in optimal_pairs(gains, maximize=True)]


def _compare(pred_index: int, ref_index: int, pred: InkbenchTable, ref: InkbenchTable) -> TablePair:
    distance = tree_edit_distance(pred.forest, ref.forest)
    return TablePair(pred_index, ref_index, distance, max(pred.size, ref.size))
