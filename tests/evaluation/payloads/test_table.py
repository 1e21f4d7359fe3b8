"""Tables: what is kept, what is refused in words; field cases 53 and 60."""

from __future__ import annotations

import pytest
from hypothesis import given

from evaluation.payloads.errors import BadPayload
from evaluation.payloads.fields import FieldKind, SettledField
from evaluation.payloads.registry import payload_for
from evaluation.payloads.table import canonical_table, read_table, validate_table, write_table
from evaluation.payloads.table_grid import place_cells
from tests.evaluation.payloads.strategies import tables

TABLE = payload_for("table")


@given(tables())
def test_round_trip_when_written_and_read_then_nothing_is_lost(table):
    markup = write_table(table)
    assert read_table(markup) == table
    assert canonical_table(markup) == markup
    validate_table(markup)


@given(tables(), tables())
def test_fields_when_one_version_is_taken_everywhere_then_it_comes_back_to_the_letter(first, second):
    first_markup, second_markup = write_table(first), write_table(second)
    pairs = TABLE.pair(first_markup, second_markup)
    for version, pick in ((first_markup, "first"), (second_markup, "second")):
        made = TABLE.assemble([SettledField(pair, getattr(pair, pick)) for pair in pairs])
        assert made.text == version
        assert len(made.sources) == len(TABLE.keys(version))
    assert len({pair.key for pair in pairs}) == len(pairs)


@given(tables())
def test_pair_when_a_table_meets_itself_then_every_field_agrees(table):
    pairs = TABLE.pair(write_table(table), write_table(table))
    assert all(pair.is_equal for pair in pairs)
    assert [(pair.kind, pair.key) for pair in pairs] == TABLE.keys(write_table(table))


def rows(*lines: str) -> str:
    return (
        "<table>"
        + "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in line.split()) + "</tr>" for line in lines)
        + "</table>"
    )


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        (
            rows("a b", "c"),
            "Row 2 and row 1 have different numbers of columns \\(1 and 2\\). Add or delete cells",
        ),
        (
            "<table><tr><td rowspan=2>a</td><td>b</td></tr></table>",
            "Row 1, cell 1: rowspan 2 extends below the last",
        ),
        (
            "<table><tr><td>a</td><td rowspan=2>b</td></tr><tr><td colspan=2>c</td></tr></table>",
            "Row 2, cell 1: it overlaps another cell that extends into row 2, column 2",
        ),
        (
            "<table><tr><td>a<table><tr><td>b</td></tr></table></td></tr></table>",
            "Row 1, cell 1: A cell contains another table",
        ),
        ("<table></table>", "The table has no cell"),
        ("<table><tr></tr></table>", "The table has no cell"),
        ("", "There is no <table>"),
        ("just words", "There is no <table>"),
        ("hello " + rows("a"), 'text outside the table: "hello"'),
        (rows("a") + rows("b"), "Only one table per sample; found 2"),
        ("<table><caption>T</caption><tr><td>a</td></tr></table>", "caption"),
        ("<table><tr><td><script>x()</script></td></tr></table>", "Row 1, cell 1: <script> is not allowed"),
        ("<style>td{}</style>" + rows("a"), "<style> is not allowed"),
        ("<table><tr><td><iframe src=x></iframe></td></tr></table>", "<iframe> is not allowed"),
        ("<table><tr><td><img src=x onerror=y></td></tr></table>", "<img> is not allowed"),
        ("<table><tr><td><math><mi>x</mi></math></td></tr></table>", "Write it as"),
        ("<table><tr><td><svg></svg></td></tr></table>", "<svg> is not allowed"),
        ("<table><tr><td rowspan=0>a</td></tr></table>", 'rowspan: "0" is not a whole number'),
        (
            "<table><tr><td colspan=99999>a</td></tr></table>",
            'colspan: "99999" is not a whole number from 1 to 200',
        ),
        ("<table><tr>stray<td>a</td></tr></table>", "text"),
        ("<table><tr><td>a&#8;</td></tr></table>", "unprintable character U\\+0008"),
    ],
)
def test_validate_when_it_is_no_table_then_refused_in_words(markup, words):
    with pytest.raises(BadPayload, match=words):
        validate_table(markup)


