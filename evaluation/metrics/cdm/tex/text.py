"""Text inside a formula: letters of a text font, word spaces, inline math (TeXbook, chapter 12)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .boxes import pack
from .cjk import CJK_FAMILY, cjk_box
from .fonts import family
from .nodes import Atom, Box, DeferredBox, HorizontalItem, Space, Symbol
from .typeset import set_list

_STYLE_AT = (2, 4, 6)  # inline math in text of this size


def set_text(items: Sequence[Any], size: int) -> Box:
    """A text list at a size index, on one line."""
    result: list[HorizontalItem] = []
    number = 0
    for index, item in enumerate(items):
        if isinstance(item, Symbol):
            if item.family == CJK_FAMILY:
                result.append(cjk_box(item.code, item.color, size))
                continue
            number = item.family
            font = family(number, size)
            glyph = font.glyph(item.code)
            if glyph is None:
                continue
            result.append(Box(glyph.width, glyph.height, glyph.depth, None, glyph.ink, item.color))
            neighbour = items[index + 1] if index + 1 < len(items) else None
            if isinstance(neighbour, Symbol) and neighbour.family == number:
                kern = font.kern(item.code, neighbour.code)
                if kern:
                    result.append(kern)
        elif item == " ":
            result.append(family(number, size).params[1])
        elif isinstance(item, Space):
            result.append(item.width * (family(2, size).params[5] / 18 if item.is_mu else 1.0))
        elif isinstance(item, Atom):
            result.append(pack(set_list([item], _STYLE_AT[size])))
        elif isinstance(item, DeferredBox):
            result.append(item.make(_STYLE_AT[size]))
        elif isinstance(item, (Box, float)):
            result.append(item)
    return pack(result)
