"""TEDS and TEDS-S of the public programs, row by row."""

from __future__ import annotations

from typing import Any

import pytest

from evaluation.metrics.table import teds
from tests.evaluation.metrics.table.vectors import OWN, PROGRAMS, SHARED, read_rows


def _check(row: dict[str, Any], preset: str, program: str) -> None:
    for key, structure_only in (("teds", False), ("teds_s", True)):
        score = teds(row["pred"], row["gt"], preset=preset, structure_only=structure_only)
        expected = row["scores"][program][key]
        if expected is None:
            assert score.value is None, (row["id"], key, score)
        else:
            assert score.value == pytest.approx(expected, abs=1e-6), (row["id"], key, score)


@pytest.mark.parametrize(("preset", "program"), PROGRAMS.items())
@pytest.mark.parametrize("row", read_rows(OWN), ids=lambda row: row["id"])
def test_own_row_when_scored_then_as_the_public_program(
    row: dict[str, Any], preset: str, program: str
) -> None:
    _check(row, preset, program)


@pytest.mark.skipif(not SHARED.exists(), reason="needs ../shared")
@pytest.mark.parametrize(("preset", "program"), PROGRAMS.items())
def test_every_row_when_scored_then_as_the_public_program(preset: str, program: str) -> None:
    for row in read_rows(SHARED):
        _check(row, preset, program)
