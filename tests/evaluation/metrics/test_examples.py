"""The examples in docstrings and on the metrics' pages are run, and the package's names are what they say."""

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


@pytest.mark.parametrize("name", sorted(evaluation.metrics._HOMES))
def test_names_of_the_package_when_every_module_is_loaded_then_are_still_functions(name: str) -> None:
    for module in MODULES:
        importlib.import_module(module)
    assert callable(getattr(evaluation.metrics, name))
    assert name in dir(evaluation.metrics)


def test_names_of_the_package_when_unknown_then_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        evaluation.metrics.nonsense  # noqa: B018


def test_registry_when_listed_then_each_metric_scores_and_adds_up() -> None:
    samples = {
        "text": ("the hat", "the cat"),
        "table": ("<table><tr><td>1</td></tr></table>", "<table><tr><td>2</td></tr></table>"),
        "formula": ("x^2", "x^3"),
    }
    for spec in registry.all_metrics():
        assert spec.name == registry.get(spec.name).name
        if spec.kinds == {"grade"}:
            continue  # judged in grading/: its sides are verdicts
        prediction, reference = samples[min(spec.kinds)]
        for preset in spec.presets:
            score = spec.sample(prediction, reference, preset=preset)
            assert score.direction is spec.direction
            assert f"preset:{preset}" in str(score.signature)
            corpus = spec.corpus([(prediction, reference), (None, reference)], preset=preset)
            assert (corpus.n, corpus.n_failed) == (2, 1)
            assert spec.sample(None, reference, preset=preset).value == spec.worst
            assert spec.make_accumulator is not None
            assert spec.make_accumulator(preset).signature == score.signature
    with pytest.raises(ValueError, match="known: edit"):
        registry.get("nonsense")
