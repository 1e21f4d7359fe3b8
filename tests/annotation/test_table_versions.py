"""The versions of a disputed table as people read them: rows around a cell, numbered differences of structure."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from annotation.table_comparison import MarkedTable, marked_table, rows_around
from annotation.templatetags.fields import difference_words
from evaluation.payloads.table_fields import pair_tables


def fields_of(first: str, second: str) -> list[Any]:
    """The fields of a discussion of two tables, as its worksheet holds them."""
    return [
        SimpleNamespace(kind=str(pair.kind), key=pair.key, primary_text=pair.first, second_text=pair.second)
        for pair in pair_tables(first, second)
    ]


def table(*rows: str) -> str:
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def row(*texts: str) -> str:
    return "".join(f"<td>{text}</td>" for text in texts)


def both(first: str, second: str) -> tuple[MarkedTable, MarkedTable]:
    fields = fields_of(first, second)
    primary, reviewer = marked_table(fields, "primary"), marked_table(fields, "second")
    assert primary is not None and reviewer is not None
    return primary, reviewer


def numbers(marked: MarkedTable) -> list[list[int]]:
    return [[cell.number for cell in cells] for cells in marked.rows]


def words(marked: MarkedTable) -> list[str]:
    return [f"{difference.number} {difference_words(difference)}" for difference in marked.differences]


PLAIN = table(row("one", "two"), row("five", "six"))


def test_structures_when_one_has_a_row_more_then_the_row_is_one_difference_and_all_else_is_unmarked():
    first, second = both(PLAIN, table(row("one", "two"), row("three", "four"), row("five", "six")))
    assert numbers(first) == [[0, 0], [0, 0]]
    assert numbers(second) == [[0, 0], [1, 1], [0, 0]]
    assert [cell.is_first for cell in second.rows[1]] == [True, False]
    assert words(first) == ["1 Missing here: row 2 of the other version."]
    assert words(second) == ["1 Row 2: only in this version."]
    assert [cell.text for cell in second.rows[1]] == ["three", "four"]


def test_structures_when_one_has_a_column_more_then_the_column_is_one_difference():
    first, second = both(table(row("one", "x", "two"), row("five", "y", "six")), PLAIN)
    assert numbers(first) == [[0, 1, 0], [0, 1, 0]]
    assert words(first) == ["1 Column 2: only in this version."]
    assert words(second) == ["1 Missing here: column 2 of the other version."]


def test_structures_when_cells_are_merged_then_the_span_and_the_cell_it_swallowed_are_reported():
    merged = table('<td colspan="2">one</td>', row("five", "six"))
    first, second = both(merged, PLAIN)
    assert numbers(first) == [[1], [0, 0]]
    assert numbers(second) == [[1, 2], [0, 0]]
    assert words(first) == [
        "1 Cell in row 1, column 1: plain cell, 1 × 2 (rows × columns) here,"
        " plain cell, 1 × 1 (rows × columns) in the other version.",
        "2 Missing here: the cell in row 1, column 2 of the other version.",
    ]
    assert words(second)[1] == "2 Cell in row 1, column 2: only in this version."


def test_structures_when_only_header_cells_differ_then_each_is_reported_with_its_kind():
    first, second = both(PLAIN.replace("<td>one</td>", "<th>one</th>"), PLAIN)
    assert numbers(first) == numbers(second) == [[1, 0], [0, 0]]
    assert words(first)[0].startswith("1 Cell in row 1, column 1: header cell, 1 × 1")
    assert words(second)[0].startswith("1 Cell in row 1, column 1: plain cell, 1 × 1")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (PLAIN, table(row("one", "two", "z"), row("five", "six", "y"), row("q", "w", "e"))),
        (table('<td rowspan="2">a</td><td>b</td>', "<td>c</td>"), table(row("a", "b"), row("c", "d"))),
        (table(row("a")), table(row("p", "q"), row("r", "s"))),
        (table("<th>a</th><th>b</th>", row("c", "d")), table('<th colspan="2">a b</th>', row("c", "d"))),
    ],
)
def test_structures_when_they_differ_then_something_is_marked_with_the_same_number_on_both_sides(
    first: str, second: str
):
    left, right = both(first, second)
    assert [difference.number for difference in left.differences] == list(range(1, len(left.differences) + 1))
    assert [difference.number for difference in right.differences] == [
        difference.number for difference in left.differences
    ]
    marked = {number for side in (left, right) for cells in numbers(side) for number in cells} - {0}
    assert marked == {difference.number for difference in left.differences} and marked


def test_structures_when_equal_then_nothing_is_marked():
    first, second = both(PLAIN, PLAIN.replace("six", "sex"))
    assert first.differences == second.differences == ()
    assert numbers(first) == numbers(second) == [[0, 0], [0, 0]]


def test_structures_when_the_discussion_has_none_then_there_is_no_table():
    line = SimpleNamespace(kind="line", key="1", primary_text="a", second_text="b")
    assert marked_table([line], "primary") is None


def test_cell_when_disputed_then_the_rows_around_it_keep_their_spans():
    text = table('<th rowspan="2">a</th><th colspan="2">b</th>', row("c", "7"), row("z1", "z2", "z3"))
    fields = fields_of(text, text.replace("7", "1"))
    here = next(field for field in fields if field.key == "r2c3")
    rows = rows_around(fields, here, "second")
    assert [[(cell.text, cell.rowspan, cell.colspan) for cell in cells] for cells in rows] == [
        [("a", 2, 1), ("b", 1, 2)],
        [("c", 1, 1), ("1", 1, 1)],
        [("z1", 1, 1), ("z2", 1, 1), ("z3", 1, 1)],
    ]
    assert [cell.is_here for cells in rows for cell in cells].index(True) == 3
