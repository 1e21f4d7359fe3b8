"""A rendered formula as the matcher sees it: visible tokens with their boxes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class InkBox:
    """One token and the bounding box of its ink, in pixels at 200 dpi from the top left of the crop; y grows down."""

    token: str
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Drawing:
    """The visible tokens of one side in reading order, and the size of the cropped image in pixels."""

    boxes: tuple[InkBox, ...]
    width: float
    height: float
