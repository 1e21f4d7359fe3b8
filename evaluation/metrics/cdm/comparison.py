"""Comparison of two formulas: layouts, matched tokens, and the reason where there are none."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from evaluation.payloads.mask_mark import remove_masks

from .layout import FormulaLayout, lay_out
from .matching import MatchResult, match_drawings
from .presets import CdmPreset

_CACHED_LAYOUTS = 1024  # references recur once per system, predictions hardly ever


@dataclass(frozen=True, slots=True)
class FormulaComparison:
    """Layouts and matched tokens of a pair; `matched` is None where a side has nothing to match."""

    preset: CdmPreset
    reference: FormulaLayout
    prediction: FormulaLayout
    matched: MatchResult | None


def compare(prediction: str, reference: str, preset: CdmPreset) -> FormulaComparison:
    """Lay out both formulas and match them; mask marks of the reference are removed. Never raises for bad input."""
    reference = remove_masks(reference)
    drawn_reference = _cached_layout(reference, preset)
    drawn_prediction = drawn_reference if prediction == reference else lay_out(prediction, preset)
    matched = None
    if drawn_reference.is_drawn and drawn_prediction.is_drawn:
        matched = match_drawings(drawn_reference.drawing, drawn_prediction.drawing, preset.matching)
    return FormulaComparison(preset, drawn_reference, drawn_prediction, matched)


@lru_cache(maxsize=_CACHED_LAYOUTS)
def _cached_layout(latex: str, preset: CdmPreset) -> FormulaLayout:
    return lay_out(latex, preset, is_prediction=False)


def clear_layout_cache() -> None:
    """Empty the cache of reference layouts, for measurements."""
    _cached_layout.cache_clear()
