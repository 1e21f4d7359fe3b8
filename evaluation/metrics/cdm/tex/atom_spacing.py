"""Joining the atoms of a list into one line, with the spaces between their classes (§§ 760-767)."""

from __future__ import annotations

from .delimiters import fence
from .fonts import family
from .nodes import (
    ACCENT,
    CLOSE,
    FRACTION,
    INNER,
    LEFT,
    MIDDLE,
    NONSCRIPT,
    OPEN,
    ORD,
    OVER,
    PUNCT,
    RADICAL,
    RIGHT,
    SCRIPT_STYLE,
    UNDER,
    VCENTER,
    Atom,
    Box,
    DeferredBox,
    Delimiter,
    Glue,
    HorizontalItem,
    Item,
    Space,
    Style,
    Symbol,
)
from .styles import SIZE_OF

# Space between neighbours in mu/18 of a quad; negative = not in scripts (TeXbook, p. 170). Bin never meets *.
_SPACING = (
    (0, 3, -4, -5, 0, 0, 0, -3),
    (3, 3, 0, -5, 0, 0, 0, -3),
    (-4, -4, 0, 0, -4, 0, 0, -4),
    (-5, -5, 0, 0, -5, 0, 0, -5),
    (0, 0, 0, 0, 0, 0, 0, 0),
    (0, 3, -4, -5, 0, 0, 0, -3),
    (-3, -3, 0, -3, -3, -3, -3, -3),
    (-3, 3, -4, -5, -3, 0, -3, -3),
)
_SPACING_CLASS = {
    **{kind: kind for kind in range(8)},
    **dict.fromkeys((RADICAL, UNDER, OVER, ACCENT, VCENTER), ORD),
    FRACTION: INNER,
    LEFT: OPEN,
    MIDDLE: CLOSE,
    RIGHT: CLOSE,
}

Staged = tuple[int, "list[HorizontalItem] | Atom | Item"]
OTHER = -1


def extent(staged: list[Staged]) -> tuple[float, float]:
    """The largest height and depth in a list, for its fences to span."""
    height = depth = 0.0
    for _, content in staged:
        for part in content if isinstance(content, list) else (content,):
            if isinstance(part, Box):
                height, depth = max(height, part.height), max(depth, part.depth)
    return height, depth


def join(staged: list[Staged], style: int, largest: tuple[float, float], outer: bool) -> list[HorizontalItem]:
    """One line of typeset atoms; `largest` is the height and depth that fences span, `outer` as in `set_list`."""
    result: list[HorizontalItem] = []
    before = -1
    size = SIZE_OF[style]
    mu = family(2, size).params[5] / 18
    skip_space = False
    for kind, content in staged:
        if kind == OTHER:
            if isinstance(content, Style):
                style = content.style
                size = SIZE_OF[style]
                mu = family(2, size).params[5] / 18
            elif content is NONSCRIPT:
                skip_space = style >= SCRIPT_STYLE
                continue
            elif not (skip_space and isinstance(content, (Space, Glue))):
                _append_other(result, content, style, mu)
            skip_space = False
            continue
        row = _SPACING_CLASS[kind]
        if before >= 0:
            space = _SPACING[before][row]
            if space > 0 or (space < 0 and style < SCRIPT_STYLE):
                width = abs(space) * mu
                result.append(Glue(width, width) if outer and space == -4 else width)
        if isinstance(content, list):
            result.extend(content)
        elif isinstance(content, Atom) and isinstance(content.extra, Delimiter):
            symbol_color = content.nucleus.color if isinstance(content.nucleus, Symbol) else 0
            result.append(fence(content.extra, size, largest, symbol_color))
        before = OPEN if kind == MIDDLE else row
        skip_space = False
    return result


def _append_other(result: list[HorizontalItem], item: object, style: int, mu: float) -> None:
    if isinstance(item, Space):
        unit = mu if item.is_mu else 1.0
        width = item.width * unit
        result.append(Glue(width, item.shrink * unit) if item.shrink else width)
    elif isinstance(item, (Box, Glue)):
        result.append(item)
    elif isinstance(item, DeferredBox):
        result.append(item.make(style))


def joins(symbol: Symbol, following: Item) -> int | None:
    """The character code of a neighbour of the same family, which kerns with this one (§ 752)."""
    if isinstance(following, Atom) and following.kind <= PUNCT and isinstance(following.nucleus, Symbol):
        return following.nucleus.code if following.nucleus.family == symbol.family else None
    return None
