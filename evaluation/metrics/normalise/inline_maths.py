"""Inline maths in running text, and its conversion to Unicode as in OmniDocBench 1.5 and 1.6.

Finding `$..$` and `\\(..\\)` with a regular expression is quadratic on hostile text (each `\\(` without a
partner scans to the end of its line). This scanner remembers per line that no partner is left, and is linear.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from evaluation.metrics.edge_cases import TooLarge
from evaluation.metrics.normalise.unicode_maths import latex_to_unicode, latex_to_unicode_as_2_10

MAX_MATHS = 200_000
"""Most characters of inline maths that are converted in one text; a formula counts as at least `_LEAST_COST`."""

_LEAST_COST = 25
_OPENERS = re.compile(r"\$|\\\(")
_ESCAPES = re.compile(r"\\([\\_&%^])")
_MARKUP = frozenset("\\^_")

_MAX_SHORT = 128
_TOO_COMPLEX = ("\\begin{", "\\end{", "\\array", "\\matrix", "\\tabular", "\\cases", "\\align", "\\\\", "&")
_SIGNAL = re.compile(r"\\[A-Za-z]+|[_^{}$]|\\[\[\]()]]|&|%|#")
_LONG_WORD = re.compile(r"[A-Za-z]{3,}")
_COMMAND = re.compile(r"\\[A-Za-z]+")
_FREE_DOLLAR = re.compile(r"(?<!\\)\$")
_LEFT, _RIGHT = re.compile(r"\\left\b"), re.compile(r"\\right\b")


@dataclass(frozen=True, slots=True)
class InlineFormula:
    """One match: `text[start:end]` with its delimiters, `inside` without."""

    start: int
    end: int
    inside: str


def find_inline_formulas(text: str) -> Iterator[InlineFormula]:
    r"""The `$..$` and `\(..\)` of a text, left to right, shortest first, within a line.

    >>> [formula.inside for formula in find_inline_formulas(r"from $5 to $6, \(x^2\) and $y")]
    ['5 to ', 'x^2']
    """
    position, line_end, open_kinds = 0, -1, {"$", "\\("}
    while (opener := _OPENERS.search(text, position)) is not None:
        if opener.start() > line_end:
            line_end = text.find("\n", opener.start())
            line_end = len(text) if line_end < 0 else line_end
            open_kinds = {"$", "\\("}
        kind = opener.group()
        close = text.find("$" if kind == "$" else "\\)", opener.end(), line_end) if kind in open_kinds else -1
        if close < 0:
            open_kinds.discard(kind)
            position = opener.end()
            continue
        end = close + len(kind)
        yield InlineFormula(opener.start(), end, text[opener.end() : close])
        position = end


def rewrite_inline_formulas(text: str, convert: Callable[[str], str | None]) -> str:
    """The text with every inline formula replaced by `convert(inside without escapes)`; None keeps it.

    Only formulas with a backslash, `^` or `_` after removal of the escapes are converted. Raises TooLarge over
    MAX_MATHS.
    """
    if "$" not in text and "\\(" not in text:
        return text
    pieces: list[str] = []
    position = cost = 0
    for formula in find_inline_formulas(text):
        inside = _ESCAPES.sub("", formula.inside)
        if _MARKUP.isdisjoint(inside):
            continue
        cost += max(len(inside), _LEAST_COST)
        if cost > MAX_MATHS:
            raise TooLarge(f"more than {MAX_MATHS} characters of inline maths (MAX_MATHS)")
        converted = convert(inside + " " if inside.endswith("\\") else inside)
        if converted is None:
            continue
        pieces += (text[position : formula.start], converted.strip())
        position = formula.end
    pieces.append(text[position:])
    return "".join(pieces)


def inline_maths_as_1_5(text: str) -> str:
    r"""Inline maths to Unicode as OmniDocBench 1.5 does; what cannot be converted is kept.

    >>> inline_maths_as_1_5(r"area $\pi r^{2}$, cost $5")
    'area πr^2, cost $5'
    """
    return rewrite_inline_formulas(text, latex_to_unicode)


def inline_maths_as_1_6(text: str) -> str:
    r"""The same as in OmniDocBench 1.6: long, complex, unbalanced or prose-like formulas stay LaTeX.

    >>> inline_maths_as_1_6(r"$\alpha$ $\begin{matrix}1\end{matrix}$")
    'α $\\begin{matrix}1\\end{matrix}$'
    """
    return rewrite_inline_formulas(text, _convert_as_1_6)


def _convert_as_1_6(inside: str) -> str | None:
    formula = inside.strip()
    if formula and _is_skipped(formula):
        return None
    is_refused = (
        not formula
        or _COMMAND_FREE.isdisjoint(formula)
        or _is_prose(formula)
        or _is_weak(formula)
        or _is_broken(formula)
    )
    if is_refused:
        return formula if formula and _COMMAND_FREE.isdisjoint(formula) else inside
    converted = latex_to_unicode_as_2_10(formula)
    return inside if converted is None else converted


_COMMAND_FREE = frozenset("\\{}$")


def _is_skipped(formula: str) -> bool:
    return (
        len(formula) > _MAX_SHORT
        or any(mark in formula for mark in _TOO_COMPLEX)
        or formula.count("{") != formula.count("}")
    )


def _is_prose(formula: str) -> bool:
    return (
        len(formula) >= 32
        and len(_SIGNAL.findall(formula)) <= 2
        and frozenset("{}$^_").isdisjoint(formula)
        and not any(name in formula for name in _PROSE_STOPPERS)
        and len(_LONG_WORD.findall(formula)) >= 6
        and formula.count(" ") >= 5
    )


_PROSE_STOPPERS = tuple(
    "\\" + name for name in ("frac", "sqrt", "left", "right", "begin", "end", "sum", "int", "alpha", "beta")
)


def _is_weak(formula: str) -> bool:
    if formula in ("\\", "\\\\"):
        return True
    commands, words = len(_COMMAND.findall(formula)), len(_LONG_WORD.findall(formula))
    signs = sum(character in "{}$^_=&%#" for character in formula)
    if formula.endswith("\\") and not formula.endswith("\\\\") and commands == 0:
        return True
    if "\\" in formula and commands == 0 and signs == 0:
        return True
    if words >= 2 and commands == 0 and signs <= 1:
        return True
    return words >= 4 and commands <= 1 and signs <= 2


def _is_broken(formula: str) -> bool:
    return (
        not _braces_nest(formula)
        or len(_LEFT.findall(formula)) != len(_RIGHT.findall(formula))
        or formula.count("\\(") != formula.count("\\)")
        or formula.count("\\[") != formula.count("\\]")
        or len(_FREE_DOLLAR.findall(formula)) % 2 == 1
    )


def _braces_nest(formula: str) -> bool:
    depth = position = 0
    while position < len(formula):
        character = formula[position]
        if character == "\\" and formula[position + 1 : position + 2] in tuple("{}[]()"):
            position += 2
            continue
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return False
        position += 1
    return depth == 0
