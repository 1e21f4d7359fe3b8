"""The metrics: text, tables, formulas, grading, agreement. Pure Python, no site, nothing heavy until it is used.

>>> from evaluation.metrics import edit
>>> edit("ink", "pink").value
0.25
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evaluation.metrics.cdm import cdm_corpus as cdm_corpus
    from evaluation.metrics.cdm import cdm_strict as cdm_strict
    from evaluation.metrics.cdm import cdm_strict_corpus as cdm_strict_corpus
    from evaluation.metrics.grading import grade_accuracy as grade_accuracy
    from evaluation.metrics.grading import grade_accuracy_corpus as grade_accuracy_corpus
    from evaluation.metrics.grading import grade_errors as grade_errors
    from evaluation.metrics.grading import grade_errors_corpus as grade_errors_corpus
    from evaluation.metrics.registry import all_metrics as all_metrics
    from evaluation.metrics.registry import get as get
    from evaluation.metrics.table import teds as teds
    from evaluation.metrics.table import teds_corpus as teds_corpus
    from evaluation.metrics.text import bleu as bleu
    from evaluation.metrics.text import bleu_corpus as bleu_corpus
    from evaluation.metrics.text import cer as cer
    from evaluation.metrics.text import cer_corpus as cer_corpus
    from evaluation.metrics.text import edit as edit
    from evaluation.metrics.text import edit_corpus as edit_corpus
    from evaluation.metrics.text import ned as ned
    from evaluation.metrics.text import ned_corpus as ned_corpus
    from evaluation.metrics.text import token_f1 as token_f1
    from evaluation.metrics.text import token_f1_corpus as token_f1_corpus
    from evaluation.metrics.text import wer as wer
    from evaluation.metrics.text import wer_corpus as wer_corpus

_STRINGS = ("edit", "cer", "wer", "ned", "bleu", "token_f1")
_HOMES = {
    **dict.fromkeys(_STRINGS, "text"),
    **{f"{name}_corpus": "text" for name in _STRINGS},
    "teds": "table",
    "teds_corpus": "table",
    "grade_accuracy": "grading",
    "grade_accuracy_corpus": "grading",
    "grade_errors": "grading",
    "grade_errors_corpus": "grading",
    "cdm_corpus": "cdm",
    "cdm_strict": "cdm",
    "cdm_strict_corpus": "cdm",
    "get": "registry",
    "all_metrics": "registry",
}


def __getattr__(name: str) -> Any:
    # Looked up when first asked for: tables bring numpy and lxml, formulas a font reader.
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
