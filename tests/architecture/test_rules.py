"""Rules of the code that an import contract cannot express."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.apps import apps

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("config", "evaluation", "annotation", "baseline")
SPOKEN = ("views", "forms", "urls", "api", "templatetags")  # what answers people and programs
# String keys of another app's model, or of one app's: an import that no contract sees.
MODEL_BY_STRING = re.compile(r"\b(?:get_model|get_registered_model)\(")
SIGNAL = re.compile(
    r"django\.(?:db\.models|core|test|contrib\.auth)\.?signals|import receiver|\bSignal\(|@receiver"
)


def _sources(*folders: str) -> list[Path]:
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    assert paths
    return [path for path in paths if "migrations" not in path.parts]


def _reported(path: Path, pattern: re.Pattern[str]) -> Iterator[str]:
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if pattern.search(line):
            yield f"{path.relative_to(ROOT)}:{number}: {line.strip()}"


@pytest.mark.parametrize("pattern", [MODEL_BY_STRING, SIGNAL], ids=["model by string", "signal"])
def test_sources_when_searched_then_nothing_is_reached_behind_the_imports(pattern: re.Pattern[str]) -> None:
    assert [line for path in _sources(*PACKAGES) for line in _reported(path, pattern)] == []


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        (MODEL_BY_STRING, 'apps.get_model("annotation", "Label")'),
        (SIGNAL, "from django.db.models.signals import post_save"),
        (SIGNAL, "@receiver(post_save)"),
    ],
)
def test_search_when_a_source_breaks_the_rule_then_it_is_found(pattern: re.Pattern[str], line: str) -> None:
    assert pattern.search(line)


def _label_models() -> set[str]:
    return {
        model.__name__ for model in apps.get_models() if model.__module__ == "annotation.models.label"
    } | {"Draft"}


def _imported(source: str) -> Iterator[str]:
    """Names that a source takes from the models' package as a whole, which a contract on modules cannot tell apart."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module in (
            "annotation.models",
            "annotation.models.work",
        ):
            yield from (alias.name for alias in node.names)


@pytest.mark.parametrize("folder", SPOKEN)
def test_pages_forms_and_api_when_read_then_none_imports_a_model_with_label_content(folder: str) -> None:
    hidden = _label_models()
    assert {"Label", "Suggestion", "Note", "Dispute"} < hidden
    taken = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in _sources(f"annotation/{folder}")
        for name in _imported(path.read_text())
        if name in hidden
    ]
    assert taken == []


def test_imported_when_a_page_takes_label_content_then_it_is_found() -> None:
    assert set(_imported("from annotation.models import Label, Sample")) & _label_models() == {"Label"}
