"""Tables: TEDS and TEDS-S, and the cell by cell difference pages colour by."""

from evaluation.metrics.table.cell_diff import CellDiff, CellState, diff_cells
from evaluation.metrics.table.teds import PRESETS, teds, teds_corpus, teds_signature

__all__ = ["PRESETS", "CellDiff", "CellState", "diff_cells", "teds", "teds_corpus", "teds_signature"]
