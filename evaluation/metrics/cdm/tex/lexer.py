r"""Characters to tokens (TeXbook, chapter 7), for the fixed category codes of a formula.

A token is a string (one character, or a command with its backslash), an integer k for "draw the next argument in
colour k", or a function that takes the machine. Names with @ are internal: `@` is not a letter in a formula, so no
input can spell them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

Token = str | int | Callable[[Any], None]

_PIECE = re.compile(
    r"(\\[A-Za-z]+)[ \t\r\n]*|\\(?:[ \t\r\n]+|$)|\\.|%[^\n]*(?:\n[ \t]*|$)|[ \t\r\n]+|.", re.DOTALL
)
_INNER_PIECE = re.compile(r"(\\[A-Za-z@]+) *|\\.| +|.")


@lru_cache(maxsize=4096)
def tokenize(text: str) -> tuple[str, ...]:
    """The tokens of a formula's source."""
    tokens = []
    for match in _PIECE.finditer(text):
        piece = match[1] or match[0]
        if piece[0] == "%":
            continue
        if piece[0] == "\\" and (len(piece) == 1 or piece[1] in " \t\r\n"):
            piece = "\\ "  # pieces are joined by spaces, so a trailing backslash is a control space too
        tokens.append(" " if piece[0] in " \t\r\n" else piece)
    return tuple(tokens)


def tokenize_definition(text: str) -> tuple[str, ...]:
    """The tokens of an internal definition, in which @ is a letter; last token first."""
    tokens = [match[1] or match[0] for match in _INNER_PIECE.finditer(text)]
    return tuple(reversed([token for token in tokens if token[0] != " " or token == "\\ "]))
