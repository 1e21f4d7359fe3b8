r"""Rewriting of the canonical source into what is drawn (CDM paper, section 3.1).

Dots become three points, function names their letters, tokens that belong together are joined (\big and its delimiter,
\hspace and its length), and missing braces of known commands are added.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ..name_lists import split_names

ONE_ARGUMENT = frozenset(
    split_names(
        r"\widetilde \overline \hat \widehat \tilde \Tilde \dot \bar \vec \underline \underbrace \check",
        r"\breve \Bar \Vec \mathring \ddot \Ddot \dddot \ddddot",
    )
)
WRAPPERS = frozenset(
    split_names(
        r"\boldsymbol \pmb \textbf \mathrm \mathbf \mathbb \mathcal \textmd \texttt \textnormal \text",
        r"\textit \textup \mathop \mathbin \smash \operatorname \textrm \mathfrak \emph \textsf \textsc",
    )
)
OPTIONAL_FIRST = frozenset([r"\xrightarrow", r"\xleftarrow", r"\sqrt"])
TWO_ARGUMENTS = frozenset([r"\frac", r"\binom"])
TWO_INVISIBLE = frozenset([r"\overset", r"\underset", r"\stackrel"])
_ONE = ONE_ARGUMENT | WRAPPERS
_TWO = TWO_ARGUMENTS | TWO_INVISIBLE

_DOTS = split_names(
    r"… \ldots \hdots \cdots \dddot \dots \dotsc \dotsi \dotsm \dotso \dotsb \mathellipsis",
)
_FUNCTIONS = split_names(
    r"ex ln lg cot mod min max ker hom sec scs csc deg arg log dim exp sin cos tan tanh cosh sinh",
    r"coth arcsin arccos arctan",
)
_SPELLED: dict[str, Sequence[str]] = {
    "--": ["-", "-"],
    "---": ["-", "-", "-"],
    **{name: [".", ".", "."] for name in _DOTS},
    **{"\\" + name: [r"\mathrm", "{", *name, "}"] for name in _FUNCTIONS},
    r"\bmod": split_names(
        r"\mathrm { m o d }",
    ),
    r"\pmod": split_names(
        r"\mathrm { m o d }",
    ),
}


class CannotColor(Exception):
    """The reference's text processing fails on this input, so nothing is drawn."""


Glue = tuple[str, "re.Pattern[str]", Callable[[str], str]]


def _joined(text: str) -> str:
    return text.replace(" ", "")


def _joined_then_space(text: str) -> str:
    return text.replace(" ", "") + " "


_BEFORE: tuple[Glue, ...] = (
    ("space {", re.compile(r"\\[hv]space { [.0-9a-z ]+ }"), _joined),
    (
        r"\begin{array} {",
        re.compile(r"\\begin{array} { [lrc ]+ }"),
        lambda text: r"\begin{array} " + _joined(text[len(r"\begin{array} ") :]),
    ),
)
_AFTER: tuple[Glue, ...] = (
    (r"\string", re.compile(r"\\string [^ ]+ "), _joined_then_space),
    ("ig", re.compile(r"\\[Bb]ig[g]?[glrm]? [(){}|\[\]] "), _joined_then_space),
    ("ig", re.compile(r"\\[Bb]ig[g]?[glrm]? \\.*? "), _joined_then_space),
    (r"\operatorname *", re.compile(r"\\operatorname \*"), lambda text: r"\operatorname"),
    (r"\lefteqn", re.compile(r"\\lefteqn"), lambda text: ""),
    (r"\footnote ", re.compile(r"\\footnote "), lambda text: "^ "),
    (r"\' ", re.compile(r"\\' [^{] "), _joined_then_space),
    (r"\parbox", re.compile(r"\\parbox {[^{]+}"), _joined),
    (
        r"\raisebox",
        re.compile(r"\\raisebox {[^{]+} [\[\]0-9 exptcm]+{"),
        lambda text: _joined(text)[:-1] + " {",
    ),
    (r"\char", re.compile(r"{ \\char[0-9' ]+}"), lambda text: "{ " + _joined(text)[1:-1] + " }"),
    (r"\rule", re.compile(r"\\rule {[ .0-9a-z]+} {[ .0-9a-z]+}"), _joined),
    (
        r"\specialrule",
        re.compile(r"\\specialrule {[ .0-9a-z]+} {[ .0-9a-z]+} {[ .0-9a-z]+}"),
        _joined,
    ),
    (
        "color",
        re.compile(r"\\(?:colorbox|color|textcolor|cellcolor)[ \[\]RGBrgb]+{ [A-Za-z 0-9,!]+ } "),
        lambda text: "",
    ),
)


def apply_rules(source: str, *, keeps_limits: bool = False) -> list[str]:
    r"""The tokens to be drawn. Raises CannotColor where a brace or an argument is missing beyond repair.

    `keeps_limits`: names such as \lim stay upright operators with limits below them; the reference sets them as italic
    letters with scripts at the side.
    """
    text = source.strip().replace(r"\pmatrix", r"\mypmatrix").replace(r"\matrix", r"\mymatrix")
    for name in (r"\raggedright", r"\arraybackslash", r"\lowercase", r"\uppercase"):
        text = text.replace(name, "")
    text = _glued(text, _BEFORE)
    tokens = [""]
    for token in re.split(r"[ \t]", text):
        spelled = _SPELLED.get(token)
        if spelled:
            tokens += spelled
        else:
            tokens.append(token)
    tokens.append("")
    if keeps_limits:
        tokens = _with_limits(tokens)
    text = " ".join(tokens)
    glued = _glued(text, _AFTER)
    return fill_braces(tokens if glued == text else glued.split(" "))


