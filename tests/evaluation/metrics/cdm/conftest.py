"""Shared data of the CDM tests."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[4]
SHARED = Path(os.environ.get("INKBENCH_SHARED", ROOT.parent / "shared"))


@pytest.fixture(scope="session")
def own_rows() -> list[dict[str, Any]]:
    """Pairs made for this project, with the reference programs' F1."""
    return [json.loads(line) for line in (ROOT / "tests/data/cdm_own.jsonl").read_text("utf-8").splitlines()]


@pytest.fixture(scope="session")
def formulas(own_rows: list[dict[str, Any]]) -> list[str]:
    """Their distinct formulas."""
    return list(dict.fromkeys(row[side] for row in own_rows for side in ("gt", "pred")))
