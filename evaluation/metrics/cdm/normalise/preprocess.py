r"""Preprocessing as the reference does it: raw source in, canonical source out.

Each step rewrites the whole string; the order matters, since later steps see the result of earlier ones.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ..name_lists import split_names
from .grammar import FormulaSyntaxError, parse
from .omnidocbench import adapt
from .printer import print_nodes

_ROUNDS = 300  # the reference repeats single replacements this often
_HAN = re.compile("[一-鿿]")
_HAN_RUN = re.compile("[一-鿿㐀-䶿]+")
_ALIGNED = re.compile(r"\\begin\{(split|align|alignedat|alignat|eqnarray)\*?\}(.+?)\\end\{\1\*?\}", re.DOTALL)
_SMALL = re.compile(r"\\begin\{(smallmatrix)\*?\}(.+?)\\end\{\1\*?\}", re.DOTALL)
_LABEL = re.compile(r"\\label\{.*?\}")
_PRINTED_LABEL = re.compile(r"\\label \{ .*? \}")
_PERCENT, _PRINTED_PERCENT = "<PERCENTAGETOKEN>", "< P E R C E N T A G E T O K E N >"
_OPERATORS = split_names(
    r"arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf injlim ker lg lim",
    r"liminf limsup ln log max min Pr projlim sec sin sinh sup tan tanh",
)
# The reference joins the letters of this whole alternation with optional spaces, so the first name takes none
# before it and the last none after it.
_OPERATOR = re.compile(r"\\operatorname {(" + r"\s?".join("|".join(_OPERATORS)) + ")}")


class FormulaSource(NamedTuple):
    """Normalised source, and the grammar error if there was one."""

    text: str
    is_chinese: bool
    error: FormulaSyntaxError | None  # the grammar error; None = parsed


def has_han(text: str) -> bool:
    """Whether the formula has Chinese characters, which need a Chinese font."""
    return _HAN.search(text) is not None


def normalise_source(latex: str, grammar: str = "katex") -> FormulaSource:
    """The canonical source, or the raw one where the grammar (`katex` or `pylatexenc`) fails."""
    is_chinese = has_han(latex)
    if is_chinese:
        latex = latex.replace("，", ", ").replace("：", ": ").replace("；", "; ")
        latex = _HAN_RUN.sub(lambda run: _wrapped(run, latex), latex)
    latex = latex.replace("\n", " ").replace(r"\%", _PERCENT)
    error: FormulaSyntaxError | None = None
    text = ""
    try:
        text = _reprint(adapt(latex) if grammar == "pylatexenc" else latex)
    except FormulaSyntaxError as why:
        error = why
    if not text:
        text = latex
    if has_han(text):
        text = text.replace(r"\mathrm", r"\text")
    return FormulaSource(text.replace(_PRINTED_PERCENT, r"\%"), is_chinese, error)


def _wrapped(run: re.Match[str], latex: str) -> str:
    before, after = latex[max(0, run.start() - 6) : run.start()], latex[run.end() : run.end() + 1]
    if before.endswith(r"\text{") and after == "}":
        return run[0]
    return rf"\text{{{run[0]}}}"


def _reprint(latex: str) -> str:
    latex = _ALIGNED.sub(r"\\begin{aligned}\2\\end{aligned}", latex)
    latex = _SMALL.sub(r"\\begin{matrix}\2\\end{matrix}", latex)
    line = re.split("\r\n|\r", latex)[-1] if "\r" in latex else latex
    if line[:1] == "%":
        line = line[1:]
    line = line.split("%")[0].replace(r"\~", " ")
    line = line.replace(r"\>", " ", _ROUNDS).replace("$", " ", _ROUNDS)
    if r"\label" in line:
        line = _LABEL.sub("", line, count=_ROUNDS)
    if not any(word in line for word in ("matrix", "cases", "array", "begin")):
        line = line.replace(r"\\", r"\,", _ROUNDS)
    line = _roman_groups(line + " ")
    printed = print_nodes(parse(line))
    if r"\label" in printed:
        printed = _PRINTED_LABEL.sub("", printed, count=1)
    printed = " ".join(printed.split())
    if r"\operatorname" in printed:
        printed = _OPERATOR.sub(lambda name: "\\" + name[1].replace(" ", ""), printed)
    return printed.replace(r"\\ \end{array}", r"\end{array}")


def _roman_groups(line: str) -> str:
    r"""{\rm ...} is read as \mathrm{...}; one of each spelling per round, as in the reference."""
    for _ in range(_ROUNDS):
        if r"\rm" not in line:
            break
        before = line
        line = line.replace(r"{\rm", r"\mathrm{", 1).replace(r"{ \rm", r"\mathrm{", 1)
        line = line.replace(r"\rm{", r"\mathrm{", 1)
        if line == before:
            break
    return line
