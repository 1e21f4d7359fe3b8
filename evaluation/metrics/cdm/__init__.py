"""Character detection matching (CDM) of formulas without TeX, a browser or pixels.

>>> from evaluation.metrics.cdm import cdm
>>> cdm(r"\\frac{a}{b}", r"\\frac{a}{c}").value
0.6666666666666666
"""

from __future__ import annotations

from .comparison import FormulaComparison, compare
from .presets import PRESETS, find_preset
from .scoring import cdm, cdm_corpus, make_accumulator, metric_presets
from .strict import cdm_strict, cdm_strict_corpus

__all__ = [
    "PRESETS",
    "FormulaComparison",
    "cdm",
    "cdm_corpus",
    "cdm_strict",
    "cdm_strict_corpus",
    "compare",
    "find_preset",
    "make_accumulator",
    "metric_presets",
]
