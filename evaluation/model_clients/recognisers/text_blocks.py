"""Blocks of writing close together on a page, also vertically: a fraction is one block, not two lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from evaluation.model_clients.recognisers.detected_grid import Pixels
from evaluation.model_clients.recognisers.ink import binarise
from evaluation.model_clients.recognisers.lines import Fragment

MAX_GAP_ACROSS = 0.9  # in line heights: a larger gap separates blocks
MAX_GAP_DOWN = 0.3
MAX_HEIGHT = 4.5  # in line heights; a taller block is several formulas that touch
RULED_LINE = 0.4  # of the page's width: a longer line belongs to ruled paper


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A block of writing: its box in pixels (left, top, right, bottom) and the fragments of a text model in it."""

    box: tuple[int, int, int, int]
    fragments: tuple[Fragment, ...]

    def contains(self, fragment: Fragment) -> bool:
        """Whether a fragment is one of the block's, or its centre lies within the block's box."""
        if any(fragment is own for own in self.fragments):
            return True
        left, top, right, bottom = fragment.box
        x, y = (left + right) / 2, (top + bottom) / 2
        return self.box[0] <= x <= self.box[2] and self.box[1] <= y <= self.box[3]


def find_text_blocks(pixels: Pixels, fragments: Sequence[Fragment]) -> list[TextBlock]:
    """The blocks that contain fragments, without those taller than one formula."""
    if not fragments:
        return []
    line_height = float(np.median([fragment.box[3] - fragment.box[1] for fragment in fragments]))
    ink = binarise(pixels)
    long = cv2.getStructuringElement(cv2.MORPH_RECT, (max(3, int(RULED_LINE * ink.shape[1])), 1))
    ink = cv2.subtract(ink, cv2.morphologyEx(ink, cv2.MORPH_OPEN, long))
    reach = (max(1, int(MAX_GAP_ACROSS * line_height)), max(1, int(MAX_GAP_DOWN * line_height)))
    joined = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_RECT, reach))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    fragments_by_label: dict[int, list[Fragment]] = {}
    for fragment in fragments:
        left, top, right, bottom = (max(0, int(side)) for side in fragment.box)
        counts = np.bincount(labels[top : bottom + 1, left : right + 1].ravel())
        counts[0] = 0  # the background
        if counts.any():
            fragments_by_label.setdefault(int(counts.argmax()), []).append(fragment)
    blocks = []
    for label, block_fragments in fragments_by_label.items():
        left, top, width, height = (int(value) for value in stats[label][:4])
        if height <= MAX_HEIGHT * line_height:
            blocks.append(TextBlock((left, top, left + width, top + height), tuple(block_fragments)))
    return blocks
