"""From source to tokens: the canonical form, the rules after it, and which tokens are counted."""

from __future__ import annotations

import pytest

from evaluation.metrics.cdm.normalise.counted_tokens import count_tokens
from evaluation.metrics.cdm.normalise.preprocess import normalise_source
from evaluation.metrics.cdm.normalise.rules import CannotColor, apply_rules


@pytest.mark.parametrize(
    ("latex", "canonical"),
    [
        (r"x^2_1", r"x _ { 1 } ^ { 2 }"),
        (r"f'(x)", r"f ^ { \prime } ( x )"),
        (r"\dfrac12", r"\frac 1 2"),
        (r"a \over b", r"\frac { a } { b }"),
        (r"{n \choose k}", r"{ \binom { n } { k } }"),
        (r"\sin x+\max y", r"\sin x + \operatorname* { m a x } y"),
        (r"{\rm d}x", r"\mathrm { d } x"),
        (r"\text{if }x", r"\mathrm { i f ~ } x"),
        (
            r"\begin{pmatrix}a&b\\c&d\end{pmatrix}",
            r"\left( \begin{array} { l l } { a } & { b } \\ { c } & { d } \end{array} \right)",
        ),
        (r"\begin{align*}a&=b\end{align*}", r"\begin{array} { r l } { a } & { { } = b } \end{array}"),
        (r"\begin{cases}1&x\end{cases}", r"\left\{ \begin{array} { l l } { 1 } & { x } \end{array} \right."),
        (r"a\\b", r"a \, b"),
        (r"\sum\limits_i x", r"\sum _ { i } x"),
        (r"x % comment", "x"),
        (r"50\%", r"5 0 \%"),
        (r"\label{eq}x", "x"),
        (r"\mathrm{\alpha\foo}", r"\mathrm { \ a l p h a \ f o o }"),
        (r"\sqrt[3]{x}", r"\sqrt [ 3 ] { x }"),
        (r"\rule[1pt]{2cm}{.5pt}", r"\rule { 2 cm } { 0.5 pt }"),
    ],
)
def test_source_when_inside_the_grammar_then_canonical(latex: str, canonical: str) -> None:
    source = normalise_source(latex)
    assert source.error is None
    assert source.text == canonical


@pytest.mark.parametrize(
    ("latex", "position"),
    [
        (r"\frac{a}{b", 11),
        (r"x}", 1),
        (r"\left(x", 8),
        (r"a & b", 2),
        (r"\begin{foo}x\end{foo}", 11),
        (r"\color{red}x", 6),
        (r"x^\sqrt y", 7),
        (r"\begin{matrix}a\\[x]\end{matrix}", 18),
    ],
)
def test_source_when_outside_the_grammar_then_raw_with_position(latex: str, position: int) -> None:
    source = normalise_source(latex)
    assert source.text == latex
    assert source.error is not None
    assert source.error.position == position


@pytest.mark.parametrize(
    ("canonical", "drawn"),
    [
        (r"1 , \ldots , n", r"1 , . . . , n"),
        (r"\sin x", r"\mathrm { s i n } x"),
        (r"\hat x", r"\hat { x }"),
        (r"\hat \bar x", r"\hat { \bar { x } }"),
        (r"\frac 1 2", r"\frac { 1 } { 2 }"),
        (r"\frac { a } 2", r"\frac { a } { 2 }"),
        (r"\sqrt [ 3 ] x", r"\sqrt [ 3 ] { x }"),
        (r"\big ( x \Bigr \}", r"\big( x \Bigr\}"),
        (r"\hspace { 1 . 5 c m } x", r"\hspace{1.5cm} x"),
        (r"\begin{array} { l c } { a }", r"\begin{array} {lc} { a }"),
        (r"\hat { \tilde x }", r"\hat { \tilde { x } }"),
        (r"\frac { \hat } b", r"\frac { \hat { } } { b }"),
    ],
)
def test_rules_when_applied_then_braces_and_names_are_filled_in(canonical: str, drawn: str) -> None:
    assert " ".join(token for token in apply_rules(canonical) if token) == drawn


@pytest.mark.parametrize("canonical", [r"\frac { a", r"\sqrt [ a", r"\hat { x"])
def test_rules_when_an_argument_never_ends_then_nothing_is_drawn(canonical: str) -> None:
    with pytest.raises(CannotColor):
        apply_rules(canonical)


@pytest.mark.parametrize(
    ("drawn", "counted"),
    [
        (r"\frac { a } { b }", [r"\frac", "a", "b"]),
        (r"x _ { 1 } ^ { 2 }", ["x", "1", "2"]),
        (r"\mathrm { s i n } \quad x", ["s", "i", "n", "x"]),
        (r"\left( x \right)", [r"\left(", "x", r"\right)"]),
        (r"\overset { a } { b }", ["a", "b"]),
        (r"\phantom { x } y", ["y"]),
        (r"\begin{array} {ll} { a } & { b } \\ \end{array}", ["a", "b"]),
        (r"\sqrt [ 3 ] { x }", [r"\sqrt", "3", "x"]),
        (r"[ x ]", ["[", "x"]),
        (r"a = [ x ]", ["a", "=", "[", "x", "]"]),
        # a fraction moves the end of the wrapper, which ignores it: its last token stays black
        (r"\mathrm { a \frac { b } { c } d }", ["a", r"\frac", "b", "c"]),
    ],
)
def test_walk_when_done_then_counts_the_visible_tokens(drawn: str, counted: list[str]) -> None:
    assert count_tokens(drawn.split(" ")).tokens == counted


def test_walk_when_a_million_braces_then_linear() -> None:
    depth = 20_000
    tokens = [r"\hat", "{"] * depth + ["x"] + ["}"] * depth
    assert len(count_tokens(apply_rules(" ".join(tokens))).tokens) == depth + 1


def test_source_when_chinese_then_wrapped_as_text() -> None:
    source = normalise_source("速度=v")
    assert source.is_chinese
    assert source.text == r"\text { 速 度 } = v"