def test_canonical_when_there_are_looks_then_they_are_taken_away_and_the_words_stay():
    markup = (
        '<div><table border=1 onclick="x()" style="y"><colgroup><col></colgroup><THEAD><tr><td class=z>a <b>b</b></td>'
        "</tr></THEAD><tbody><tr><td onclick=x><p>1</p><p>2<br>3</p></td></tr></tbody></table></div>"
    )
    assert canonical_table(markup) == (
        "<table><thead><tr><th>a b</th></tr></thead><tbody><tr><td>1<br>2<br>3</td></tr></tbody></table>"
    )


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("x<sup>2</sup>", "x$^{2}$"),
        ("H<sub>2</sub>O", "H$_{2}$O"),
        ("<math alttext='a+b'><mi>a</mi></math>", "$a+b$"),
        ("a | b", "a | b"),
        ("1 &lt; 2 &amp; 3", "1 < 2 & 3"),
        ("a<!-- c -->b", "ab"),
        ("  a\n  b ", "a b"),
        ("<br><br>", ""),
    ],
)
def test_read_when_html_says_it_otherwise_then_the_text_says_the_same(inside, text):
    assert read_table(f"<table><tr><td>{inside}</td></tr></table>").rows[0][0].text == text


def test_head_when_a_header_reaches_into_the_body_then_the_rows_stay_together():
    markup = "<table><tr><th rowspan=2>a</th><th>b</th></tr><tr><td>c</td></tr></table>"
    assert (
        canonical_table(markup)
        == '<table><tr><th rowspan="2">a</th><th>b</th></tr><tr><td>c</td></tr></table>'
    )
    assert place_cells(read_table(markup)) == ([[0, 1], [1]], 2)


def disputed(first: str, second: str) -> list[tuple[str, str | None, str | None]]:
    return [(pair.key, pair.first, pair.second) for pair in TABLE.pair(first, second) if not pair.is_equal]


def test_pair_when_one_cell_differs_then_one_field_is_disputed():
    assert disputed(rows("a b", "c d"), rows("a b", "c x")) == [("r2c2", "d", "x")]


def test_pair_when_a_row_is_inserted_then_only_the_structure_and_its_cells_are_disputed():
    first, second = rows("one two", "five six"), rows("one two", "three four", "five six")
    assert [key for key, _, _ in disputed(first, second)] == ["structure", "-/r2c1", "-/r2c2"]


def test_pair_when_a_column_is_inserted_then_only_the_structure_and_its_cells_are_disputed():
    first, second = rows("one two", "five six"), rows("one x two", "five y six")
    assert [key for key, _, _ in disputed(first, second)] == ["structure", "-/r1c2", "-/r2c2"]


def test_pair_when_cells_are_merged_then_the_others_agree():
    first = rows("a b", "c d")
    second = "<table><tr><td colspan=2>a</td></tr><tr><td>c</td><td>d</td></tr></table>"
    assert [key for key, _, _ in disputed(first, second)] == ["structure", "r1c2/-"]


def test_assemble_when_the_row_is_taken_then_its_cells_are_the_agreed_ones():
    pairs = TABLE.pair(rows("one two", "five six"), rows("one two", "three four", "five six"))
    values = {"-/r2c1": "drei", "-/r2c2": None, "structure": pairs[0].second}
    made = TABLE.assemble([SettledField(pair, values.get(pair.key, pair.first)) for pair in pairs])
    assert made.text == rows("one two", "drei x", "five six").replace("<td>x</td>", "<td></td>")


def test_moot_when_the_structure_is_settled_without_the_row_then_its_cells_matter_no_more():
    pairs = TABLE.pair(rows("one two", "five six"), rows("one two", "three four", "five six"))
    open_cells = [pair for pair in pairs[1:] if not pair.is_equal]
    equal = [SettledField(pair, pair.first) for pair in pairs if pair.is_equal]
    assert TABLE.obsolete_fields([*equal, SettledField(pairs[0], pairs[0].first)], open_cells) == open_cells
    assert TABLE.obsolete_fields([*equal, SettledField(pairs[0], pairs[0].second)], open_cells) == []
    assert TABLE.obsolete_fields(equal, open_cells) == []


def test_assemble_when_a_third_structure_is_written_then_cells_keep_their_answers_and_new_ones_their_text():
    pairs = TABLE.pair(rows("one two", "five six"), rows("one two", "three four", "five six"))
    third = rows("one two", "three four", "five six", "seven eight")
    written = TABLE.check_value(pairs[0], third, 10, 10)
    values = {"structure": written, "-/r2c1": "3", "-/r2c2": "4"}
    made = TABLE.assemble([SettledField(pair, values.get(pair.key, pair.first)) for pair in pairs])
    assert made.text == rows("one two", "3 4", "five six", "seven eight")


def test_check_value_when_the_new_structure_is_one_of_the_two_then_it_is_that_one():
    pairs = TABLE.pair(rows("one two", "five six"), rows("one two", "three four", "five six"))
    assert TABLE.check_value(pairs[0], rows("x y", "z z"), 10, 10) == pairs[0].first
    with pytest.raises(BadPayload, match="Row 2 and row 1 have different numbers of columns"):
        TABLE.check_value(pairs[0], rows("x y", "z"), 10, 10)
    assert pairs[1].kind is FieldKind.CELL
    assert TABLE.check_value(pairs[1], "  x\n y ", 10, 10) == "x\ny"
