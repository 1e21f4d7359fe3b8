"""The demo's tables: what the notation says, what the pen rules."""

from __future__ import annotations

import pytest

from annotation.demo.drawing.page_scripts import load_pages
from annotation.demo.drawing.tables import TablePlan, read_table, ruled_lines


def test_table_when_cells_are_joined_then_the_truth_has_their_spans() -> None:
    table = read_table("# a | # b | <\n^ | c // d | $x < 1$")
    assert (table.rows, table.columns) == (2, 3)
    assert table.truth == (
        '<table><tr><th rowspan="2">a</th><th colspan="2">b</th></tr>'
        "<tr><td>c<br>d</td><td>$x &lt; 1$</td></tr></table>"
    )


def test_table_when_a_merged_cell_has_nothing_to_join_then_its_place_is_named() -> None:
    with pytest.raises(ValueError, match="row 1, column 1"):
        read_table("< | a")


def test_lines_when_a_cell_spans_two_columns_then_none_runs_through_it() -> None:
    table = read_table("a | <\nb | c")
    plan = TablePlan(xs=(0, 10, 20), ys=(0, 5, 10))
    middle = [line for line in ruled_lines(table, plan) if line[0] == line[2] == 10]
    assert middle == [(10, 5, 10, 10)]


def test_demo_when_loaded_then_has_tables_in_english_and_both_scripts_of_chinese_with_headers_and_spans() -> (
    None
):
    tables = [page for page in load_pages() if page.structure == "table"]
    assert {page.language for page in tables} == {"en", "zh-Hans", "zh-Hant"}
    for page in tables:
        assert "<th" in page.truth and "span=" in page.truth
