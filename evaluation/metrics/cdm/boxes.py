"""What a rendered formula is to the matcher: tokens that left ink, with their boxes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class InkBox:
    """One token and the smallest box around its ink: pixels at 200 dpi, y grows down, origin = crop."""

    token: str
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Drawing:
    """All visible tokens of one side in reading order, and the size of the cropped image in pixels."""

    boxes: tuple[InkBox, ...]
    width: float
    height: float
