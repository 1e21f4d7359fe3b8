r"""A formula's tokens, read in one pass, and the place that has been reached among them."""

from __future__ import annotations

import re

END = ""
_TOKEN = re.compile(
    r"[ \r\n\t]+|---?|[!-\[\]-‧‪-퟿豈-\uffff\U00010000-\U0010ffff]|\\(?:[A-Za-z]+|.)", re.DOTALL
)


class Unparsable(Exception):
    """The source is outside the grammar; `position` is where, counted in characters of what was parsed."""

    def __init__(self, reason: str, position: int) -> None:
        super().__init__(reason)
        self.position = position


class Tokens:
    """Tokens with a place; `text` mode keeps white space."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.tokens: list[str] = []
        self.starts: list[int] = []
        at = 0
        while at < len(source):
            found = _TOKEN.match(source, at)
            if found is None:
                raise Unparsable(f"unexpected character {source[at]!r}", at)
            self.tokens.append(found[0])
            self.starts.append(at)
            at = found.end()
        self.at = 0
        self.mode = "math"

    def peek(self) -> str:
        """The next token, END after the last; white space counts in text mode alone."""
        tokens = self.tokens
        at = self.at
        if at >= len(tokens):
            return END
        token = tokens[at]
        if token[0] in " \r\n\t":
            if self.mode == "text":
                return " "
            self.at = at + 1
            return tokens[at + 1] if at + 1 < len(tokens) else END
        return token

    def fail(self, reason: str) -> Unparsable:
        """The error of this place."""
        position = self.starts[self.at] if self.at < len(self.starts) else len(self.source)
        return Unparsable(reason, position)

    def expect(self, token: str) -> None:
        """Go past this token. Raises Unparsable."""
        if self.peek() != token:
            raise self.fail(f"expected {token}, found {self.peek() or 'the end'}")
        self.at += 1
