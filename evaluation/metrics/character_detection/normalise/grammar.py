r"""The permissive LaTeX grammar CDM tokens are read with.

It accepts what the reference's parser accepts (a KaTeX 0.6 that takes unknown commands for symbols, bundled with
im2markup) and fails where that fails: when it does, the raw source is used instead, and the choice decides what a
token is. Two of its habits are not what one would write: an argument that is a function taking arguments itself
repeats the argument before it, and a matrix may be written `\matrix{...}`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import resources
from typing import Any

from ..words import words

Node = tuple[Any, ...]  # (kind, ...); `op` nodes are lists because \limits changes them afterwards


class Unparsable(Exception):
    """The source is outside the grammar; `position` is where, counted in characters of what was parsed."""

    def __init__(self, reason: str, position: int) -> None:
        super().__init__(reason)
        self.position = position


_TOKEN = re.compile(
    r"[ \r\n\t]+|---?|[!-\[\]-‧‪-퟿豈-\uffff\U00010000-\U0010ffff]|\\(?:[A-Za-z]+|.)", re.DOTALL
)
_SIZE = re.compile(r"(-?)\s*(\d+(?:\.\d*)?|\.\d+)\s*([a-z]{2})", re.ASCII)
_END = ""

_ENDS_EXPRESSION = frozenset(
    words(
        r"} \end \right & \\ \cr",
    )
)
_SIZES = frozenset(
    words(
        r"\tiny \scriptsize \footnotesize \small \normalsize \large \Large \LARGE \huge \Huge \textrm \rm",
        r"\cal \bf \siptstyle \boldmath \it",
    )
)
_STYLES = frozenset([r"\displaystyle", r"\textstyle", r"\scriptstyle", r"\scriptscriptstyle"])
_DELIMITERS = frozenset(
    words(
        r"( ) [ \lbrack ] \rbrack \{ \lbrace \} \rbrace \lfloor \rfloor \lceil \rceil < > \langle \rangle",
        r"\lt \gt \lvert \rvert \lVert \rVert \lgroup \rgroup \lmoustache \rmoustache / \backslash |",
        r"\vert \| \Vert \uparrow \Uparrow \downarrow \Downarrow \updownarrow \Updownarrow .",
    )
)
_ALIASES = {r"\Bbb": r"\mathbb", r"\bold": r"\mathbf", r"\frak": r"\mathfrak"}
_COLORS = words(
    r"\blue \orange \pink \red \green \gray \purple \blueA \blueB \blueC \blueD \blueE \tealA \tealB",
    r"\tealC \tealD \tealE \greenA \greenB \greenC \greenD \greenE \goldA \goldB \goldC \goldD \goldE",
    r"\redA \redB \redC \redD \redE \maroonA \maroonB \maroonC \maroonD \maroonE \purpleA \purpleB",
    r"\purpleC \purpleD \purpleE \mintA \mintB \mintC \grayA \grayB \grayC \grayD \grayE \grayF",
    r"\grayG \grayH \grayI \kaBlue \kaGreen",
)
_FUNCTION_GROUPS: list[tuple[str, str, int, int]] = [  # names, kind, arguments, greediness
    (r"\sqrt", "sqrt", 1, 1),
    (r"\text \mbox \hbox \vbox", "text", 1, 2),
    (r"\overline", "overline", 1, 1),
    (r"\underline", "underline", 1, 1),
    (r"\rule", "rule", 2, 1),
    (r"\KaTeX", "unprintable", 0, 1),
    (r"\phantom", "phantom", 1, 1),
    (
        r"\arcsin \arccos \arctan \arg \cos \cosh \cot \coth \csc \deg \dim \exp \hom \ker \lg \ln \log \sec \sin"
        r" \sinh \tan \tanh",
        "function",
        0,
        1,
    ),
    (r"\det \gcd \inf \lim \liminf \limsup \max \min \Pr \sup", "limit_function", 0, 1),
    (
        r"\int \iint \iiint \oint \coprod \bigvee \bigwedge \biguplus \bigcap \bigcup \intop \prod \sum \bigotimes"
        r" \bigoplus \bigodot \bigsqcup \smallint",
        "big_symbol",
        0,
        1,
    ),
    (r"\dfrac \frac \tfrac", "frac", 2, 2),
    (r"\dbinom \binom \tbinom", "binom", 2, 2),
    (r"\llap \rlap", "lap", 1, 1),
    (
        r"\bigl \Bigl \biggl \Biggl \bigr \Bigr \biggr \Biggr \bigm \Bigm \biggm \Biggm \big \Big \bigg \Bigg",
        "delimiter_size",
        1,
        1,
    ),
    (r"\left \right", "fence", 1, 1),
    (" ".join(_SIZES | _STYLES), "switch", 0, 1),
    (
        r"\mathrm \mathit \mathbf \mathop \stackrel \mathbb \mathcal \mathfrak \mathscr \mathsf \mathtt \label"
        r" \comment \hspace \vspace \atop \fbox \tag \makebox \raisebox \framebox \circle \line \put \vphantom"
        r" \textup \noalign \Bbb \bold \frak",
        "font",
        1,
        2,
    ),
    (r"\acute \grave \ddot \tilde \bar \breve \check \hat \vec \dot", "accent", 1, 1),
    (r"\over \choose", "infix", 0, 1),
    (r"\\ \cr", "row_end", 0, 1),
    (r"\begin \end", "environment", 1, 1),
    (r"\color " + " ".join(_COLORS), "unprintable", 1, 3),
]
FUNCTIONS = {
    name: (kind, count, greed) for names, kind, count, greed in _FUNCTION_GROUPS for name in names.split()
}
_FENCES = {
    "matrix": None,
    "pmatrix": ("(", ")"),
    "bmatrix": ("[", "]"),
    "Bmatrix": (r"\{", r"\}"),
    "vmatrix": ("|", "|"),
    "Vmatrix": (r"\Vert", r"\Vert"),
}
_ENVIRONMENTS = frozenset(["array", "tabular", "picture", "cases", "aligned", *_FENCES])
_SPACES = frozenset([r"\quad", r"\!", r"\ ", "~", r"\,", r"\:", r"\;", r"\enspace", r"\qquad", r"\space"])
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")


@lru_cache(maxsize=1)
def _whole_names() -> frozenset[str]:
    """Commands the reference's parser knows as something other than a letter: printed whole in roman text."""
    data = resources.files("evaluation.metrics.character_detection").joinpath("data/katex_names.txt")
    return frozenset(data.read_text(encoding="utf-8").split("\n"))


