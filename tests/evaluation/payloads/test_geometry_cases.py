"""Browser and server judge an outline by the same rules: both are held to tests/data/geometry_cases.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluation.payloads.geometry import BadGeometry, check_polygon, read_points

CASES = json.loads((Path(__file__).parents[2] / "data" / "geometry_cases.json").read_text(encoding="utf-8"))
WORDS = {
    "numbers": ("must be two whole numbers", "list of points"),
    "many": ("the limit is",),
    "few": ("at least three",),
    "outside": ("outside the image",),
    "repeated": ("same place",),
    "crosses": ("crosses itself",),
}


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: str(case["name"]))
def test_outline_when_judged_then_as_in_the_browser(case: dict[str, Any]) -> None:
    points, (width, height) = case["points"], CASES["image"]
    given = (
        [[index % width, index % height] for index in range(points)] if isinstance(points, int) else points
    )
    if case["fault"] is None:
        check_polygon(read_points(given), width, height)
        return
    with pytest.raises(BadGeometry) as refusal:
        check_polygon(read_points(given), width, height)
    assert any(words in str(refusal.value) for words in WORDS[case["fault"]])
    if "between" in case:
        assert "between points {} and {}.".format(*case["between"]) in str(refusal.value)
