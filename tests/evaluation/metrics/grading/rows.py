"""Judgements for tests, and the location of the reference vectors."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from evaluation.metrics.grading import (
    GradingRow,
    Judgement,
)
from evaluation.payloads.taxonomy import DIAGRAM_TAXONOMY

ROOT = Path(__file__).parents[4]
SHARED = Path(os.environ.get("INKBENCH_SHARED", ROOT.parent / "shared"))
VECTORS = SHARED / "vectors" / "grading"
HAND_MADE = ROOT / "tests" / "data" / "grading" / "hand_made.jsonl"
needs_shared = pytest.mark.skipif(not VECTORS.exists(), reason="needs ../shared")
OMISSION, ACCURACY = "chart::omission error", "chart::data accuracy error"


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def row(answer_id: str, gold: bool, reply: str | None, *errors: str) -> GradingRow:
    return GradingRow(answer_id, "chart", gold, errors, reply)


judgements = st.lists(
    st.sampled_from(sorted(DIAGRAM_TAXONOMY)).flatmap(
        lambda domain: st.builds(
            Judgement,
            st.just("x"),
            st.just(domain),
            st.booleans(),
            st.booleans(),
            st.lists(st.sampled_from(DIAGRAM_TAXONOMY.ids(domain)), max_size=3).map(tuple),
            st.lists(st.sampled_from(DIAGRAM_TAXONOMY.ids(domain)), max_size=3).map(tuple),
        )
    ),
    max_size=30,
)
