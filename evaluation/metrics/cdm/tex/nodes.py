"""The items of a math list before typesetting (TeXbook, chapter 17), and the boxes after it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

# Kinds of atoms. The first eight are the rows of the spacing table.
ORD, OP, BIN, REL, OPEN, CLOSE, PUNCT, INNER = range(8)
RADICAL, FRACTION, UNDER, OVER, ACCENT, VCENTER, LEFT, MIDDLE, RIGHT = range(8, 17)

TEXT_STYLE, SCRIPT_STYLE = 2, 4  # of the eight in styles.py


class Symbol(NamedTuple):
    """A character of a math family, in the colour of its token."""

    family: int
    code: int
    color: int
    is_text: bool = False  # may kern with its neighbour, so loses its italic correction


class Delimiter(NamedTuple):
    """Where to find a delimiter: a small variant, then the large ones."""

    small_family: int
    small_code: int
    large_family: int
    large_code: int


class Box:
    """A finished box: width, height, depth in points; either ink of one colour or placed boxes.

    `kids` holds (dx, dy, box) from this box's reference point, y upwards. `color` 0 is the black of everything
    that is not a counted token. Boxes are immutable: a list may be typeset more than once.
    """

    __slots__ = ("color", "depth", "height", "ink", "kids", "width")

    def __init__(
        self,
        width: float,
        height: float,
        depth: float,
        kids: list[tuple[float, float, Box]] | None = None,
        ink: tuple[float, float, float, float] | None = None,
        color: int = 0,
    ) -> None:
        self.width = width
        self.height = height
        self.depth = depth
        self.kids = kids
        self.ink = ink
        self.color = color


class Glue(NamedTuple):
    """Space that may shrink or stretch; only the outermost list of a display, and rows, use more than `width`."""

    width: float
    shrink: float = 0.0
    fill: int = 0  # units of infinite stretch


class FractionSpec(NamedTuple):
    r"""The settings of \over and similar commands: rule thickness (None = the font's), delimiters, colour."""

    thickness: float | None
    left: Delimiter
    right: Delimiter
    color: int


class Space(NamedTuple):
    """Space in a math list: mu units scale with the size, points do not."""

    width: float
    is_mu: bool = True
    shrink: float = 0.0


class Style(NamedTuple):
    r"""\displaystyle and similar: the rest of the list is set in another style."""

    style: int


class Whatsit:
    """A colour change. It has no width but separates neighbours: no kerns, no unwrapping of single atoms."""

    __slots__ = ()


WHATSIT = Whatsit()


class Nonscript:
    r"""\nonscript: the space that follows vanishes in scripts."""

    __slots__ = ()


NONSCRIPT = Nonscript()


class DeferredBox(NamedTuple):
    r"""A list item that depends on the style (\mathchoice): `make(style)` gives its box."""

    make: Callable[[int], Box]
    color: int = 0  # the token that this ink belongs to
    parts: tuple[tuple[str, MathList], ...] = ()  # its contents by relation (see layout_tree.py)


class Atom:
    """A nucleus with scripts. `extra` and `extra2` hold what some kinds need (delimiters, denominators, ...)."""

    __slots__ = ("extra", "extra2", "kind", "limits", "nucleus", "sub", "sup")

    def __init__(self, kind: int, nucleus: Field = None) -> None:
        self.kind = kind
        self.nucleus = nucleus
        self.sub: Field = None
        self.sup: Field = None
        self.limits = 0  # 0 = as the style says, 1 = \limits, 2 = \nolimits
        self.extra: Extra = None
        self.extra2: Extra = None


Item = Atom | Space | Style | Box | DeferredBox | Whatsit | Nonscript | Glue
MathList = list[Item]
Field = None | Symbol | Box | MathList
Extra = float | Delimiter | FractionSpec | Field
HorizontalItem = float | Glue | Box
