"""The examples in docstrings and docs are run, and the names of the package are functions."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import evaluation.metrics
from evaluation.metrics import registry

PAGES = Path(__file__).parents[3] / "docs" / "metrics"
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(evaluation.metrics.__path__, "evaluation.metrics.")
    if not module.name.endswith("__main__")
)


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_when_run_then_tell_the_truth(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("page", ["edit", "error-rates", "bleu", "token-f1"])
def test_pages_when_their_examples_are_run_then_tell_the_truth(page: str) -> None:
    failed, attempted = doctest.testfile(str(PAGES / f"{page}.md"), module_relative=False, encoding="utf-8")
    assert (failed, attempted > 3) == (0, True)


@pytest.mark.parametrize("name", sorted({*registry.exported_modules(), "all_metrics", "get"}))
def test_names_of_the_package_when_every_module_is_loaded_then_are_still_functions(name: str) -> None:
    for module in MODULES:
        importlib.import_module(module)
    assert callable(getattr(evaluation.metrics, name))
    assert name in dir(evaluation.metrics)


def test_names_of_the_package_when_unknown_then_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        evaluation.metrics.nonsense  # noqa: B018
