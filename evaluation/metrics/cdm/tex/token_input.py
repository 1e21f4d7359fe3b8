"""Reading tokens: look-ahead, arguments and abbreviations (TeX §§ 366-407)."""

from __future__ import annotations

from .lexer import Token
from .macros import Macro
from .state import (
    MAX_ERRORS,
    MAX_STEPS,
    BrokenArgument,
    CannotTypeset,
    Meaning,
)


class TokenInput:
    """The input, last token first, and what reads from it."""

    def __init__(self, meanings: dict[str, Meaning]) -> None:
        self.meanings = meanings
        self.input: list[Token] = []
        self.errors = 0
        self.steps = 0

    def error(self) -> None:
        """Count an error TeX recovers from."""
        self.errors += 1
        if self.errors >= MAX_ERRORS:
            raise CannotTypeset("a hundred errors")

    def push_back(self, *tokens: Token) -> None:
        """Put tokens in front of the input, first one to be read first."""
        self.input.extend(reversed(tokens))

    def skip_spaces(self) -> None:
        """Drop spaces at the front of the input."""
        stack = self.input
        while stack and stack[-1] == " ":
            stack.pop()

    def skip_filler(self) -> None:
        r"""Drop spaces and \relax, opening abbreviations on the way (LaTeX3's peek_remove_filler)."""
        stack = self.input
        while stack:
            token = stack[-1]
            if token == " " or token == r"\relax":
                stack.pop()
            elif type(token) is str and type(meaning := self.meanings.get(token)) is Macro:
                stack.pop()
                self.expand(token, meaning)
            elif type(token) is str and token[0] == "\\" and meaning is None:
                stack.pop()
                self.error()
            else:
                return

    def argument(self) -> list[Token]:
        """One undelimited argument, last token first (TeX § 391)."""
        self.skip_spaces()
        stack = self.input
        if not stack:
            self.error()
            return [r"\par"]  # TeX takes the \end of the page, which breaks off the display
        token = stack[-1]
        if token == "}":
            self.error()
            raise BrokenArgument
        if token != "{":
            stack.pop()
            return [token]
        depth = 0
        for at in range(len(stack) - 1, -1, -1):
            token = stack[at]
            if token == "{":
                depth += 1
            elif token == "}":
                depth -= 1
                if depth == 0:
                    found = stack[at + 1 : -1]
                    del stack[at:]
                    return found
        raise CannotTypeset("an argument never ends")

    def optional_argument(self) -> list[Token] | None:
        """[...] if it comes next (LaTeX's look-ahead), last token first."""
        self.skip_spaces()
        stack = self.input
        if not stack or stack[-1] != "[":
            return None
        depth = 0
        for at in range(len(stack) - 2, -1, -1):
            token = stack[at]
            if token == "{":
                depth += 1
            elif token == "}":
                if depth == 0:
                    self.error()
                    raise BrokenArgument
                depth -= 1
            elif token == "]" and depth == 0:
                found = stack[at + 1 : -1]
                del stack[at:]
                return found
        raise CannotTypeset("an optional argument never ends")

    def expand(self, token: str, macro: Macro) -> None:
        """Replace an abbreviation by what it stands for."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise CannotTypeset("too many steps")
        arguments = [self.argument() for _ in range(macro.arguments)]
        stack = self.input
        for part in macro.parts:
            if type(part) is int:
                stack.extend(arguments[part - 1])
            else:
                stack.append(part)
