"""`make verify-metrics` for the string metrics, on the reference vectors beside the project."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from benchmarks.metrics import verify, verify_text

SHARED = Path(os.environ.get("INKBENCH_SHARED", Path(__file__).parents[3].parent / "shared"))
needs_shared = pytest.mark.skipif(not (SHARED / "vectors").is_dir(), reason="needs ../shared")


@needs_shared
def test_verify_text_when_run_on_the_vectors_then_nothing_is_off(capsys: pytest.CaptureFixture[str]) -> None:
    assert verify_text.main(SHARED / "vectors") == 0
    assert "0 rows off, 0 excepted" in capsys.readouterr().out


@needs_shared
def test_own_rows_when_copied_then_equal_the_shared_ones() -> None:
    copied = Path(__file__).parents[2] / "data" / "text_own.jsonl"
    shared = [
        json.loads(line) for line in (SHARED / "vectors" / "text.jsonl").read_text("utf-8").splitlines()
    ]
    own = [row for row in shared if row["source"] == "own"]
    assert [json.loads(line) for line in copied.read_text("utf-8").splitlines()] == own


def test_verify_text_when_a_reference_figure_is_other_then_it_is_off(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (Path(__file__).parents[2] / "data" / "text_own.jsonl").read_text("utf-8").splitlines()
    row = json.loads(lines[0])
    row["scores"]["cer"] += 1e-8
    (tmp_path / "text.jsonl").write_text("\n".join([json.dumps(row), *lines[1:]]), encoding="utf-8")
    assert verify_text.main(tmp_path) == 1
    assert f"{row['id']} cer:" in capsys.readouterr().out


def test_verify_when_vectors_are_not_there_then_says_where_they_should_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify.main(tmp_path / "nowhere") == 2
    assert "INKBENCH_SHARED" in capsys.readouterr().out
