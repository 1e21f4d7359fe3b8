"""Han characters: the reference sets them in a Kai font that covers GB 2312 only; others leave no ink.

One em square per character; the ink box is the average of that font's glyphs.
"""

from __future__ import annotations

from .fonts import SIZES
from .nodes import Box

CJK_FAMILY = 99
_ADVANCE = 1.0
_INK = (0.05, -0.09, 0.95, 0.79)  # in ems


def is_drawable(char: str) -> bool:
    """Whether the reference's Chinese font has this character."""
    try:
        char.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return True


def cjk_box(code: int, color: int, size: int) -> Box:
    """One character's box at a size index."""
    em = SIZES[size]
    x0, y0, x1, y1 = _INK
    return Box(_ADVANCE * em, y1 * em, -y0 * em, None, (x0 * em, y0 * em, x1 * em, y1 * em), color)
