r"""The counted tokens: one pass that gives each a colour of its own (CDM paper, section 3.2).

The result is TeX input: strings, and integers k that mean "the next argument is drawn in colour k". The pass
reproduces the reference's, including a bug: inside \text-like wrappers and roots it ignores that its own insertions
move the end, so the last tokens of such a group can stay black and uncounted.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ..name_lists import split_names
from .rules import (
    ONE_ARGUMENT,
    OPTIONAL_FIRST,
    TWO_ARGUMENTS,
    TWO_INVISIBLE,
    WRAPPERS,
    CannotColor,
    brace_partners,
)

_SKIPPED = frozenset(
    split_names(
        r"\ \\ \index \a & $ \multirow \def \edef \raggedright \url \cr \ensuremath \left \right \mathchoice",
        r"\scriptstyle \displaystyle \qquad \quad \, \! ~ \boldmath \gdef \today \the",
    )
)
_TEXT_LIKE = (r"\text", r"\emph", r"\mbox", r"\hbox", r"\fbox", r"\raisebox", r"\begin{tabular}")
_PHANTOMS = frozenset(
    split_names(r"\fontfamily \vphantom \phantom \rowcolor \ref \thesubequation \global \theboldgroup")
)
_SKIPPED_SHAPES = re.compile(
    r"[{}\[\]^_]|\\begin\{.*?\}|\\end\{.*?\}|\\.*rule.*|\\.*line.*|\[[\-.0-9]+[epm][xtm]\]"
)


class CountedTokens(NamedTuple):
    """TeX input with colours, and the counted tokens: colour k belongs to `tokens[k - 1]`."""

    input: list[str | int]
    tokens: list[str]


def count_tokens(tokens: list[str]) -> CountedTokens:
    """Colour the tokens of a formula. Raises CannotColor where an argument's braces are missing."""
    walker = _Walker(tokens)
    while walker.rest:
        walker.step()
    return CountedTokens(walker.out, walker.counted)


class _Walker:
    """`rest` holds the tokens still to be read, last first; `position` counts tokens read or inserted."""

    def __init__(self, tokens: list[str]) -> None:
        stripped = (
            " ".join(tokens).strip().split(" ") if tokens and (not tokens[0] or not tokens[-1]) else tokens
        )
        self.rest = stripped[::-1]
        self.partner = brace_partners(self.rest)
        self.later: dict[int, list[str]] = {}
        self.out: list[str | int] = []
        self.counted: list[str] = []
        self.position = 0
        self.before = ""  # the token read last
        self.spaced = any(token.startswith(_TEXT_LIKE) for token in self.rest)

    def _read(self) -> str:
        token = self.rest.pop()
        self.position += 1
        if len(self.rest) in self.later:
            self.rest.extend(self.later.pop(len(self.rest)))
        return token

    def _put(self, *parts: str | int) -> None:
        """Write one token; spaces between tokens matter in text only."""
        self.out += parts
        if self.spaced:
            self.out.append(" ")

    def _keep(self) -> None:
        self._put(self._read())

    def _closing(self, skip: int = 0) -> int:
        """Index of the brace that closes the group starting `skip` tokens ahead."""
        index = len(self.rest) - 1 - skip
        if index < 0 or index not in self.partner:
            raise CannotColor("an argument's braces are missing")
        return self.partner[index]

    def _distance(self, index: int) -> int:
        """How many tokens ahead an index lies."""
        return len(self.rest) - 1 - index

    def _color_until(self, end: int, token: str, *, braced: bool = False) -> None:
        """Open a token's colour here and close it after the token at index `end`."""
        self.counted.append(token)
        self._put(*(("{",) if braced else ()), len(self.counted), "{", token)
        self.later.setdefault(end, []).append("}}" if braced else "}")

    def _color_alone(self, token: str, *, braced: bool = False) -> None:
        self.counted.append(token)
        if braced:
            self._put("{", len(self.counted), "{", token, "}", "}")
        else:
            self._put(len(self.counted), "{", token, "}")

    def step(self, *, braced: bool = False) -> None:
        """Process one token."""
        before = self.before
        token = self.before = self._read()
        if not token:
            self._put()
            return
        if token in _PHANTOMS:
            self._phantom(token)
        elif token in TWO_ARGUMENTS:
            first = self._closing()
            second = self.partner.get(first - 1)
            if second is None:
                raise CannotColor("a second argument's braces are missing")
            self._color_until(second, token)
        elif token in ONE_ARGUMENT:
            self._decorated(token)
        elif token in WRAPPERS:
            self._wrapper(token)
        elif token in OPTIONAL_FIRST:
            self._root(token)
        elif token in (r"\multicolumn", r"\multirow"):
            self._spanning(token)
        elif token in _SKIPPED or token in TWO_INVISIBLE or _SKIPPED_SHAPES.match(token):
            if token == "[" or (token == "]" and self.position > 3):
                self._color_alone(token)
            else:
                self._put(token)
        else:
            braced = braced or (self.position > 2 and before == "_")
            self._color_alone(token, braced=braced)

    def _phantom(self, token: str) -> None:
        self._put(token)
        if not self.rest:
            raise CannotColor("an argument is missing at the end")
        for _ in range(self._distance(self._closing()) + 1 if self.rest[-1] == "{" else 1):
            self._keep()

    def _decorated(self, token: str) -> None:
        end = self._closing()
        before_sub = end >= 1 and self.rest[end - 1] == "_"
        self._color_until(end, token, braced=before_sub and token != r"\underbrace")

    def _wrapper(self, token: str) -> None:
        self._put(token)
        end = self._closing()
        if self._distance(end) == 2:
            self._keep()
            self._color_alone(self._read())
            self._keep()
            return
        stop = self.position + self._distance(end)
        self._keep()
        self._until(stop)
        self._pass_to(stop + 1)

    def _until(self, stop: int, *, braced: bool = False) -> None:
        while self.position < stop and self.rest:
            self.step(braced=braced)
        if self.position < stop:
            raise CannotColor("an argument never ends")

    def _pass_to(self, position: int) -> None:
        """Copy tokens unchanged up to a position."""
        while self.position < position and self.rest:
            self._keep()

    def _root(self, token: str) -> None:
        if not self.rest:
            raise CannotColor("an argument is missing at the end")
        if self.rest[-1] == "{":
            end = self._closing()
            stop = self.position + self._distance(end)
            self._color_until(end, token)
            self._keep()
            self._until(stop)
            self._pass_to(stop + 1)
        elif self.rest[-1] == "[":
            self._root_with_degree(token)
        else:
            raise CannotColor("a root without an argument")

    def _root_with_degree(self, token: str) -> None:
        depth = 0
        bracket = -1
        for index in range(len(self.rest) - 1, -1, -1):
            depth += (self.rest[index] == "[") - (self.rest[index] == "]")
            if depth == 0 and self.rest[index] == "]":
                bracket = index
                break
        end = self.partner.get(bracket - 1) if bracket > 0 else None
        if end is None:
            raise CannotColor("a root without an argument")
        stop_degree = self.position + self._distance(bracket)
        stop = self.position + self._distance(end)
        self._color_until(end, token)
        self._keep()
        self._until(stop_degree, braced=True)
        self._pass_to(stop_degree + 2)
        self._until(stop)
        self._pass_to(stop + 1)

    def _spanning(self, token: str) -> None:
        self._put(token)
        for _ in range(2):
            for _ in range(self._distance(self._closing()) + 1):
                self._keep()
        stop = self.position + self._distance(self._closing())
        self._keep()
        self._until(stop)
        self._pass_to(stop + 1)
