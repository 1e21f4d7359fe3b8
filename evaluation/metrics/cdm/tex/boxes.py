"""Horizontal and vertical lists of boxes."""

from __future__ import annotations

from collections.abc import Sequence

from .fonts import family
from .nodes import Box, Glue, HorizontalItem, Symbol


def pack(items: Sequence[HorizontalItem]) -> Box:
    """A horizontal list at its natural width (TeX § 649)."""
    if len(items) == 1 and isinstance(items[0], Box):
        return items[0]
    x = height = depth = 0.0
    kids = []
    for item in items:
        if isinstance(item, Box):
            kids.append((x, 0.0, item))
            x += item.width
            if item.height > height:
                height = item.height
            if item.depth > depth:
                depth = item.depth
        elif isinstance(item, Glue):
            x += item.width
        else:
            x += item
    return Box(x, height, depth, kids)


def lowered(box: Box, by: float) -> Box:
    """The box moved down by `by` points within a horizontal list."""
    return Box(box.width, max(box.height - by, 0.0), max(box.depth + by, 0.0), [(0.0, -by, box)])


def stack_up(parts: Sequence[Box | float], width: float | None = None) -> Box:
    """A vertical list, top first, whose baseline is the last box's (TeX § 668); floats are kerns."""
    total = depth = 0.0
    wide = 0.0
    for part in parts:
        if isinstance(part, Box):
            total += part.height + part.depth
            depth = part.depth
            wide = max(wide, part.width)
        else:
            total += part
            depth = 0.0
    height = total - depth
    kids, y = [], height
    for part in parts:
        if isinstance(part, Box):
            y -= part.height
            kids.append((0.0, y, part))
            y -= part.depth
        else:
            y -= part
    return Box(wide if width is None else width, height, depth, kids)


def stack_down(parts: Sequence[Box | float]) -> Box:
    r"""A vertical list whose baseline is the first box's (\vtop)."""
    box = stack_up(parts)
    first = parts[0]
    height = first.height if isinstance(first, Box) else 0.0
    down = box.height - height
    kids = [(x, y - down, kid) for x, y, kid in box.kids or ()]
    return Box(box.width, height, box.height + box.depth - height, kids)


def rule(width: float, height: float, depth: float, color: int) -> Box:
    """A filled rectangle."""
    return Box(width, height, depth, ink=(0.0, -depth, width, height), color=color)


def character(symbol: Symbol, size: int, *, with_italic: bool = False) -> Box:
    """One character; an empty box where the font lacks it."""
    glyph = family(symbol.family, size).glyph(symbol.code)
    if glyph is None:
        return Box(0.0, 0.0, 0.0)
    width = glyph.width + glyph.italic if with_italic else glyph.width
    return Box(width, glyph.height, glyph.depth, None, glyph.ink, symbol.color)


def overbar(box: Box, gap: float, thickness: float, color: int) -> Box:
    """A rule above a box, with blank space of its own thickness on top (§ 705)."""
    line = rule(box.width, thickness, 0.0, color)
    kids = [(0.0, box.height + gap, line), (0.0, 0.0, box)]
    return Box(box.width, box.height + gap + 2 * thickness, box.depth, kids)
