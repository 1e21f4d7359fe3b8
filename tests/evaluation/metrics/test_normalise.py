"""The normalisers step by step, compared with the reference programs."""

from __future__ import annotations

import re
import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.metrics.normalise import explain, get_preset, normalise, prepare, preset_names
from evaluation.metrics.normalise.inline_maths import find_inline_formulas, inline_maths_as_1_6
from evaluation.metrics.normalise.omnihandwriting import cap, join_lines, tidy_formula, trim_lines, unwrap
from evaluation.metrics.normalise.steps import remove_fences, uncircle
from evaluation.metrics.normalise.unicode_maths import latex_to_unicode, latex_to_unicode_as_2_10
from evaluation.metrics.tokenisers import tokenise_hybrid, tokenise_words_and_ideographs
from evaluation.payloads.latex import tokenise_latex
from evaluation.payloads.mask_mark import MASK_MARK

maths_texts = st.text(alphabet="$\\()x^_{} \na字", max_size=40)
any_texts = st.text(max_size=60)


@given(maths_texts)
def test_inline_formulas_when_found_then_equal_the_regular_expression(text: str) -> None:
    oracle = re.compile(r"\$(.*?)\$|\\\((.*?)\\\)")
    expected = [
        (match.start(), match.end(), match.group(1) if match.group(1) is not None else match.group(2))
        for match in oracle.finditer(text)
    ]
    assert [
        (formula.start, formula.end, formula.inside) for formula in find_inline_formulas(text)
    ] == expected


@given(any_texts)
def test_word_characters_when_kept_then_equal_the_published_rule(text: str) -> None:
    expected = text
    for pair in ("\\t", "\\n", "\t", "\n", "/t", "/n"):
        expected = expected.replace(pair, "")
    expected = "".join(sign for sign in expected if re.match(r"\w", sign) or 0x4E00 <= ord(sign) <= 0x9FFF)
    if "$" not in text and "\\(" not in text:
        assert normalise(text, preset="omnidocbench-1.5") == (expected or text.replace(MASK_MARK, ""))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"$x^{2}$", "x2"),
        (r"$\frac12$", "12"),
        (r"$\alpha$ and \(\beta\)", "αandβ"),
        ("$5 and $6", "5and6"),
        ("$a_1$", "a_1"),
        (r"$50\%$", "50"),
        ("and/tea", "andea"),
        (r"\textcircled{1}", "extcircled1"),
        (r"$\unknown{x}$", "x"),
        ("e\u0301te\u0301", "ete"),
        ("½ ² ① Ⅲ １", "½²①Ⅲ１"),
        ("…!", "…!"),
        ("", ""),
    ],
)
def test_omnidocbench_1_5_when_applied_then_follows_its_rules(text: str, expected: str) -> None:
    assert normalise(text, preset="omnidocbench-1.5") == expected


@pytest.mark.parametrize(
    "formula",
    [
        r"$\alpha" + "x" * 130 + "$",
        r"$\begin{cases}a\end{cases}$",
        r"$\alpha & b$",
        r"$\frac{1}{2$",
        r"$\left( x_1$",
    ],
)
def test_omnidocbench_1_6_when_a_formula_is_refused_then_it_stays_latex(formula: str) -> None:
    assert inline_maths_as_1_6(formula).strip("$") == formula.strip("$")


def test_omnidocbench_1_6_when_a_formula_looks_like_prose_then_only_its_delimiters_go() -> None:
    assert inline_maths_as_1_6("$some plain words a_1$") == "some plain words a_1"
    assert inline_maths_as_1_6("$a_1$") == "a_1"
    assert inline_maths_as_1_6("$x^{2}$") == "x^2"


@given(st.text(alphabet="①⑳Ⓐⓩ\\textcircled{} ab", max_size=40))
def test_uncircle_when_applied_twice_then_as_once_without_commands(text: str) -> None:
    once = uncircle(text)
    assert uncircle(once.replace("\\", "")) == once.replace("\\", "")
    assert not re.search("[①-⑳Ⓐ-ⓩ]", once)


