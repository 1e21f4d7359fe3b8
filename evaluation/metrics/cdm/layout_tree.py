r"""The layout tree of a formula: the line of each token, and how each line is attached to another token.

A *line* is a run of tokens side by side. The main line counts as the only row of a formula and has no owner; every
other line is attached to its owner token by one relation: sub, sup, under, over (limits), numerator, denominator,
radicand, degree, base (of an accent), braced, arrowed, or the row of an array (cells of a row share a line, so
alignment points do not matter). Braces, fonts and empty groups do not matter either: `{x}^{2}` and `x^2` have the
same tree. Tokens without ink are left out. This is the symbol layout tree of the literature on handwritten maths
(R. Zanibbi and D. Blostein, "Recognition and retrieval of mathematical expressions", IJDAR 2012, section 2), read
from TeX's math lists.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from .tex.nodes import (
    ACCENT,
    FRACTION,
    OP,
    OVER,
    RADICAL,
    UNDER,
    Atom,
    DeferredBox,
    Field,
    FractionSpec,
    MathList,
    Style,
    Symbol,
)
from .tex.styles import CRAMPED, DENOMINATOR, NUMERATOR, SUBSCRIPT, SUPERSCRIPT


@dataclass(slots=True)
class LayoutLine:
    """Tokens (numbers from 1) side by side, and the owner token of the line; 0 = none."""

    relation: str
    owner: int
    tokens: list[int] = field(default_factory=list)
    row: int = 0


@dataclass(frozen=True, slots=True)
class LayoutTree:
    """All lines of a formula, and for every visible token the number of its line and its rank in it."""

    lines: tuple[LayoutLine, ...]
    place: dict[int, tuple[int, int]]

    def shape(self, names: dict[int, str]) -> object:
        """The tree as nested values, equal exactly when two formulas have equal trees."""
        below: dict[int, list[LayoutLine]] = {}
        for line in self.lines[1:]:
            below.setdefault(line.owner, []).append(line)

        def value(line: LayoutLine) -> object:
            marks = tuple((names[token], hanging(token)) for token in line.tokens)
            return (line.relation, line.row, marks)

        def hanging(token: int) -> object:
            return tuple(sorted(map(value, below.get(token, ())), key=repr))

        return (value(self.lines[0]), hanging(0))


def build_layout_tree(items: MathList, visible: Collection[int]) -> LayoutTree:
    """The layout tree of a typeset display."""
    reader = _Reader(frozenset(visible))
    main = reader.open("row 0", 0)
    reader.read(items, main, 0)
    lines = tuple(line for line in reader.lines if line.tokens or line is main)
    place = {
        token: (number, rank) for number, line in enumerate(lines) for rank, token in enumerate(line.tokens)
    }
    return LayoutTree(lines, place)


class _Reader:
    def __init__(self, visible: frozenset[int]) -> None:
        self.visible = visible
        self.lines: list[LayoutLine] = []
        self.seen: set[int] = set()

    def open(self, relation: str, owner: int) -> LayoutLine:
        """A new line; `row r` carries its number."""
        name, _, row = relation.partition(" ")
        line = LayoutLine(name, owner, row=int(row or 0))
        self.lines.append(line)
        return line

    def _token(self, number: int, line: LayoutLine) -> None:
        if number in self.visible and number not in self.seen:
            self.seen.add(number)
            line.tokens.append(number)

    def _hang(self, relation: str, owner: int, content: Field, style: int) -> None:
        line = self.open(relation, owner)
        self._field(content, line, style)

    def _field(self, content: Field, line: LayoutLine, style: int) -> None:
        if isinstance(content, Symbol):
            self._token(content.color, line)
        elif isinstance(content, list):
            self.read(content, line, style)

    def read(self, items: MathList, line: LayoutLine, style: int) -> None:
        """Put the tokens of a list on a line, and open lines for what is attached to them."""
        for item in items:
            if isinstance(item, Style):
                style = item.style
            elif isinstance(item, Symbol):
                self._token(item.color, line)
            elif isinstance(item, DeferredBox):
                self._built(item, line, style)
            elif isinstance(item, Atom):
                self._atom(item, line, style)

    def _built(self, item: DeferredBox, line: LayoutLine, style: int) -> None:
        self._token(item.color, line)
        owner = item.color if item.color in self.visible else _last(line)
        for relation, content in item.parts:
            if relation == "inline":
                self.read(content, line, style)
            else:
                inner = 2 if relation.startswith("row") else style
                self._hang(relation, owner, content, inner)

    def _atom(self, atom: Atom, line: LayoutLine, style: int) -> None:
        kind = atom.kind
        if kind == FRACTION:
            self._fraction(atom, line, style)
        elif kind in (RADICAL, OVER, UNDER):
            color = atom.extra2 if isinstance(atom.extra2, int) else 0
            self._owned(color, "radicand" if kind == RADICAL else "base", atom.nucleus, line, CRAMPED[style])
        elif kind == ACCENT:
            color = atom.extra.color if isinstance(atom.extra, Symbol) else 0
            self._owned(color, "base", atom.nucleus, line, CRAMPED[style])
        else:
            if isinstance(atom.extra2, int) and not isinstance(atom.nucleus, (list, Symbol)):
                self._token(atom.extra2, line)
            self._field(atom.nucleus, line, style)
        self._scripts(atom, line, style)

    def _owned(self, color: int, relation: str, content: Field, line: LayoutLine, style: int) -> None:
        self._token(color, line)
        if color in self.visible:
            self._hang(relation, color, content, style)
        else:
            self._field(content, line, style)

    def _fraction(self, atom: Atom, line: LayoutLine, style: int) -> None:
        color = atom.extra2.color if isinstance(atom.extra2, FractionSpec) else 0
        self._token(color, line)
        owner = color if color in self.visible else _last(line)
        bottom = atom.extra if isinstance(atom.extra, (Symbol, list)) else None
        self._hang("numerator", owner, atom.nucleus, NUMERATOR[style])
        self._hang("denominator", owner, bottom, DENOMINATOR[style])

    def _scripts(self, atom: Atom, line: LayoutLine, style: int) -> None:
        if atom.sub is None and atom.sup is None:
            return
        stacked = atom.kind == OP and (atom.limits == 1 or (atom.limits == 0 and style < 2))
        owner = _last(line)
        if atom.sub is not None:
            self._hang("under" if stacked else "sub", owner, atom.sub, SUBSCRIPT[style])
        if atom.sup is not None:
            self._hang("over" if stacked else "sup", owner, atom.sup, SUPERSCRIPT[style])


def _last(line: LayoutLine) -> int:
    """The default owner: the last token of the line, or the line's owner."""
    return line.tokens[-1] if line.tokens else line.owner
