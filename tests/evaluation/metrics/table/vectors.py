"""Locations of the reference scores of tables: own rows in the project, all rows beside it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[4]
OWN = ROOT / "tests" / "data" / "teds_own.jsonl"
SHARED = Path(os.environ.get("INKBENCH_SHARED", ROOT.parent / "shared")) / "vectors" / "teds.jsonl"
PROGRAMS = {
    "pubtabnet": "pubtabnet_wrapped",
    "omnidocbench-1.5": "odb15",
    "omnidocbench-1.6": "odb16",
}


def read_rows(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
