"""Tables: TEDS, TEDS-S, and the cell-by-cell difference by which pages colour tables."""

from evaluation.metrics.table.cell_diff import CellDiff, CellState, diff_cells
from evaluation.metrics.table.teds import (
    PRESETS,
    make_accumulator,
    metric_presets,
    teds,
    teds_corpus,
    teds_s,
    teds_s_corpus,
    teds_signature,
)

__all__ = [
    "PRESETS",
    "CellDiff",
    "CellState",
    "diff_cells",
    "make_accumulator",
    "metric_presets",
    "teds",
    "teds_corpus",
    "teds_s",
    "teds_s_corpus",
    "teds_signature",
]
