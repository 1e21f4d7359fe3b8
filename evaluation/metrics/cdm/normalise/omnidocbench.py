r"""Where the grammar of OmniDocBench 1.6 departs from the one in grammar.py.

That program parses with pylatexenc and prints as im2markup does; for input that both accept the result is the same. It
rejects unbalanced input before parsing, knows a few more environments, drops colours, and reads an unknown environment
as a plain array.
"""

from __future__ import annotations

import re

from .grammar import FormulaSyntaxError

_SIDES = re.compile(r"\\(begin|end)\{([^{}]+)\}")
_SPACED = re.compile(r"\\(begin|end)\s*\{\s*((?:[A-Za-z]\s+)+[A-Za-z])\s*\}")
_COLOR = re.compile(r"\\color\s*(?:\[[^\[\]]*\])?\s*\{[^{}]*\}")
_KNOWN_THERE = {
    "gather": r"{array}{c}",
    "gather*": r"{array}{c}",
    "gathered": r"{array}{c}",
    "equation": r"{array}{c}",
    "equation*": r"{array}{c}",
    "dcases": "{cases}",
}
_BRACED_FIRST_CELL = re.compile(r"\\begin\{[pbBvV]?matrix\}\{")
_LOOSE = re.compile(r"\\(begin|end)\{[^{}]+\}|\\\\")
_DOLLAR = re.compile(r"(?<!\\)\$")


def adapt(latex: str) -> str:
    """The same formula for the grammar of grammar.py. Raises FormulaSyntaxError where that program rejects it."""
    _refuse_unbalanced(latex)
    braced = _BRACED_FIRST_CELL.search(latex)
    if braced:
        raise FormulaSyntaxError("a brace right after the name of a matrix", braced.end() - 1)
    latex = _SPACED.sub(lambda match: rf"\{match[1]}{{matrix}}", latex)
    return _without_loose_rows(_SIDES.sub(_renamed, _COLOR.sub("", latex)))


def _without_loose_rows(latex: str) -> str:
    r"""A \\ outside every environment draws nothing; in grammar.py it would be an error."""
    parts: list[str] = []
    depth = position = 0
    for match in _LOOSE.finditer(latex):
        depth += {"begin": 1, "end": -1}.get(match[1] or "", 0)
        if match[1] is None and depth == 0:
            parts += (latex[position : match.start()], "{}")
            position = match.end()
    return "".join((*parts, latex[position:]))


def _renamed(match: re.Match[str]) -> str:
    side, name = match[1], match[2]
    known = _KNOWN_THERE.get(name)
    if known is None:
        return match[0]
    return rf"\begin{known}" if side == "begin" else rf"\end{known.split('}')[0]}}}"


def _refuse_unbalanced(latex: str) -> None:
    depth, position = 0, 0
    while position < len(latex):
        if latex[position] == "\\":
            position += 2
            continue
        depth += (latex[position] == "{") - (latex[position] == "}")
        if depth < 0:
            raise FormulaSyntaxError("a closing brace too many", position)
        position += 1
    if depth:
        raise FormulaSyntaxError("a brace that does not close", len(latex))
    opened: list[str] = []
    for match in _SIDES.finditer(latex):
        if match[1] == "begin":
            opened.append(match[2])
        elif not opened or opened.pop() != match[2]:
            raise FormulaSyntaxError(f"environment {match[2]} ends without having begun", match.start())
    if opened:
        raise FormulaSyntaxError(f"environment {opened[-1]} does not end", len(latex))
    for left, right in (
        (r"\\left(?![a-zA-Z])", r"\\right(?![a-zA-Z])"),
        (r"\\\(", r"\\\)"),
        (r"\\\[", r"\\\]"),
    ):
        if len(re.findall(left, latex)) != len(re.findall(right, latex)):
            raise FormulaSyntaxError("delimiters that do not pair", len(latex))
    if len(_DOLLAR.findall(latex)) % 2:
        raise FormulaSyntaxError("an odd number of dollar signs", len(latex))
