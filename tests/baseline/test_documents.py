"""What docs/baseline.md claims is shown by tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_page_when_it_names_a_test_then_that_test_exists() -> None:
    page = (ROOT / "docs" / "baseline.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| ")][1:]
    claims = [re.findall(r"`(test_\w+)`", row) for row in rows]
    assert len(claims) > 10 and all(claims), "a claim without a test"
    there = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    assert [name for names in claims for name in names if f"def {name}(" not in there] == []
