"""The worked examples of docs/metrics/teds.md are what the code gives."""

from __future__ import annotations

import pytest

from evaluation.metrics.table import PRESETS, teds
from tests.evaluation.metrics.table.vectors import ROOT

PAGE = ROOT / "docs" / "metrics" / "teds.md"


def table(*rows: tuple[str, ...], cell: str = "td") -> str:
    body = "".join("<tr>" + "".join(f"<{cell}>{text}</{cell}>" for text in row) + "</tr>" for row in rows)
    return f"<table>{body}</table>"


EXAMPLES = {
    "header `ab` read as `xy`, both `th`": (table(("xy",), cell="th"), table(("ab",), cell="th")),
    "one wrong cell of two, all cells in `<b>`/`<i>`": (
        table(("<b>a</b>", "<b><i>x</i></b>")),
        table(("<b>a</b>", "<b><i>b</i></b>")),
    ),
    "the same without the tags": (table(("a", "x")), table(("a", "b"))),
    "`<tr>` repeated 51 times against a row of three cells": (
        "<table>" + "<tr>" * 51,
        table(("a", "b", "c")),
    ),
    '`colspan="3.0"` for `3`': (
        '<table><tr><td colspan="3.0">Lab</td></tr></table>',
        '<table><tr><td colspan="3">Lab</td></tr></table>',
    ),
    "second of two tables wrong": (table(("a",)) + table(("x",)), table(("a",)) + table(("b",))),
    "` a ` for `a`": (table((" a ",)), table(("a",))),
    "`x2` for `x<sup>2</sup>`": (table(("x2",)), table(("x<sup>2</sup>",))),
    "`p` for `p&lt;b&gt;`": (table(("p",)), table(("p&lt;b&gt;",))),
    "`7000` for `1000`": (table(("7000",)), table(("1000",))),
    "two rows swapped": (table(("c", "d"), ("a", "b")), table(("a", "b"), ("c", "d"))),
    "transposed": (table(("a", "c"), ("b", "d")), table(("a", "b"), ("c", "d"))),
    "four cells as two rows of two": (table(("a", "b"), ("c", "d")), table(("a", "b", "c", "d"))),
    "a span read as two cells": (
        table(("a", ""), ("1", "2")),
        '<table><tr><td colspan="2">a</td></tr><tr><td>1</td><td>2</td></tr></table>',
    ),
}


def shown(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}".rstrip("0").rstrip(".").replace("-", "−")


@pytest.mark.parametrize("case", EXAMPLES)
def test_example_when_computed_then_as_the_page_says(case: str) -> None:
    prediction, reference = EXAMPLES[case]
    [row] = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith(f"| {case} |")]
    figures = [cell.strip().strip("*") for cell in row.strip().strip("|").split("|")[1:]]
    computed = [shown(teds(prediction, reference, preset=preset).value) for preset in PRESETS]
    assert figures == computed
