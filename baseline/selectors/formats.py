"""Which format a page asks its participants for."""

from __future__ import annotations

from baseline.responses import ResponseFormat
from evaluation.models import GoldItem
from evaluation.prediction_formats import asks_for_regions


def format_of(item: GoldItem) -> ResponseFormat:
    """The format of the item's responses, which is the one its release asks of every system."""
    if not asks_for_regions(item.release, item):
        return ResponseFormat(item.structure)
    return ResponseFormat(item.structure, tuple(region["number"] for region in item.record["regions"]))
