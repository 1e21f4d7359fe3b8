"""Extraction of the blocks of a Markdown page: in order, nothing twice, nothing lost."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.metrics.edge_cases import TooLarge
from evaluation.metrics.matching import BlockKind, extract_blocks
from evaluation.metrics.matching.extract import MAX_PAGE


def cut(page: str) -> list[tuple[str, str]]:
    return [(block.origin, block.content) for block in extract_blocks(page)]


def test_page_when_split_by_blank_lines_then_paragraphs_keep_their_lines() -> None:
    assert cut("one\ntwo\n\nthree\n") == [("paragraph", "one\ntwo"), ("paragraph", "three")]


def test_page_when_without_any_blank_line_then_every_line_is_a_paragraph() -> None:
    assert cut("one\ntwo") == [("paragraph", "one"), ("paragraph", "two")]


def test_page_when_line_ends_are_foreign_then_read_the_same() -> None:
    assert cut("one\r\n\r\ntwo") == cut("one\n\ntwo") == cut("one\r\rtwo")


def test_page_when_wrapped_in_a_fence_then_the_fence_is_gone() -> None:
    assert cut("```markdown\none\n\ntwo\n```") == [("paragraph", "one"), ("paragraph", "two")]


def test_image_when_in_text_then_removed() -> None:
    assert cut("see ![a cat](cat.png) here") == [("paragraph", "see  here")]


def test_formulas_when_display_then_cut_out_and_when_inline_then_listed_and_kept() -> None:
    assert cut("let $x$ be\n\n$$x\n= 1$$\n\n\\[y\\]\n\nand \\(z\\)") == [
        ("paragraph", "let $x$ be"),
        ("inline", "\\[x\\]"),
        ("display", "\\[x = 1\\]"),
        ("display", "\\[y\\]"),
        ("paragraph", "and \\(z\\)"),
        ("inline", "\\[z\\]"),
    ]


def test_inline_formula_when_alone_on_its_line_then_a_formula_once() -> None:
    assert cut("so\n\n$x = 1$\n\nend") == [("paragraph", "so"), ("line", "\\[x = 1\\]"), ("paragraph", "end")]


def test_line_when_it_starts_and_ends_with_different_formulas_then_text() -> None:
    assert ("paragraph", "$a$ and $b$") in cut("so\n\n$a$ and $b$\n\nend")


def test_formula_when_empty_then_none() -> None:
    assert cut("a $$ $$ b\n\n\\[\\]") == [("paragraph", "a $$ $$ b"), ("paragraph", "\\[\\]")]


def test_html_tables_when_nested_then_only_the_outer_one() -> None:
    inner = "<table><tr><td>b</td></tr></table>"
    outer = f"<table border=1><tr><td>{inner}</td></tr></table>"
    assert cut(f"x\n\n{outer}\n\n{inner}") == [("paragraph", "x"), ("html", outer), ("html", inner)]


def test_html_table_when_never_closed_then_tables_after_it_still_count() -> None:
    page = "<table><tr><td>b</td></tr></table>"
    assert ("html", page) in cut(f"<table><tr><td>a\n\n{page}")


def test_dollars_when_inside_a_table_then_the_table_keeps_them() -> None:
    table = "<table><tr><td>$$x$$</td></tr></table>"
    assert cut(table) == [("html", table)]


def test_latex_tables_when_nested_then_the_outer_environment() -> None:
    table = "\\begin{table}\\begin{tabular}{l}a\\end{tabular}\\end{table}"
    assert cut(f"x\n\n{table}") == [("paragraph", "x"), ("latex", table)]


def test_pipe_table_when_ragged_then_filled_to_the_header() -> None:
    assert cut("x\n\n| a | b |\n|---|:-:|\n| 1 |\n| 1 | 2 | 3 |\n\ny") == [
        ("paragraph", "x"),
        (
            "pipe",
            "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td></td></tr>"
            "<tr><td>1</td><td>2</td></tr></table>",
        ),
        ("paragraph", "y"),
    ]


def test_pipe_table_when_a_cell_holds_a_bar_or_a_less_than_then_kept_as_text() -> None:
    [(_, markup)] = cut("| a |\n|---|\n| p \\| q < 3 & <b>4</b> &lt; |")
    assert "<td>p | q &lt; 3 &amp; <b>4</b> &lt;</td>" in markup


def test_pipe_rows_when_without_a_rule_then_still_a_table() -> None:
    assert cut("| a | b |\n| c | d |") == [
        ("pipe", "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>")
    ]


def test_bars_when_in_prose_then_no_table() -> None:
    assert cut("so |x| < 1\n\nand y | z") == [("paragraph", "so |x| < 1"), ("paragraph", "and y | z")]


def test_code_when_fenced_with_a_language_then_text_without_the_fence() -> None:
    assert cut("see\n\n```python\nx = 1\n\ny = 2\n``` \n\nend") == [
        ("paragraph", "see"),
        ("code", "x = 1\n\ny = 2"),
        ("paragraph", "end"),
    ]


def test_section_when_written_in_latex_then_its_title_is_the_text() -> None:
    assert cut("\\section*{Heat}\n\n\\text{ so }") == [("paragraph", "Heat"), ("paragraph", "so")]


def test_page_when_over_the_limit_then_refused() -> None:
    with pytest.raises(TooLarge, match="MAX_PAGE"):
        extract_blocks("a" * (MAX_PAGE + 1))


@pytest.mark.parametrize(
    "page",
    [
        "$" * 100_001,
        "<table>" * 50_000,
        "\\begin{tabular}" * 20_000,
        "|" * 200_000,
        "| a " * 50_000,
        "```x\n" * 60_000,
        "![" * 100_000,
        "_" * 300_000,
        "\\text{" * 50_000,
        "\\[" * 100_000,
        "\0\ud800" * 1_000,
        " \n" * 200_000,
        "![](" * 100_000,
        "$x" * 100_001,
        "$" + "a" * 400_000,
    ],
    ids=range(15),
)
def test_page_when_hostile_then_bounded_time(page: str) -> None:
    start = time.process_time()
    extract_blocks(page)
    assert time.process_time() - start < 5.0


@given(st.text(alphabet="ab$\\[]() \n|-<>table/`", max_size=200))
def test_page_when_anything_then_blocks_are_ordered_and_not_empty(page: str) -> None:
    blocks = extract_blocks(page)
    assert [block.start for block in blocks] == sorted(block.start for block in blocks)
    assert all(block.content.strip() for block in blocks)


@given(st.lists(st.sampled_from(["alpha beta", "$$x^2$$", "| a | b |\n|---|---|\n| c | d |"]), min_size=1))
def test_page_when_made_of_known_blocks_then_all_come_back(parts: list[str]) -> None:
    kinds = {"a": BlockKind.TEXT, "$": BlockKind.FORMULA, "|": BlockKind.TABLE}
    page = "\n\n".join(parts)
    assert [block.kind for block in extract_blocks(page)] == [kinds[part[0]] for part in parts]
