"""Tables: TEDS and TEDS-S, and the cell by cell difference pages colour by."""

from evaluation.metrics.table.teds import PRESETS, teds, teds_corpus, teds_signature

__all__ = ["PRESETS", "teds", "teds_corpus", "teds_signature"]
