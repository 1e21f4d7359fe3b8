"""The metrics of texts, tables, formulas and grading; agreement and resampling. Pure Python, without a site.

Each metric of the registry is a function here, with `<name>_corpus` beside it. `cdm` is a package: its function is
`evaluation.metrics.cdm.cdm`.

>>> from evaluation.metrics import edit
>>> edit("ink", "pink").value
0.25
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from evaluation.metrics.registry import all_metrics as all_metrics
from evaluation.metrics.registry import exported_modules
from evaluation.metrics.registry import get as get


def __getattr__(name: str) -> Any:
    module = exported_modules().get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(module), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *exported_modules()})
