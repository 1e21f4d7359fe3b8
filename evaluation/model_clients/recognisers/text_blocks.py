"""What is written close together on a page, above and below each other too: a fraction is one block, not two lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from evaluation.model_clients.recognisers.ink import ink_of
from evaluation.model_clients.recognisers.lines import Fragment
from evaluation.model_clients.recognisers.table_grid import Pixels

APART_ACROSS = 0.9  # of a line's height: a gap that parts blocks
APART_DOWN = 0.3
TALLEST = 4.5  # in line heights; what is taller is several formulas that touch
RULED = 0.4  # of the page's width: a line that long is the paper's


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A block of writing: its box in pixels (left, top, right, bottom) and what a text model read in it."""

    box: tuple[int, int, int, int]
    pieces: tuple[Fragment, ...]

    def holds(self, piece: Fragment) -> bool:
        """Whether a piece is one of the block's, or its middle stands within the block's box."""
        if any(piece is own for own in self.pieces):
            return True
        left, top, right, bottom = piece.box
        x, y = (left + right) / 2, (top + bottom) / 2
        return self.box[0] <= x <= self.box[2] and self.box[1] <= y <= self.box[3]


def blocks_of(pixels: Pixels, fragments: Sequence[Fragment]) -> list[TextBlock]:
    """The blocks in which something was read, none taller than a formula of its own."""
    if not fragments:
        return []
    line = float(np.median([piece.box[3] - piece.box[1] for piece in fragments]))
    ink = ink_of(pixels)
    long = cv2.getStructuringElement(cv2.MORPH_RECT, (max(3, int(RULED * ink.shape[1])), 1))
    ink = cv2.subtract(ink, cv2.morphologyEx(ink, cv2.MORPH_OPEN, long))
    reach = (max(1, int(APART_ACROSS * line)), max(1, int(APART_DOWN * line)))
    joined = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_RECT, reach))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    inside: dict[int, list[Fragment]] = {}
    for piece in fragments:
        left, top, right, bottom = (max(0, int(side)) for side in piece.box)
        seen = labels[top : bottom + 1, left : right + 1]
        counts = np.bincount(seen.ravel())
        counts[0] = 0  # the paper
        if counts.any():
            inside.setdefault(int(counts.argmax()), []).append(piece)
    blocks = []
    for label, pieces in inside.items():
        left, top, width, height = (int(value) for value in stats[label][:4])
        if height <= TALLEST * line:
            blocks.append(TextBlock((left, top, left + width, top + height), tuple(pieces)))
    return blocks
