"""Formulas of the demo's pages: a small subset of LaTeX, laid out as handwriting.

A page is lines of words and, on lines of their own between `$$`, formulas: characters, `^` and `_`, `\\frac`, `\\sqrt`,
`\\sum`, `\\int` and a few signs. Bars, roots, sums and integrals are strokes, all else are letters of the hand. The
outline of each formula follows from where its ink goes, so it is exact by construction.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

Path = tuple[tuple[float, float], ...]
"""A stroke of the pen, x to the right, y down."""

SIGNS = {
    r"\times": "×",
    r"\cdot": "·",
    r"\pm": "±",
    r"\ln": "ln",
    r"\sin": "sin",
    r"\cos": "cos",
    r"\log": "log",
    r"\,": " ",
}
SMALL = 0.66  # of the size, for superscripts, subscripts and limits
AXIS = 0.3  # of the size, from the baseline to fraction bars and minus signs
_TOKEN = re.compile(r"\\[a-zA-Z]+|\\,|[{}^_]|\s+|.")

# Signs that no handwriting font has, as strokes in a box one wide and one high, y down.
_DRAWN: dict[str, tuple[Path, ...]] = {
    r"\sum": (
        ((0.95, 0.12), (0.9, 0.02), (0.08, 0.0), (0.55, 0.48), (0.05, 1.0), (0.92, 0.97), (0.98, 0.86)),
    ),
    r"\int": (
        (
            (0.95, 0.08),
            (0.78, 0.0),
            (0.62, 0.06),
            (0.54, 0.25),
            (0.46, 0.75),
            (0.38, 0.94),
            (0.22, 1.0),
            (0.05, 0.92),
        ),
    ),
    r"\pi": (
        ((0.0, 0.2), (0.12, 0.03), (0.98, 0.0)),
        ((0.34, 0.05), (0.22, 0.98)),
        ((0.7, 0.03), (0.66, 0.8), (0.8, 0.98)),
    ),
    r"\alpha": (
        (
            (1.0, 0.05),
            (0.7, 0.6),
            (0.4, 0.98),
            (0.1, 0.8),
            (0.06, 0.4),
            (0.3, 0.05),
            (0.6, 0.3),
            (0.98, 0.98),
        ),
    ),
}
_DRAWN_SIZE = {r"\sum": (0.85, 1.25), r"\int": (0.55, 1.7), r"\pi": (0.6, 0.5), r"\alpha": (0.55, 0.46)}


@dataclass(frozen=True, slots=True)
class Letter:
    """A character with its position on the baseline."""

    character: str
    size: float
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a formula with its left end on the baseline at (0, 0): `ascent` above it, `descent` below."""

    width: float
    ascent: float
    descent: float
    letters: tuple[Letter, ...] = ()
    strokes: tuple[Path, ...] = ()

    def moved(self, x: float, y: float) -> Block:
        """The same piece at another position."""
        letters = tuple(
            Letter(letter.character, letter.size, letter.x + x, letter.y + y) for letter in self.letters
        )
        strokes = tuple(tuple((px + x, py + y) for px, py in path) for path in self.strokes)
        return Block(self.width, self.ascent, self.descent, letters, strokes)


Measure = Callable[[str, float], float]
"""Advance of a character at a size, in pixels."""


def lay_out_formula(latex: str, size: float, measure: Measure) -> Block:
    """The ink of one formula. Raises ValueError for LaTeX outside the subset.

    >>> round(lay_out_formula("ab", 10, lambda character, size: size / 2).width)
    10
    """
    tokens = [token for token in _TOKEN.findall(latex) if not token.isspace()]
    block = _row(tokens, size, measure)
    if tokens:
        raise ValueError(f"{latex!r}: a brace is closed that was not opened")
    return block


def _row(tokens: list[str], size: float, measure: Measure) -> Block:
    """Read up to a closing brace, which is not consumed, or to the end."""
    parts: list[Block] = []
    while tokens and tokens[0] != "}":
        token = tokens.pop(0)
        if token in "^_":
            parts.append(_scripts(token, tokens, size, measure))
        else:
            parts.append(_piece(token, tokens, size, measure))
    return _beside(parts)


def _argument(tokens: list[str], size: float, measure: Measure) -> Block:
    if not tokens:
        raise ValueError("a formula ends where something must follow")
    token = tokens.pop(0)
    if token != "{":
        return _piece(token, tokens, size, measure)
    inside = _row(tokens, size, measure)
    if not tokens:
        raise ValueError("a brace is not closed")
    tokens.pop(0)
    return inside


