"""Tables as markup that people read: broken by rows and cells, and nothing else of the text touched."""

from __future__ import annotations

import time

from hypothesis import given

from evaluation.payloads.table import read_table, write_table
from evaluation.rendering.table_markup import by_cells
from tests.evaluation.payloads.strategies import tables


@given(tables())
def test_by_cells_when_read_again_then_it_is_the_same_table(table):
    markup = write_table(table)
    broken = by_cells(markup)
    assert write_table(read_table(broken)) == markup
    cells = sum(len(row) for row in table.rows)
    assert sum(line.lstrip().startswith(("<td", "<th>", "<th ")) for line in broken.split("\n")) == cells


def test_by_cells_when_one_cell_differs_then_one_line_does():
    row = "<table><tr><td>{}</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>".format
    first, second = by_cells(row("a")).split("\n"), by_cells(row("x")).split("\n")
    assert [a for a, b in zip(first, second, strict=True) if a != b] == ["  <td>a</td>"]


def test_by_cells_when_the_answer_is_laid_out_otherwise_then_it_is_shown_alike():
    flat = '<table><tr><td colspan="2">a</td></tr></table>'
    spread = '<table>\n\n    <tr>\n  <td colspan="2">a</td>\n</tr></table>'
    assert by_cells(flat) == by_cells(spread)


def test_by_cells_when_there_is_no_table_then_the_text_is_untouched():
    text = "  if a <td> b\n\n\n$x<y$ "
    assert by_cells(text) == text


def test_by_cells_when_words_stand_around_the_table_then_they_keep_their_lines():
    assert by_cells("Before\n\nit\n<TABLE><TR><TD>a</TD></TR></TABLE>\nafter") == (
        "Before\n\nit\n<TABLE>\n<TR>\n  <TD>a</TD>\n</TR>\n</TABLE>\nafter"
    )


def test_by_cells_when_an_answer_is_hostile_then_it_takes_no_time():
    for odd in ("<table>" + " " * 200_000, "<table>" + "<td " * 100_000, "<table>" + "<" * 200_000):
        started = time.process_time()
        by_cells(odd)
        assert time.process_time() - started < 2
