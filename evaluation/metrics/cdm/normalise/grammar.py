r"""The permissive LaTeX grammar that CDM tokens are parsed with.

It accepts what the reference's parser accepts (im2markup's KaTeX 0.6, which takes unknown commands for symbols) and
fails where that fails. In that case the raw source is used, so the grammar decides what a token is. Two quirks are
reproduced: an argument that is itself a function with arguments repeats the argument before it, and a matrix may be
written `\matrix{...}`.
"""

from __future__ import annotations

import re
from typing import Any

from .commands import (
    ALIASES,
    DELIMITERS,
    ENDS_EXPRESSION,
    ENVIRONMENTS,
    FENCES,
    FUNCTIONS,
    LETTERS,
    SIZES,
    SPACES,
    STYLES,
    whole_names,
)

Node = tuple[Any, ...]  # (kind, ...); `op` nodes are lists because \limits changes them afterwards

END = ""
_TOKEN = re.compile(
    r"[ \r\n\t]+|---?|[!-\[\]-‧‪-퟿豈-\uffff\U00010000-\U0010ffff]|\\(?:[A-Za-z]+|.)", re.DOTALL
)
_SIZE = re.compile(r"(-?)\s*(\d+(?:\.\d*)?|\.\d+)\s*([a-z]{2})", re.ASCII)


class FormulaSyntaxError(Exception):
    """The source is outside the grammar, at `position` (in characters of the parsed text)."""

    def __init__(self, reason: str, position: int) -> None:
        super().__init__(reason)
        self.position = position


def parse(source: str) -> list[Node]:
    """The nodes of a formula. Raises FormulaSyntaxError."""
    return FormulaParser(source).parse()


