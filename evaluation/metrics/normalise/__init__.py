"""Text normalisation for scoring, agreement and page matching.

>>> normalise("−3.14 cm", preset="omnidocbench-1.5"), normalise("−3.14 cm\\r\\n")
('314cm', '−3.14 cm')
"""

from __future__ import annotations

from evaluation.metrics.normalise.pipeline import PreparedText, explain, normalise, prepare
from evaluation.metrics.normalise.presets import DEFAULT, TextPreset, get_preset, preset_names

__all__ = [
    "DEFAULT",
    "PreparedText",
    "TextPreset",
    "explain",
    "get_preset",
    "normalise",
    "prepare",
    "preset_names",
]