@given(any_texts)
def test_inkbench_1_when_applied_twice_then_as_once_and_nothing_visible_is_lost(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
    visible = [
        sign for sign in unicodedata.normalize("NFC", text.replace(MASK_MARK, "")) if not sign.isspace()
    ]
    assert [sign for sign in once if not sign.isspace()] == visible


@settings(deadline=None)  # the first use of a preset loads what it needs
@given(any_texts, st.sampled_from(preset_names()))
def test_every_preset_when_given_any_text_then_is_total_and_explained(text: str, preset: str) -> None:
    for is_prediction in (True, False):
        steps = explain(text, preset=preset, is_prediction=is_prediction)
        assert steps[-1][2] == normalise(text, preset=preset, is_prediction=is_prediction)
        assert all(why for _, why, _ in steps)
        assert all(token and not token.isspace() for token in prepare(text, preset=preset).tokens)


def test_pylatexenc_2_10_when_it_differs_then_is_rebuilt() -> None:
    for formula, newer, older in (
        (r"\m地t后出{J}", "地t后出J", "J"),
        (r"\frac{a}", "a/", "%s/%sa"),
        (r"\hat x\frac\underline{x}é", "x̂/xé", "x̂%s/xé"),
        (r"\sqrt", "√()", None),
        (r"\sqrt{x}", "√(x)", "√(x)"),
        (r"\frac12", "1/2", "1/2"),
    ):
        assert latex_to_unicode(formula) == newer
        assert latex_to_unicode_as_2_10(formula) == older


def test_latex_to_unicode_when_a_text_ends_in_a_backslash_then_returns() -> None:
    start = time.process_time()
    assert latex_to_unicode("x_1 \\") is not None
    assert time.process_time() - start < 5


def test_latex_to_unicode_when_a_title_was_read_before_then_it_is_forgotten() -> None:
    latex_to_unicode(r"\title{secret}")
    assert "secret" not in (latex_to_unicode(r"\maketitle x_1") or "")


@pytest.mark.parametrize(
    ("output", "content"),
    [
        ("```\nink\n```", "ink"),
        ("```markdown\nink\n```\n", "ink"),
        ("```latex\nx^2\n```", "x^2"),
        ("~~~text\nink\n~~~", "ink"),
        ("```latex x^2```", "x^2"),
        ("```x^2```", "x^2"),
        ("Plaintext:\nink", "ink"),
        ("<markdown>ink</markdown>", "ink"),
        ("ink `code` ink", "ink `code` ink"),
        ("markdown is a word", "markdown is a word"),
        ("", ""),
    ],
)
def test_unwrap_when_an_output_is_wrapped_then_only_the_content_stays(output: str, content: str) -> None:
    assert unwrap(output) == content


def test_remove_fences_when_ticks_are_content_then_they_stay() -> None:
    assert remove_fences("a\n```js\nb ``` c\n```") == "a\nb ``` c"
    assert remove_fences("    ```\nindented code") == "    ```\nindented code"


def test_cap_when_a_prediction_is_longer_than_its_label_then_only_the_prediction_is_cut() -> None:
    long = "word " * 500
    assert len(prepare(long, preset="omnihandwritingocr-en-text").text) <= 1024
    assert len(prepare(long, preset="omnihandwritingocr-en-text", is_prediction=False).text) == 2499
    assert cap("abc", 2) == "ab"


@given(st.text(alphabet="$\\alphx {}^2\n[]()", max_size=30))
def test_tidy_formula_when_applied_twice_then_as_once_and_tokens_stay(text: str) -> None:
    tidy = tidy_formula(text)
    assert tokenise_latex(tidy_formula(tidy)) == tokenise_latex(tidy) or tidy_formula(tidy) != tidy
    if "$" not in text and "\\(" not in text and "\\[" not in text:
        assert tokenise_latex(tidy) == tokenise_latex(text.strip())


def test_lines_when_joined_or_trimmed_then_as_each_language_reads_on() -> None:
    assert join_lines("你\r\n 好 \n\n吗") == "你好吗"
    assert trim_lines("a \n\n\n b") == "a\nb"


@given(any_texts)
def test_tokens_when_cut_then_hold_every_visible_character_in_order(text: str) -> None:
    visible = "".join(text.split())
    for tokenise in (tokenise_words_and_ideographs, tokenise_latex, tokenise_hybrid):
        assert "".join("".join(tokenise(text)).split()) == visible


def test_presets_when_listed_then_are_frozen_as_released() -> None:
    steps = {
        name: [step.name for step in get_preset(name).steps_for(is_prediction=True)]
        for name in preset_names()
    }
    assert steps["inkbench-1"] == ["remove masks", "canonical text", "drop leading lines"]
    assert steps["omnidocbench-1.5"] == ["remove masks", "inline maths to Unicode", "keep word characters"]
    assert steps["omnihandwritingocr-sl-formula"] == ["remove masks", "unwrap", "cap at 128", "tidy formula"]
    assert len(steps) == 14
    with pytest.raises(ValueError, match="inkbench-1"):
        get_preset("inkbench-0")
