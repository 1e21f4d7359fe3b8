"""OmniHandwritingOCR's preparation of texts, by family of subtasks (paper, "Normalization and tokenization").

The paper gives no order; here it is unwrap, cap, normalise. Only predictions are unwrapped and capped (the paper speaks
of outputs); labels and predictions are normalised alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from evaluation.metrics import tokenisers
from evaluation.metrics.normalise.steps import NormalisationStep, remove_fences, unify_line_ends
from evaluation.payloads.latex import strip_math_delimiters, tokenise_latex

SINGLE_LINE_CAP = 128
OTHER_CAP = 1024

_WRAPPERS = "plaintext|plain|text|markdown|md|latex|tex"
_WRAPPER_WORD = re.compile(rf"(?:{_WRAPPERS})(?=\s)", re.IGNORECASE)
_WRAPPER_LINE = re.compile(rf"\A\s*(?:{_WRAPPERS}):?[ \t]*\n", re.IGNORECASE)
_WRAPPER_TAG = re.compile(rf"\A\s*<({_WRAPPERS})>(.*)</\1>\s*\Z", re.IGNORECASE | re.DOTALL)
_NEEDS_BLANK = re.compile(r"\\[A-Za-z]+\Z")


def unwrap(output: str) -> str:
    r"""The output without code fences, and without an explicit wrapper word, line or tag around it.

    >>> unwrap("```latex\nx^2\n```"), unwrap("```latex x^2```"), unwrap("plaintext\nhello")
    ('x^2', 'x^2', 'hello')
    """
    text = unify_line_ends(output)
    one_line = _within_one_line_fence(text.strip())
    text = remove_fences(text) if one_line is None else one_line
    tagged = _WRAPPER_TAG.match(text)
    return _WRAPPER_LINE.sub("", tagged.group(2) if tagged else text).strip()


def _within_one_line_fence(text: str) -> str | None:
    """The text between two runs of backticks on one line, without a leading wrapper word."""
    inside = text.strip("`")
    ticks = len(text) - len(text.lstrip("`"))
    if ticks < 3 or not inside or "`" in inside or "\n" in inside or not text.endswith("`" * ticks):
        return None
    return _WRAPPER_WORD.sub("", inside, count=1).strip() if _WRAPPER_WORD.match(inside) else inside.strip()


def _join(text: str, between: str) -> str:
    lines = (line.strip() for line in unify_line_ends(text).split("\n"))
    return between.join(line for line in lines if line)


def join_lines_with_blanks(text: str) -> str:
    r"""Join lines with a blank, as for English.

    >>> join_lines_with_blanks("a cat \nsat\n\non")
    'a cat sat on'
    """
    return _join(text, " ")


def join_lines(text: str) -> str:
    r"""Join lines without a blank, as for Chinese.

    >>> join_lines("你好\n吗 ")
    '你好吗'
    """
    return _join(text, "")


def trim_lines(text: str) -> str:
    r"""Strip every line and drop empty lines.

    >>> trim_lines(" 解:\n\n  x=1 ")
    '解:\nx=1'
    """
    return _join(text, "\n")


def tidy_formula(text: str) -> str:
    r"""A formula without outer delimiters, and with white space only where LaTeX needs it.

    >>> tidy_formula(r"$$ \alpha  x + \frac { 1 } { 2 } $$")
    '\\alpha x+\\frac{1}{2}'
    """
    text = text.strip()
    while (inner := strip_math_delimiters(text)) is not None:
        text = inner
    tidy: list[str] = []
    for token in tokenise_latex(text):
        if tidy and token[0].isalpha() and _NEEDS_BLANK.match(tidy[-1]):
            tidy.append(" ")
        tidy.append(token)
    return "".join(tidy)


def cap(output: str, most: int) -> str:
    """The first `most` characters, so that runaway output does not dominate the edit distances.

    >>> cap("abcdef", 4)
    'abcd'
    """
    return output[:most]


@dataclass(frozen=True, slots=True)
class TextPreparation:
    """The preparation of predictions and labels in one family of subtasks."""

    family: str
    about: str
    subtasks: tuple[str, ...]
    prediction_steps: tuple[NormalisationStep, ...]
    steps: tuple[NormalisationStep, ...]
    tokenise: Callable[[str], list[str]]
    tokens_about: str
    libraries: tuple[str, ...] = ()


def _prediction_steps(most: int) -> tuple[NormalisationStep, ...]:
    return (
        NormalisationStep("unwrap", "fences and wrapper words are not transcription", unwrap),
        NormalisationStep(
            f"cap at {most}", "a runaway output must not dominate a corpus", partial(cap, most=most)
        ),
    )


PREPARATIONS = (
    TextPreparation(
        family="en-text",
        about="OmniHandwritingOCR, English text: line breaks to blanks, words.",
        subtasks=("en-text",),
        prediction_steps=_prediction_steps(OTHER_CAP),
        steps=(
            NormalisationStep(
                "lines to blanks", "a line break in English is a word break", join_lines_with_blanks
            ),
        ),
        tokenise=tokenisers.tokenise_words,
        tokens_about="words at white space",
    ),
    TextPreparation(
        family="zh-text",
        about="OmniHandwritingOCR, Chinese text: line breaks removed, jieba words.",
        subtasks=("zh-text",),
        prediction_steps=_prediction_steps(OTHER_CAP),
        steps=(NormalisationStep("join lines", "a line break in Chinese stands for nothing", join_lines),),
        tokenise=tokenisers.tokenise_jieba,
        tokens_about="jieba words",
        libraries=("jieba",),
    ),
    TextPreparation(
        family="sl-formula",
        about="OmniHandwritingOCR, single-line formulas: delimiters and idle white space gone.",
        subtasks=("sl-formula",),
        prediction_steps=_prediction_steps(SINGLE_LINE_CAP),
        steps=(NormalisationStep("tidy formula", "delimiters and idle blanks are not drawn", tidy_formula),),
        tokenise=tokenise_latex,
        tokens_about="LaTeX commands, escaped characters, single characters",
    ),
    TextPreparation(
        family="ml-formula",
        about="OmniHandwritingOCR, multi-line Chinese and formulas: lines kept, hybrid tokens.",
        subtasks=("ml-easy", "ml-medium", "ml-hard"),
        prediction_steps=_prediction_steps(OTHER_CAP),
        steps=(
            NormalisationStep(
                "trim lines",
                "blanks at line ends and empty lines cannot be seen",
                trim_lines,
            ),
        ),
        tokenise=tokenisers.tokenise_hybrid,
        tokens_about="Chinese spans, LaTeX commands, numbers, words, single signs",
    ),
)
