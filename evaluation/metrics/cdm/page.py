"""The page a formula is printed on: position of the display, cut-off at the edges, and the crop.

Geometry: LaTeX's article class at 12 pt on landscape ISO paper, 98 % of it text area; 200 dots per inch. Boxes are
those of a rasteriser, which colours every pixel that the ink touches; the reference then grows each box by one pixel.
"""

from __future__ import annotations

from dataclasses import dataclass

from .boxes import Drawing, InkBox
from .tex.boxes import pack
from .tex.machine import Machine
from .tex.nodes import Box, Glue, HorizontalItem
from .tex.text import set_text
from .tex.typeset import set_list

DOTS = 200 / 72.27  # pixels per point
_PAD = 8  # pixels of white around the crop
_PAPER = {5: (210.0, 148.0), 4: (297.0, 210.0), 3: (420.0, 297.0), 2: (594.0, 420.0), 1: (841.0, 594.0)}  # mm
_MM = 72.27 / 25.4
_SCALE = 0.98
# Pixels added to an outline on each side: a rasteriser colours whole pixels (measured, see docs/metrics/cdm.md), and
# boxes are grown by one pixel.
_LEFT, _TOP, _RIGHT, _BOTTOM = -1.0 - 0.2, -1.0, 1.0 - 0.5, 1.0 - 0.2
_TOP_SKIP, _LINE, _BELOW_DISPLAY = 12.0, 14.5, 6.5  # \topskip, \baselineskip, \belowdisplayshortskip
_BODY_SHORT_OF = 7.0  # a display up to this much shorter than the text area still moves to a second page


@dataclass(frozen=True, slots=True)
class Paper:
    """Sheet and text area in points."""

    width: float
    height: float
    text_width: float
    text_height: float

    @classmethod
    def of_size(cls, size: int) -> Paper:
        """ISO A`size`, landscape."""
        width, height = (side * _MM for side in _PAPER[size])
        return cls(width, height, width * _SCALE, height * _SCALE)


@dataclass(frozen=True, slots=True)
class InkRectangle:
    """A rectangle of ink on the sheet: colour, and edges in points from the top left."""

    color: int
    x0: float
    y0: float
    x1: float
    y1: float


def paper_size(tokens: int) -> int:
    """The ISO A size the reference uses for so many tokens: A5, A4 from 601, A3 from 1,301."""
    return 3 if tokens > 1300 else 4 if tokens > 600 else 5


def fit_line(items: list[HorizontalItem], width: float) -> list[HorizontalItem]:
    """Squeeze the shrinkable spaces of a display that is wider than the line (TeX § 1201)."""
    natural = sum(item.width if isinstance(item, (Box, Glue)) else item for item in items)
    room = sum(item.shrink for item in items if isinstance(item, Glue))
    if natural <= width or room <= 0:
        return items
    ratio = min((natural - width) / room, 1.0)
    return [item.width - ratio * item.shrink if isinstance(item, Glue) else item for item in items]


class CannotPrint(Exception):
    """The display does not fit on one page; the reference then has no image."""


def print_blocks(
    machine: Machine, tokens: list[str], *, unlimited: bool = False
) -> tuple[Drawing, tuple[int, ...]]:
    """Place displays and paragraphs on the sheet for their number of tokens. Raises CannotPrint.

    `unlimited` paper cuts nothing off. TeX's skips around displays are those after a short line.
    """
    paper = Paper.of_size(paper_size(len(tokens)))
    margin = (paper.width - paper.text_width) / 2
    ink: list[InkRectangle] = []
    y = (paper.height - paper.text_height) / 2 + _TOP_SKIP
    depth = bottom = 0.0
    after_display = False
    for block in machine.blocks:
        if block.is_text:
            box, left = set_text(block.items, 0), 0.0
        else:
            line = set_list(block.items, 0, outer=True)
            box = pack(line if unlimited else fit_line(line, paper.text_width))
            free_width = max(0.0, paper.text_width - box.width)
            left = free_width / 2
            if machine.tag is not None and left < 2 * machine.tag.width:
                left = max(0.0, (free_width - machine.tag.width) / 2)
            if after_display:
                y += _LINE  # an empty line of the paragraph between two displays
                depth = 0.0
        y += depth + max(_LINE - depth, box.height + 1)
        ink += collect_ink(box, margin + left, y)
        if not block.is_text and machine.tag is not None:
            right = box.width + machine.tag.width if unlimited else paper.text_width - machine.tag.width
            ink += collect_ink(machine.tag, margin + right, y)
            machine.tag = None
        after_display = not block.is_text
        depth = box.depth
        bottom += box.height + box.depth
        if after_display:
            y += depth + _BELOW_DISPLAY
            depth = 0.0
    if not unlimited and bottom > paper.text_height - _BODY_SHORT_OF:
        raise CannotPrint("the formula takes two pages")
    return draw(ink, None if unlimited else paper, tokens)


def collect_ink(box: Box, x: float, y: float) -> list[InkRectangle]:
    """All ink of a box whose reference point is at (x, y); y grows downwards."""
    rectangles: list[InkRectangle] = []
    stack = [(x, y, box)]
    while stack:
        x, y, box = stack.pop()
        if box.ink is not None:
            x0, y0, x1, y1 = box.ink
            if x1 > x0 and y1 > y0:
                rectangles.append(InkRectangle(box.color, x + x0, y - y1, x + x1, y - y0))
        elif box.kids:
            for dx, dy, kid in box.kids:
                stack.append((x + dx, y - dy, kid))
    return rectangles


def draw(ink: list[InkRectangle], paper: Paper | None, tokens: list[str]) -> tuple[Drawing, tuple[int, ...]]:
    """Clip to the sheet, merge the ink of each colour, and crop; the numbers tell which token a box is."""
    edges: dict[int, list[float]] = {}
    left = top = float("inf")
    right = bottom = float("-inf")
    for piece in ink:
        x0, y0, x1, y1 = piece.x0, piece.y0, piece.x1, piece.y1
        if paper is not None:
            x0, y0, x1, y1 = max(x0, 0.0), max(y0, 0.0), min(x1, paper.width), min(y1, paper.height)
            if x0 >= x1 or y0 >= y1:
                continue
        left, top, right, bottom = min(left, x0), min(top, y0), max(right, x1), max(bottom, y1)
        known = edges.get(piece.color)
        if known is None:
            edges[piece.color] = [x0, y0, x1, y1]
        else:
            known[0], known[1] = min(known[0], x0), min(known[1], y0)
            known[2], known[3] = max(known[2], x1), max(known[3], y1)
    if not edges:
        return Drawing((), 0.0, 0.0), ()
    boxes, numbers = [], []
    for number, token in enumerate(tokens, 1):
        edge = edges.get(number)
        if edge is not None:
            numbers.append(number)
            boxes.append(
                InkBox(
                    token,
                    (edge[0] - left) * DOTS + _PAD + _LEFT,
                    (edge[1] - top) * DOTS + _PAD + _TOP,
                    (edge[2] - left) * DOTS + _PAD + _RIGHT,
                    (edge[3] - top) * DOTS + _PAD + _BOTTOM,
                )
            )
    width, height = (right - left) * DOTS + 2 * _PAD, (bottom - top) * DOTS + 2 * _PAD
    return Drawing(tuple(boxes), width, height), tuple(numbers)
