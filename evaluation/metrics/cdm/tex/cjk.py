"""Chinese characters: the reference sets them in a Kai font that covers GB 2312; others are invisible."""

from __future__ import annotations

import gzip
import json
from functools import lru_cache
from importlib import resources

from .fonts import SIZES
from .nodes import Box

CJK_FAMILY = 99
_NUMBERS = 6  # a character's height, depth and outline box, in thousandths of the size


@lru_cache(maxsize=1)
def _table() -> tuple[dict[str, int], list[int]]:
    """Offset of each character's numbers, and all numbers."""
    data = resources.files("evaluation.metrics.cdm").joinpath("data/han.json.gz").read_bytes()
    table = json.loads(gzip.decompress(data))
    return {char: index * _NUMBERS for index, char in enumerate(table["chars"])}, table["rows"]


def is_drawable(char: str) -> bool:
    """Whether the reference's Chinese font has this character."""
    return not char.isascii() and char in _table()[0]


def cjk_box(code: int, color: int, size: int) -> Box:
    """One character's box at a size index: an em wide."""
    starts, rows = _table()
    start = starts[chr(code)]
    unit = SIZES[size] / 1000
    height, depth, x0, y0, x1, y1 = (number * unit for number in rows[start : start + _NUMBERS])
    return Box(SIZES[size], height, depth, None, (x0, y0, x1, y1), color)
