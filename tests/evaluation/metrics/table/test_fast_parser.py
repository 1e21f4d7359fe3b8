"""Plain markup read in one pass is what the parser reads, under every preset; the rest is left to the parser."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.metrics.table import inkbench
from evaluation.metrics.table.fast_parser import read_plain_table
from evaluation.metrics.table.parse import TagTokens
from evaluation.metrics.table.reference_programs import REFERENCE_PROGRAMS, read_by_parser
from tests.evaluation.metrics.table.vectors import OWN, SHARED, read_rows

TEXTS = st.sampled_from(
    [
        "a",
        "1.5",
        "",
        " ",
        "\n",
        " \n\t",
        " a  b ",
        "x > 1",
        "$\\pm$",
        "\\%",
        "－",
        "＜b",
        "＆lt;",
        "✓ ",
        "中文",
        "\x0b",
        "̸x",
        "é",
        "\u3000",
        "\xa0",
        "\u200b",
        "\r",
        "\ufeff",
        "\x85",
        "-",
        "½",
        "&amp;",
        ' style="x"',
        "$ $",
    ]
)
INLINE = st.sampled_from(["b", "i", "sup", "sub", "strong", "em", "u", "span", "unk"])
INSIDES = st.lists(
    TEXTS
    | st.builds("<{0}>{1}</{0}>".format, INLINE, TEXTS)
    | st.builds("<{0}>{2}<{1}>{3}</{1}></{0}>".format, INLINE, INLINE, TEXTS, TEXTS),
    max_size=3,
).map("".join)
ATTRIBUTES = st.sampled_from(
    [
        "",
        " ",
        ' colspan="3"',
        ' colspan="2" rowspan="12" ',
        ' colspan="2" colspan="3"',
        ' colspan="0"',
        ' COLSPAN="2"',
        ' style="a: b" class="x"',
        ' width="3" ',
        ' rowspan="1001"',
        ' colspan="999"',
        " colspan=2",
        ' title="a"',
    ]
)
CELLS = st.builds("<{0}{1}>{2}</{0}>".format, st.sampled_from(["td", "th"]), ATTRIBUTES, INSIDES)
BLANKS = st.sampled_from(["", "", " ", "\n  "])
ROWS = st.builds("<tr{}>{}{}</tr>".format, ATTRIBUTES, BLANKS, st.lists(CELLS, max_size=3).map("".join))
SECTIONS = st.builds(
    "{2}<{0}>{1}</{0}>".format,
    st.sampled_from(["thead", "tbody", "tfoot"]),
    st.lists(ROWS, max_size=2).map("".join),
    BLANKS,
)
TABLES = st.builds(
    "<table{}>{}{}</table>".format,
    ATTRIBUTES,
    st.lists(ROWS | SECTIONS | CELLS, max_size=4).map("".join),
    BLANKS,
)
DOCUMENTS = st.one_of(
    TABLES,
    TABLES.map("<html><body>{}</body></html>".format),
    TABLES.map("<body>\n{}</body>".format),
    TABLES.map("<html>{}</html>".format),
    TABLES.map("Here it is: {}".format),
    st.tuples(TABLES, TABLES).map("".join),
)
PIECES = st.lists(
    st.sampled_from(
        ["<td>", "</td>", "<tr>", "</tr>", "<table>", "</table>", "<b>", "</b>", "<th>", "</th>", "a"]
    )
    | st.sampled_from(
        ["<thead>", "</thead>", "<html>", "<body>", "</body>", "</html>", "<tr ", "<!--", "-->", "< "]
    ),
    max_size=14,
).map("".join)


def check_against_parser(markup: str, *, structure_only: bool) -> set[str]:
    """The presets under which the markup is plain, after comparing each with the parser's reading."""
    plain_under = set()
    tokens = TagTokens()
    for name, preset in REFERENCE_PROGRAMS.items():
        plain = read_plain_table(markup, preset.plain, tokens, structure_only=structure_only)
        if plain is not None:
            assert plain == read_by_parser(markup, preset, tokens, structure_only=structure_only), name
            plain_under.add(name)
    plain = read_plain_table(markup, inkbench.PLAIN, tokens, structure_only=structure_only)
    if plain is not None:
        (table,) = inkbench.read_by_parser(markup, tokens, structure_only=structure_only)
        assert plain.forest == table.forest and not table.repairs
        plain_under.add("inkbench-1")
    return plain_under


@settings(deadline=None, max_examples=400)
@given(DOCUMENTS, st.booleans())
def test_document_when_plain_then_as_the_parser_reads_it(markup: str, structure_only: bool) -> None:
    check_against_parser(markup, structure_only=structure_only)


@settings(deadline=None, max_examples=200)
@given(PIECES)
def test_pieces_when_taken_for_plain_then_as_the_parser_reads_them(markup: str) -> None:
    check_against_parser(markup, structure_only=False)


@pytest.mark.long
@settings(deadline=None, max_examples=50_000)
@given(DOCUMENTS | PIECES, st.booleans())
def test_any_markup_when_taken_for_plain_then_as_the_parser_reads_it(
    markup: str, structure_only: bool
) -> None:
    check_against_parser(markup, structure_only=structure_only)


@pytest.mark.parametrize(
    "path",
    [OWN, pytest.param(SHARED, marks=pytest.mark.skipif(not SHARED.exists(), reason="needs ../shared"))],
)
def test_rows_of_the_vectors_when_plain_then_as_the_parser_reads_them(path: object) -> None:
    count = [
        check_against_parser(row[side], structure_only=False)
        for row in read_rows(path)
        for side in ("gt", "pred")
    ]
    assert sum(map(bool, count)) > len(count) / 3  # the short way is the usual one


@pytest.mark.parametrize(
    ("markup", "presets"),
    [
        (
            "<table><tr><td>a</td></tr></table>",
            {"pubtabnet", "omnidocbench-1.5", "omnidocbench-1.6", "inkbench-1"},
        ),
        ("<table><tr><th><b>a</b></th></tr></table>", {"omnidocbench-1.5", "omnidocbench-1.6", "inkbench-1"}),
        ("<table><tr><td>＜</td></tr></table>", {"pubtabnet", "inkbench-1"}),
        ("<table><tr><td>&lt;</td></tr></table>", set()),
        ("<table><tr><td>a</tr></table>", set()),
        ("<table></table><table></table>", set()),
        ("no table", set()),
    ],
)
def test_markup_when_certain_or_not_then_taken_or_left(markup: str, presets: set[str]) -> None:
    assert check_against_parser(markup, structure_only=False) == presets
