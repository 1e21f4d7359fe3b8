"""The state of the token machine: open groups, finished blocks, limits and errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .lexer import Token
from .nodes import (
    ORD,
    Atom,
    Delimiter,
    Field,
    MathList,
)

BRACE, FENCE, SEMI, SHIFT, ALIGN, CELL, BOTTOM = "brace", "fence", "semi", "shift", "align", "cell", "bottom"
MAX_ERRORS = 100  # TeX stops here
MAX_STEPS = 400_000  # tokens executed; far more than 20,000 characters of sensible input need
MAX_DEPTH = 255  # TeX's own limit on nested groups

Meaning = Any  # Macro | (class, family, code) | handler function
NULL = Delimiter(0, 0, 0, 0)


class CannotTypeset(Exception):
    """TeX would stop on this input and print no page."""


class BrokenArgument(Exception):
    """An argument is missing: the group ends (TeX § 395)."""


class Frame:
    """An open group."""

    __slots__ = (
        "after", "bold", "color", "explicit", "family", "fraction", "is_text", "items", "kind", "on_close", "state"
    )  # fmt: skip

    def __init__(
        self, kind: str, outer: Frame | None, on_close: Callable[[MathList], None] | None = None
    ) -> None:
        self.kind = kind
        self.items: MathList = []
        self.on_close = on_close
        self.after: tuple[Token, ...] = ()
        self.fraction: Atom | None = None
        self.explicit = False
        self.state: Any = None
        if outer is None:
            self.color, self.family, self.bold, self.is_text = 0, -1, 0, False
        else:
            self.color, self.family, self.bold = outer.color, outer.family, outer.bold
            self.is_text = outer.is_text


class TypesetBlock(NamedTuple):
    """A display, or a paragraph of text."""

    items: MathList
    is_text: bool


def unwrapped(items: MathList) -> Field:
    """The list as a field: a single plain atom becomes its nucleus (§ 1186)."""
    if len(items) == 1:
        only = items[0]
        if isinstance(only, Atom) and only.kind == ORD and only.sub is None and only.sup is None:
            return only.nucleus
    return items


def is_atom(item: object, kind: int) -> bool:
    return isinstance(item, Atom) and item.kind == kind