def _piece(token: str, tokens: list[str], size: float, measure: Measure) -> Block:
    match token:
        case r"\frac":
            return _fraction(
                _argument(tokens, size * 0.82, measure), _argument(tokens, size * 0.82, measure), size
            )
        case r"\sqrt":
            return _root(_argument(tokens, size, measure), size)
        case r"\sum" | r"\int" | r"\pi" | r"\alpha":
            return _drawn(token, size)
        case "{":
            tokens.insert(0, "{")
            return _argument(tokens, size, measure)
    if token.startswith("\\") and token not in SIGNS:
        raise ValueError(f"the pen cannot write {token}")
    return _word(SIGNS.get(token, token), size, measure)


def _word(word: str, size: float, measure: Measure) -> Block:
    letters, x = [], 0.0
    room = size * 0.22 if word in "=+-×·±" else 0.0
    for character in word:
        letters.append(Letter(character, size, x + room, 0.0))
        x += measure(character, size) + 2 * room
    low = size * 0.3 if set(word) & set("gjpqy") else size * 0.06
    return Block(x, size * 0.74, low, tuple(letters))


def _beside(parts: list[Block]) -> Block:
    x = 0.0
    letters: list[Letter] = []
    strokes: list[Path] = []
    for part in parts:
        moved = part.moved(x, 0.0)
        letters += moved.letters
        strokes += moved.strokes
        x += part.width
    ascent = max((part.ascent for part in parts), default=0.0)
    descent = max((part.descent for part in parts), default=0.0)
    return Block(x, ascent, descent, tuple(letters), tuple(strokes))


def _scripts(token: str, tokens: list[str], size: float, measure: Measure) -> Block:
    """A superscript or subscript, or both, one above the other."""
    first = _script(token, tokens, size, measure)
    if not tokens or tokens[0] not in "^_" or tokens[0] == token:
        return first
    other = _script(tokens.pop(0), tokens, size, measure)
    return Block(
        max(first.width, other.width),
        max(first.ascent, other.ascent),
        max(first.descent, other.descent),
        first.letters + other.letters,
        first.strokes + other.strokes,
    )


def _script(token: str, tokens: list[str], size: float, measure: Measure) -> Block:
    inside = _argument(tokens, size * SMALL, measure)
    shift = -size * 0.5 if token == "^" else size * 0.26
    moved = inside.moved(0.0, shift)
    return Block(
        inside.width, inside.ascent - shift, max(0.0, inside.descent + shift), moved.letters, moved.strokes
    )


def _fraction(above: Block, below: Block, size: float) -> Block:
    width = max(above.width, below.width) + size * 0.3
    up, down = -size * (AXIS + 0.18) - above.descent, -size * (AXIS - 0.2) + below.ascent
    top = above.moved((width - above.width) / 2, up)
    foot = below.moved((width - below.width) / 2, down)
    bar = ((0.04 * size, -AXIS * size), (width - 0.04 * size, -AXIS * size))
    return Block(
        width + size * 0.12, above.ascent - up, below.descent + down, top.letters + foot.letters,
        (*top.strokes, *foot.strokes, bar),
    )  # fmt: skip


def _root(inside: Block, size: float) -> Block:
    hook = size * 0.5
    top, foot = -inside.ascent - size * 0.12, inside.descent
    path = (
        (0.0, -size * 0.3),
        (hook * 0.35, -size * 0.36),
        (hook * 0.62, foot),
        (hook, top),
        (hook + inside.width + size * 0.1, top),
    )
    moved = inside.moved(hook + size * 0.06, 0.0)
    return Block(
        hook + inside.width + size * 0.16, -top, inside.descent, moved.letters, (*moved.strokes, path)
    )


def _drawn(sign: str, size: float) -> Block:
    width, height = (side * size for side in _DRAWN_SIZE[sign])
    foot = height / 2 - AXIS * size if height > size else 0.0
    strokes = tuple(
        tuple((x * width + size * 0.06, foot + (y - 1) * height) for x, y in path) for path in _DRAWN[sign]
    )
    return Block(width + size * 0.16, height - foot, max(foot, 0.0), (), strokes)


def read_page(source: str) -> Iterator[tuple[str, str]]:
    """The lines of a page: ("words", line) or ("formula", LaTeX).

    >>> list(read_page("Area:\\n$$ a^2 $$"))
    [('words', 'Area:'), ('formula', 'a^2')]
    """
    for line in source.strip("\n").split("\n"):
        if line.startswith("$$") and line.endswith("$$") and len(line) > 4:
            yield "formula", line.strip("$ ")
        else:
            yield "words", line
