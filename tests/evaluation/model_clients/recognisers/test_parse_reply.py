"""What is read out of a model's free answer about a table or formulas."""

from __future__ import annotations

import pytest

from evaluation.model_clients.recognisers.linear_maths import line_to_latex
from evaluation.model_clients.recognisers.parse_reply import (
    NoTableInReply,
    formulas_to_markdown,
    parse_formulas,
    parse_table,
)

PLAIN = "<table><tr><td>a</td><td>b</td></tr></table>"


@pytest.mark.parametrize(
    "answer",
    [
        PLAIN,
        f"```html\n{PLAIN}\n```",
        f"Here is the table:\n\n{PLAIN}\n\nLet me know.",
        '<table border="1"><tbody><tr><td onclick="x()" style="a">a<td><b>b</b></tbody></table>',
        "<table><caption>no</caption><tr><td>a</td><td>b<script>alert(1)</script></td></tr></table>",
    ],
)
def test_table_when_the_answer_is_fenced_chatty_or_dirty_then_its_cells(answer: str) -> None:
    assert parse_table(answer) == PLAIN


def test_table_when_rows_are_short_and_a_span_reaches_too_far_then_filled_and_cut() -> None:
    answer = '<table><tr><th colspan="2">h</th></tr><tr><td rowspan="9">c</td></tr></table>'
    assert parse_table(answer) == (
        '<table><thead><tr><th colspan="2">h</th></tr></thead><tbody><tr><td>c</td><td></td></tr></tbody></table>'
    )


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("I cannot read this.", "no <table>"),
        ("<table></table>", "no cells"),
        (
            '<table><tr><td>a</td><td rowspan="2">b</td></tr><tr><td colspan="2">c</td></tr></table>',
            "is not well formed",
        ),
    ],
)
def test_table_when_there_is_none_to_be_had_then_the_reason(answer: str, why: str) -> None:
    with pytest.raises(NoTableInReply, match=why):
        parse_table(answer)


def test_formulas_when_delimited_in_any_way_then_each_in_order() -> None:
    answer = "$$a$$\n\\[b^2\\]\n\\begin{align*}c&=1\\end{align*}\nso \\(d\\) and $e$, costs \\$5"
    assert parse_formulas(answer) == ("a", "b^2", "c&=1", "d", "e")
    assert parse_formulas(r"\frac{1}{2}") == (r"\frac{1}{2}",)
    assert parse_formulas("no mathematics here") == ()
    assert formulas_to_markdown(("a", "b")) == "$$\na\n$$\n\n$$\nb\n$$"


@pytest.mark.parametrize(
    ("line", "latex"),
    [
        ("x²+y₁₂≠3×4", r"x^{2}+y_{12}\neq3\times4"),
        ("√(b−1)", r"\sqrt{b-1}"),
        ("2√3", r"2\sqrt{3}"),
        ("½πr²", r"\frac{1}{2}\pi r^{2}"),
        ("5% & {a}", r"5\% \& \{a\}"),
    ],
)
def test_line_of_mathematics_when_read_as_text_then_rough_latex(line: str, latex: str) -> None:
    assert line_to_latex(line) == latex