class FormulaParser:
    """Recursive descent over the formula's tokens; in `text` mode white space is a token."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.tokens: list[str] = []
        self.starts: list[int] = []
        position = 0
        while position < len(source):
            match = _TOKEN.match(source, position)
            if match is None:
                raise FormulaSyntaxError(f"unexpected character {source[position]!r}", position)
            self.tokens.append(match[0])
            self.starts.append(position)
            position = match.end()
        self.position = 0
        self.mode = "math"

    def parse(self) -> list[Node]:
        """Parse the whole source."""
        nodes = self._expression()
        if self.peek() is not END:
            raise self.fail(f"unexpected {self.peek()}")
        return nodes

    # -- tokens --------------------------------------------------------------------------------------------------

    def peek(self) -> str:
        """The next token, END after the last; white space is a token in text mode only."""
        tokens = self.tokens
        position = self.position
        if position >= len(tokens):
            return END
        token = tokens[position]
        if token[0] in " \r\n\t":
            if self.mode == "text":
                return " "
            self.position = position + 1
            return tokens[position + 1] if position + 1 < len(tokens) else END
        return token

    def fail(self, reason: str) -> FormulaSyntaxError:
        """The error for the current position."""
        position = self.starts[self.position] if self.position < len(self.starts) else len(self.source)
        return FormulaSyntaxError(reason, position)

    def expect(self, token: str) -> None:
        """Consume this token. Raises FormulaSyntaxError."""
        if self.peek() != token:
            raise self.fail(f"expected {token}, found {self.peek() or 'the end'}")
        self.position += 1

    # -- expressions ---------------------------------------------------------------------------------------------

    def _expression(self, *, before_infix: bool = False, until: str | None = None) -> list[Node]:
        body: list[Node] = []
        while True:
            token = self.peek()
            if token in ENDS_EXPRESSION or token is END or (until is not None and token == until):
                break
            start = self.position
            atom = self._atom()
            if atom is None:
                break
            if before_infix and atom[0] == "infix":
                self.position = start
                break
            body.append(atom)
        return self._with_infix(body)

    def _with_infix(self, body: list[Node]) -> list[Node]:
        r"""a \over b becomes a fraction of everything before and after."""
        places = [index for index, node in enumerate(body) if node[0] == "infix"]
        if not places:
            return body
        if len(places) > 1:
            raise self.fail("two infix fractions in one group")
        index = places[0]
        kind = "frac" if body[index][1] == r"\over" else "binom"
        return [(kind, _as_group(body[:index]), _as_group(body[index + 1 :]))]

    def _atom(self) -> Node | None:
        """A nucleus with its scripts; later scripts of the same kind replace earlier ones."""
        base = self._implicit_group()
        if self.mode == "text":
            return base
        sub: Node | None = None
        sup: Node | None = None
        while True:
            token = self.peek()
            if token in (r"\limits", r"\nolimits"):
                if base is None or base[0] != "op":
                    raise self.fail(f"{token} must follow an operator")
                base[2]["limits"] = token == r"\limits"
                self.position += 1
            elif token == "^":
                sup = self._script()
            elif token == "_":
                sub = self._script()
            elif token == "'":
                primes = []
                while self.peek() == "'":
                    primes.append(("plain", r"\prime"))
                    self.position += 1
                sup = ("group", primes)
            else:
                break
        return base if sub is None and sup is None else ("scripts", base, sub, sup)

    def _script(self) -> Node | None:
        self.position += 1
        group = self._group()
        if group is None:
            return None
        if isinstance(group, str):
            if FUNCTIONS[group][2] > 1:
                return self._function(group)
            raise self.fail(f"{group} needs braces as a script")
        return group

    def _implicit_group(self) -> Node | None:
        start = self._symbol()
        if start is None:
            return self._function(self._group())
        if isinstance(start, str):
            if start == r"\left":
                return self._fenced(start)
            if start == r"\begin":
                return self._environment()
            if start in SIZES:
                return ("switch", start, self._expression())
            if start in STYLES:
                return ("switch", start, self._expression(before_infix=True))
            return self._function(start)
        if start[1] in (r"\matrix", r"\pmatrix", r"\cases"):
            self.expect("{")
            node = self._body_of(start[1][1:], [])
            self.expect("}")
            return node
        return start

    def _fenced(self, start: str) -> Node:
        left = self._function(start)
        body = self._expression()
        if self.peek() != r"\right":
            raise self.fail(r"\left without \right")
        right = self._function(self._group())
        assert left is not None and right is not None
        return ("fenced", left[1], body, right[1])

    # -- functions -----------------------------------------------------------------------------------------------

    def _function(self, base: Node | str | None) -> Node | None:
        if not isinstance(base, str):
            return base
        kind, count, greed = FUNCTIONS[base]
        if kind == "row_end":
            return ("row_end", self._size(optional=True))
        if kind == "rule":
            self._size(optional=True)
            return ("rule", self._size(), self._size())
        if kind in ("function", "limit_function", "big_symbol"):
            return ("op", base, {"limits": kind == "limit_function", "symbol": kind == "big_symbol"})
        if kind == "infix":
            return ("infix", base)
        if kind in ("unprintable", "switch"):
            raise self.fail(f"{base} cannot be printed back")
        arguments = self._arguments(base, kind, count, greed)
        return self._call(base, kind, arguments)

    def _arguments(self, name: str, kind: str, count: int, greed: int) -> list[Node | None]:
        arguments: list[Node | None] = []
        if kind == "sqrt":
            arguments.append(self._bracketed())
        latest = arguments[0] if arguments else None
        for _ in range(count):
            argument = self._text_group() if kind in ("text", "environment") else self._group()
            if argument is None:
                raise self.fail(f"{name} lacks an argument")
            if isinstance(argument, str):
                if FUNCTIONS[argument][2] > greed:
                    latest = self._function(argument)
            else:
                latest = argument
            arguments.append(latest)
        return arguments

    def _call(self, name: str, kind: str, arguments: list[Node | None]) -> Node:
        first = arguments[0]
        if kind in ("fence", "delimiter_size"):
            value = first[1] if first is not None and first[0] in ("letter", "plain", "space") else None
            if value not in DELIMITERS:
                raise self.fail(f"{name} needs a delimiter")
            return (kind, value, name)
        if kind == "environment":
            if first is None or first[0] != "group":
                raise self.fail("an environment needs a name in braces")
            return (kind, "".join(str(node[1]) for node in first[1]))
        if kind in ("text", "phantom"):
            if first is None:
                raise self.fail(f"{name} lacks an argument")
            return (kind, first[1] if first[0] == "group" else [first])
        if kind == "sqrt":
            return (kind, first, arguments[1])
        if kind in ("frac", "binom"):
            return (kind, first, arguments[1])
        return (kind, ALIASES.get(name, name), first)

    # -- groups --------------------------------------------------------------------------------------------------

    def _group(self) -> Node | str | None:
        if self.peek() == "{":
            self.position += 1
            nodes = self._expression()
            self.expect("}")
            return ("group", nodes)
        return self._symbol()

    def _bracketed(self) -> Node | None:
        if self.peek() != "[":
            return None
        self.position += 1
        nodes = self._expression(until="]")
        self.expect("]")
        return ("group", nodes)

    def _text_group(self) -> Node | str | None:
        outer, self.mode = self.mode, "text"
        while self.position < len(self.tokens) and self.tokens[self.position][0] in " \r\n\t":
            self.position += 1
        group = self._group()
        self.mode = outer
        return group

    def _size(self, *, optional: bool = False) -> tuple[str, str] | None:
        """A length in braces (or, if it comes next, in brackets)."""
        opening, closing = ("[", "]") if optional else ("{", "}")
        if optional and self.peek() != "[":
            return None
        self.expect(opening)
        position = self.starts[self.position] if self.position < len(self.starts) else len(self.source)
        while position < len(self.source) and self.source[position].isspace():
            position += 1
        match = _SIZE.match(self.source, position)
        if match is None:
            raise self.fail("expected a length")
        while self.position < len(self.starts) and self.starts[self.position] < match.end():
            self.position += 1
        self.expect(closing)
        number = float(match[1] + match[2])
        return (str(int(number)) if number.is_integer() else repr(number), match[3])

    def _symbol(self) -> Node | str | None:
        token = self.peek()
        if token is END or token == "{":
            return None
        self.position += 1
        if token in FUNCTIONS:
            return token
        if self.mode == "text":
            if token in (" ", r"\ ", "~"):
                return ("space", token)
            return ("plain" if len(token) == 1 and token.isascii() else "letter", token)
        if token in SPACES:
            return ("space", token)
        if token in whole_names() or (len(token) == 1 and token.isascii() and token not in LETTERS):
            return ("plain", token)
        return ("letter", token)

    # -- environments --------------------------------------------------------------------------------------------

    def _environment(self) -> Node:
        begin = self._function(r"\begin")
        assert begin is not None
        name = begin[1]
        if name not in ENVIRONMENTS:
            raise self.fail(f"unknown environment {name}")
        arguments: list[Node | None] = []
        if name in ("array", "tabular"):
            arguments = self._arguments(name, "array", 1, 1)
        node = self._body_of(name, arguments)
        if self.peek() != r"\end":
            raise self.fail(f"environment {name} does not end")
        end = self._function(self._group())
        assert end is not None
        if end[1] != name:
            raise self.fail(f"environment {name} ended by {end[1]}")
        return node

    def _body_of(self, name: str, arguments: list[Node | None]) -> Node:
        if name in ("array", "tabular"):
            columns = _columns(arguments[0], self)
            return ("array", columns, self._rows())
        if name in ("cases", "picture"):
            return ("fenced", r"\{", [("array", ["l", "l"], self._rows())], ".")
        rows = self._rows()
        if name == "aligned":
            for row in rows:
                for index in range(1, len(row), 2):
                    row[index].insert(0, ("group", []))
            widest = max(len(row) for row in rows)
            return ("array", ["l" if index % 2 else "r" for index in range(widest)], rows)
        fences = FENCES[name]
        array = ("array", None, rows)
        return array if fences is None else ("fenced", fences[0], [array], fences[1])

    def _rows(self) -> list[list[list[Node]]]:
        row: list[list[Node]] = []
        rows = [row]
        while True:
            row.append(self._expression())
            token = self.peek()
            if token == "&":
                self.position += 1
            elif token in (r"\end", "}"):
                return rows
            elif token in (r"\\", r"\cr"):
                self._function(self._group())
                row = []
                rows.append(row)
            else:
                raise self.fail(r"expected &, \\ or \end")


def _as_group(nodes: list[Node]) -> Node:
    return nodes[0] if len(nodes) == 1 and nodes[0][0] == "group" else ("group", nodes)


def _columns(argument: Node | None, parser: FormulaParser) -> list[str]:
    """The alignments of an array's columns; anything else in the specification is dropped."""
    if argument is None:
        raise parser.fail("an array needs column alignments")
    nodes = argument[1] if argument[0] == "group" else [argument]
    return [node[1] for node in nodes if node[0] in ("letter", "plain") and node[1] in ("l", "c", "r")]