def _with_limits(tokens: list[str]) -> list[str]:
    r"""\operatorname* { l i m } -> \mathop { \mathrm { l i m } }."""
    rewritten: list[str] = []
    index = 0
    while index < len(tokens):
        start = index + (3 if tokens[index : index + 2] == [r"\operatorname", "*"] else 2)
        if start == index + 3 or tokens[index] == r"\operatorname*":
            end = start
            while end < len(tokens) and tokens[end] not in "{}":
                end += 1
            if tokens[start - 1 : start] == ["{"] and tokens[end : end + 1] == ["}"]:
                rewritten += [r"\mathop", "{", r"\mathrm", "{", *tokens[start:end], "}", "}"]
                index = end + 1
                continue
        rewritten.append(tokens[index])
        index += 1
    return rewritten


def _glued(text: str, rules: tuple[Glue, ...]) -> str:
    for hint, pattern, build in rules:
        if hint in text:
            text = pattern.sub(lambda match, build=build: build(match[0]), text)  # type: ignore[misc]
    return text


def fill_braces(tokens: list[str]) -> list[str]:
    r"""Add the missing braces of \hat, \frac, \sqrt and similar commands, in one pass.

    `stack` holds the tokens still to be read, last first, so a token keeps its index until it is read; what must
    happen after a later brace waits in `later` under that brace's index.
    """
    stack = tokens[::-1]
    partner = brace_partners(stack)
    later: dict[int, list[Callable[[list[str]], None]]] = {}
    out: list[str] = []
    while stack:
        token = stack.pop()
        out.append(token)
        for action in reversed(later.pop(len(stack), ())):
            action(stack)
        if token in _ONE:
            _fill_chain(stack, partner, later)
        elif token in OPTIONAL_FIRST:
            _fill_root(stack, later)
        elif token in _TWO:
            if _next(stack) != "{":
                stolen = stack[-1] == "}"  # the pair of braces then closes one token early
                _brace_next(stack)
                _brace_after(stack, later, len(stack) - (2 if stolen else 3))
            else:
                _brace_after(stack, later, _closing(stack, partner))
    return out


def brace_partners(stack: list[str]) -> dict[int, int]:
    """Index of the closing brace by index of the opening one, in a list that is read from its end."""
    partner: dict[int, int] = {}
    open_at: list[int] = []
    for index in range(len(stack) - 1, -1, -1):
        if stack[index] == "{":
            open_at.append(index)
        elif stack[index] == "}" and open_at:
            partner[open_at.pop()] = index
    return partner


def _next(stack: list[str]) -> str:
    if not stack:
        raise CannotColor("an argument is missing at the end")
    return stack[-1]


def _closing(stack: list[str], partner: dict[int, int]) -> int:
    index = len(stack) - 1
    if index not in partner:
        raise CannotColor("a brace never closes")
    return partner[index]


def _brace_next(stack: list[str]) -> None:
    """x -> { x }."""
    stack[-1:] = ["}", _next(stack), "{"]


def _brace_after(stack: list[str], later: dict[int, list[Callable[[list[str]], None]]], index: int) -> None:
    """Once the token at `index` has been read, put what follows it into braces."""

    def check(stack: list[str]) -> None:
        if _next(stack) != "{":
            _brace_next(stack)

    if index < 1:
        raise CannotColor("an argument is missing at the end")
    later.setdefault(index, []).append(check)


def _fill_chain(
    stack: list[str], partner: dict[int, int], later: dict[int, list[Callable[[list[str]], None]]]
) -> None:
    r"""\hat \bar x -> \hat { \bar { x } }."""
    chain: list[str] = []
    while stack and stack[-1] in _ONE:
        chain.append(stack.pop())
    if _next(stack) != "{":
        closer = len(stack) - 1 + len(chain)
        stack[-1:] = [*["}"] * (len(chain) + 1), stack[-1], "{"]
        partner[len(stack) - 1] = closer
        for name in reversed(chain):
            stack += (name, "{")
            closer -= 1
            partner[len(stack) - 1] = closer
        return
    index = _closing(stack, partner)
    if chain:
        extra = len(chain)
        later.setdefault(index, []).append(lambda stack: stack.extend(["}"] * extra))
        for name in reversed(chain):
            stack += (name, "{")
            partner[len(stack) - 1] = index


def _fill_root(stack: list[str], later: dict[int, list[Callable[[list[str]], None]]]) -> None:
    r"""\sqrt [ n ] x -> \sqrt [ n ] { x }."""
    token = _next(stack)
    if token == "{":
        return
    if token != "[":
        _brace_next(stack)
        return
    depth = 0
    for index in range(len(stack) - 1, -1, -1):
        depth += (stack[index] == "[") - (stack[index] == "]")
        if depth == 0 and stack[index] == "]":
            _brace_after(stack, later, index)
            return
    raise CannotColor("a bracket never closes")