def parse(source: str) -> list[Node]:
    """The nodes of a formula; Unparsable where the grammar ends."""
    return Parser(source).parse()


class Parser:
    """Recursive descent over tokens read in one pass; `text` mode keeps white space."""

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

    def parse(self) -> list[Node]:
        """The whole source."""
        nodes = self._expression()
        if self._peek() is not _END:
            raise self._fail(f"unexpected {self._peek()}")
        return nodes

    # -- tokens --------------------------------------------------------------------------------------------------

    def _peek(self) -> str:
        tokens = self.tokens
        at = self.at
        if at >= len(tokens):
            return _END
        token = tokens[at]
        if token[0] in " \r\n\t":
            if self.mode == "text":
                return " "
            self.at = at + 1
            return tokens[at + 1] if at + 1 < len(tokens) else _END
        return token

    def _fail(self, reason: str) -> Unparsable:
        position = self.starts[self.at] if self.at < len(self.starts) else len(self.source)
        return Unparsable(reason, position)

    def _expect(self, token: str) -> None:
        if self._peek() != token:
            raise self._fail(f"expected {token}, found {self._peek() or 'the end'}")
        self.at += 1

    # -- expressions ---------------------------------------------------------------------------------------------

    def _expression(self, *, before_infix: bool = False, until: str | None = None) -> list[Node]:
        body: list[Node] = []
        while True:
            token = self._peek()
            if token in _ENDS_EXPRESSION or token is _END or (until is not None and token == until):
                break
            start = self.at
            atom = self._atom()
            if atom is None:
                break
            if before_infix and atom[0] == "infix":
                self.at = start
                break
            body.append(atom)
        return self._with_infix(body)

    def _with_infix(self, body: list[Node]) -> list[Node]:
        r"""a \over b becomes a fraction of everything before and after."""
        places = [at for at, node in enumerate(body) if node[0] == "infix"]
        if not places:
            return body
        if len(places) > 1:
            raise self._fail("two infix fractions in one group")
        at = places[0]
        kind = "frac" if body[at][1] == r"\over" else "binom"
        return [(kind, _as_group(body[:at]), _as_group(body[at + 1 :]))]

    def _atom(self) -> Node | None:
        """A nucleus with its scripts; later scripts of the same sort replace earlier ones."""
        base = self._implicit_group()
        if self.mode == "text":
            return base
        sub: Node | None = None
        sup: Node | None = None
        while True:
            token = self._peek()
            if token in (r"\limits", r"\nolimits"):
                if base is None or base[0] != "op":
                    raise self._fail(f"{token} must follow an operator")
                base[2]["limits"] = token == r"\limits"
                self.at += 1
            elif token == "^":
                sup = self._script()
            elif token == "_":
                sub = self._script()
            elif token == "'":
                primes = []
                while self._peek() == "'":
                    primes.append(("plain", r"\prime"))
                    self.at += 1
                sup = ("group", primes)
            else:
                break
        return base if sub is None and sup is None else ("scripts", base, sub, sup)

    def _script(self) -> Node | None:
        self.at += 1
        group = self._group()
        if group is None:
            return None
        if isinstance(group, str):
            if FUNCTIONS[group][2] > 1:
                return self._function(group)
            raise self._fail(f"{group} needs braces as a script")
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
            if start in _SIZES:
                return ("switch", start, self._expression())
            if start in _STYLES:
                return ("switch", start, self._expression(before_infix=True))
            return self._function(start)
        if start[1] in (r"\matrix", r"\pmatrix", r"\cases"):
            self._expect("{")
            node = self._body_of(start[1][1:], [])
            self._expect("}")
            return node
        return start

    def _fenced(self, start: str) -> Node:
        left = self._function(start)
        body = self._expression()
        if self._peek() != r"\right":
            raise self._fail(r"\left without \right")
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
            raise self._fail(f"{base} cannot be printed back")
        arguments = self._arguments(base, kind, count, greed)
        return self._call(base, kind, arguments)

    def _arguments(self, name: str, kind: str, count: int, greed: int) -> list[Node | None]:
        arguments: list[Node | None] = []
        if kind == "sqrt":
            arguments.append(self._bracketed())
        latest = arguments[0] if arguments else None
        for _ in range(count):
            found = self._text_group() if kind in ("text", "environment") else self._group()
            if found is None:
                raise self._fail(f"{name} lacks an argument")
            if isinstance(found, str):
                if FUNCTIONS[found][2] > greed:
                    latest = self._function(found)
            else:
                latest = found
            arguments.append(latest)
        return arguments

    def _call(self, name: str, kind: str, arguments: list[Node | None]) -> Node:
        first = arguments[0]
        if kind in ("fence", "delimiter_size"):
            value = first[1] if first is not None and first[0] in ("letter", "plain", "space") else None
            if value not in _DELIMITERS:
                raise self._fail(f"{name} needs a delimiter")
            return (kind, value, name)
        if kind == "environment":
            if first is None or first[0] != "group":
                raise self._fail("an environment needs a name in braces")
            return (kind, "".join(str(node[1]) for node in first[1]))
        if kind in ("text", "phantom"):
            if first is None:
                raise self._fail(f"{name} lacks an argument")
            return (kind, first[1] if first[0] == "group" else [first])
        if kind == "sqrt":
            return (kind, first, arguments[1])
        if kind in ("frac", "binom"):
            return (kind, first, arguments[1])
        return (kind, _ALIASES.get(name, name), first)

    # -- groups --------------------------------------------------------------------------------------------------

    def _group(self) -> Node | str | None:
        if self._peek() == "{":
            self.at += 1
            nodes = self._expression()
            self._expect("}")
            return ("group", nodes)
        return self._symbol()

    def _bracketed(self) -> Node | None:
        if self._peek() != "[":
            return None
        self.at += 1
        nodes = self._expression(until="]")
        self._expect("]")
        return ("group", nodes)

    def _text_group(self) -> Node | str | None:
        outer, self.mode = self.mode, "text"
        while self.at < len(self.tokens) and self.tokens[self.at][0] in " \r\n\t":
            self.at += 1
        found = self._group()
        self.mode = outer
        return found

    def _size(self, *, optional: bool = False) -> tuple[str, str] | None:
        """A length in braces (or, if it comes next, in brackets)."""
        opening, closing = ("[", "]") if optional else ("{", "}")
        if optional and self._peek() != "[":
            return None
        self._expect(opening)
        position = self.starts[self.at] if self.at < len(self.starts) else len(self.source)
        while position < len(self.source) and self.source[position].isspace():
            position += 1
        found = _SIZE.match(self.source, position)
        if found is None:
            raise self._fail("expected a length")
        while self.at < len(self.starts) and self.starts[self.at] < found.end():
            self.at += 1
        self._expect(closing)
        number = float(found[1] + found[2])
        return (str(int(number)) if number.is_integer() else repr(number), found[3])

    def _symbol(self) -> Node | str | None:
        token = self._peek()
        if token is _END or token == "{":
            return None
        self.at += 1
        if token in FUNCTIONS:
            return token
        if self.mode == "text":
            if token in (" ", r"\ ", "~"):
                return ("space", token)
            return ("plain" if len(token) == 1 and token.isascii() else "letter", token)
        if token in _SPACES:
            return ("space", token)
        if token in _whole_names() or (len(token) == 1 and token.isascii() and token not in _LETTERS):
            return ("plain", token)
        return ("letter", token)

    # -- environments --------------------------------------------------------------------------------------------

    def _environment(self) -> Node:
        begin = self._function(r"\begin")
        assert begin is not None
        name = begin[1]
        if name not in _ENVIRONMENTS:
            raise self._fail(f"unknown environment {name}")
        arguments: list[Node | None] = []
        if name in ("array", "tabular"):
            arguments = self._arguments(name, "array", 1, 1)
        node = self._body_of(name, arguments)
        if self._peek() != r"\end":
            raise self._fail(f"environment {name} does not end")
        end = self._function(self._group())
        assert end is not None
        if end[1] != name:
            raise self._fail(f"environment {name} ended by {end[1]}")
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
                for at in range(1, len(row), 2):
                    row[at].insert(0, ("group", []))
            widest = max(len(row) for row in rows)
            return ("array", ["l" if at % 2 else "r" for at in range(widest)], rows)
        fences = _FENCES[name]
        array = ("array", None, rows)
        return array if fences is None else ("fenced", fences[0], [array], fences[1])

    def _rows(self) -> list[list[list[Node]]]:
        row: list[list[Node]] = []
        rows = [row]
        while True:
            row.append(self._expression())
            token = self._peek()
            if token == "&":
                self.at += 1
            elif token in (r"\end", "}"):
                return rows
            elif token in (r"\\", r"\cr"):
                self._function(self._group())
                row = []
                rows.append(row)
            else:
                raise self._fail(r"expected &, \\ or \end")


def _as_group(nodes: list[Node]) -> Node:
    return nodes[0] if len(nodes) == 1 and nodes[0][0] == "group" else ("group", nodes)


def _columns(argument: Node | None, parser: Parser) -> list[str]:
    """The alignments of an array's columns; anything else in the specification is dropped."""
    if argument is None:
        raise parser._fail("an array needs column alignments")
    nodes = argument[1] if argument[0] == "group" else [argument]
    return [node[1] for node in nodes if node[0] in ("letter", "plain") and node[1] in ("l", "c", "r")]
