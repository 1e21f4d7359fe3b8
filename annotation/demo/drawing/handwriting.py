"""Handwriting: places the characters of a page and draws each with small variations."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageDraw

from annotation.demo.drawing.fonts import choose_font, open_font
from annotation.demo.drawing.formulas import Block, Path, lay_out_formula
from annotation.demo.drawing.line_markup import Align, Mark, ScriptLine
from annotation.demo.drawing.noise import smooth_noise
from annotation.demo.drawing.page_scripts import Hand, PageScript
from annotation.demo.drawing.tables import PADDING, TablePlan, TableScript, plan_table, ruled_lines

Layer = Any  # float32 array of height x width, 0 (no ink) to 1
Rng = np.random.Generator

MARGIN = 0.1  # of the page's width, at each side
TOP = 0.11
GAP = 0.55  # height of an empty line in line distances
RAISED_SIZE = 0.68
OVERSAMPLING = 2


@dataclass(frozen=True, slots=True)
class Placed:
    """A character with its position on the baseline, in pixels of the page."""

    mark: Mark
    font: str
    size: float
    x: float
    y: float
    advance: float


@dataclass(frozen=True, slots=True)
class Layout:
    """A page ready to be written: `pitch` is the distance of its lines, `first` the first baseline, `bottom` where the
    writing ends, `rules` the lines drawn by hand (x0, y0, x1, y1), `strokes` the pen's other ways, `boxes` left, top,
    right and bottom of each formula's ink."""

    rows: tuple[tuple[Placed, ...], ...]
    pitch: float
    first: float
    bottom: float
    rules: tuple[tuple[float, float, float, float], ...] = ()
    strokes: tuple[Path, ...] = ()
    boxes: tuple[tuple[float, float, float, float], ...] = ()


def lay_out(page: PageScript, hand: Hand, width: int, height: int) -> Layout:
    """Place every character, in a size at which the text fits a sheet of this size."""
    kinds = {"table": _place_table, "formula": _place_formulas}
    place = kinds.get(page.structure, _place_down if page.direction == "down" else _place_across)
    scale = width / 1200
    for shrink in (1.0, 0.94, 0.88, 0.82, 0.76, 0.7, 0.64, 0.58, 0.52):
        layout = place(page, hand, hand.size * scale * shrink, width, height)
        if layout is not None:
            return layout
    raise ValueError(f"page {page.name!r} holds more text than paper")


def write(layout: Layout, hand: Hand, width: int, height: int, rng: Rng) -> Layer:
    """The ink of the whole page."""
    ink = np.zeros((height, width), np.float32)
    for row in layout.rows:
        slope = rng.normal(0, 0.004) * hand.tremble
        phase, sway = rng.uniform(0, math.tau), rng.normal(0, 0.02) * hand.tremble
        written = list(_drift(row, slope, phase, sway))
        for item in written:
            if not item.mark.character.isspace():
                _draw_glyph(ink, item, hand, rng)
        _strike(ink, written, rng)
    for rule in layout.rules:
        _rule(ink, rule, hand, rng)
    for stroke in layout.strokes:
        _stroke(ink, stroke, hand, rng)
    return _loosen(ink, hand, rng)


def _place_across(page: PageScript, hand: Hand, size: float, width: int, height: int) -> Layout | None:
    pitch, left = size * hand.pitch, width * MARGIN
    room = width - 2 * left
    rows: list[tuple[Placed, ...]] = []
    first = y = width * TOP + size
    for line in page.lines:
        if not line.marks:
            y += pitch if page.paper == "ruled" else pitch * GAP
            continue
        length = sum(_advance(mark, hand, size) for mark in line.marks)
        start = _start(line, size, room, length)
        if start + length > room * 1.03:
            return None
        rows.append(tuple(_place_line(line, hand, size, left + start, y)))
        y += pitch
    return Layout(tuple(rows), pitch, first, y - pitch) if y - pitch < height * 0.95 else None


def _start(line: ScriptLine, size: float, room: float, length: float) -> float:
    return {
        Align.LEFT: 0.0,
        Align.INDENT: 2 * size,
        Align.CENTRE: (room - length) / 2,
        Align.RIGHT: room - length,
    }[line.align]


def _place_line(line: ScriptLine, hand: Hand, size: float, x: float, y: float) -> Iterator[Placed]:
    for mark in line.marks:
        advance = _advance(mark, hand, size)
        own_size = size * RAISED_SIZE if mark.level else size
        font = choose_font(hand.fonts, mark.character) if not mark.character.isspace() else hand.fonts[0]
        yield Placed(mark, font, own_size, x, y - mark.level * size * 0.28, advance)
        x += advance


def _place_down(page: PageScript, hand: Hand, size: float, width: int, height: int) -> Layout | None:
    size *= 1.5
    pitch, first = size * hand.pitch, width * TOP + size
    columns = [line for line in page.lines if line.marks]
    x = width - width * MARGIN - size - max(0.0, (width * 0.8 - pitch * len(columns)) / 2)
    rows = []
    for line in columns:
        rows.append(
            tuple(
                Placed(mark, choose_font(hand.fonts, mark.character), size, x, first + size * 1.16 * k, size)
                for k, mark in enumerate(line.marks)
                if not mark.character.isspace()
            )
        )
        x -= pitch
    bottom = max(row[-1].y for row in rows)
    fits = x + pitch > width * MARGIN * 0.5 and bottom < height * 0.92
    return Layout(tuple(rows), pitch, first, bottom) if fits else None


def _place_table(page: PageScript, hand: Hand, size: float, width: int, height: int) -> Layout | None:
    table = page.table
    assert table is not None
    pitch = size * min(hand.pitch, 1.3)

    def length(line: ScriptLine) -> float:
        return sum(_advance(mark, hand, size) for mark in line.marks)

    widths, heights = plan_table(table, length, size, pitch, width)
    if sum(widths) > width * 0.88:
        return None
    left, top = (width - sum(widths)) / 2, width * TOP
    plan = TablePlan(
        tuple(left + sum(widths[:k]) for k in range(table.columns + 1)),
        tuple(top + sum(heights[:k]) for k in range(table.rows + 1)),
    )
    if plan.ys[-1] > height * 0.9:
        return None
    rows = tuple(_place_cells(table, plan, hand, size, pitch))
    return Layout(rows, pitch, top + pitch, plan.ys[-1], tuple(ruled_lines(table, plan)))


def _place_cells(
    table: TableScript, plan: TablePlan, hand: Hand, size: float, pitch: float
) -> Iterator[tuple[Placed, ...]]:
    """The lines of every cell, vertically centred."""
    for cell in table.cells:
        top, foot = plan.ys[cell.row], plan.ys[cell.row + cell.rowspan]
        y = (top + foot - pitch * len(cell.lines)) / 2 + pitch * 0.5 + size * 0.3
        for line in cell.lines:
            if line.marks:
                yield tuple(_place_line(line, hand, size, plan.xs[cell.column] + PADDING * size, y))
            y += pitch


def _place_formulas(page: PageScript, hand: Hand, size: float, width: int, height: int) -> Layout | None:
    """Words at the left, each formula on its own line, a little larger and indented."""
    left, y, large = width * MARGIN, width * TOP, size * 1.15
    rows: list[tuple[Placed, ...]] = []
    strokes: list[Path] = []
    boxes: list[tuple[float, float, float, float]] = []
    for item in page.formulas:
        if isinstance(item, ScriptLine):
            y += size * 1.2
            if item.marks:
                rows.append(tuple(_place_line(item, hand, size, left, y)))
            y += size * 0.25
            continue
        block = lay_out_formula(item, large, lambda character, own: _advance(Mark(character), hand, own))
        x, y = left + 2 * size, y + block.ascent + size * 0.45
        moved = block.moved(x, y)
        rows.append(tuple(_letters(moved, hand)))
        strokes += moved.strokes
        boxes.append((x, y - block.ascent, x + block.width, y + block.descent))
        y += block.descent + size * 0.45
    if y > height * 0.93 or any(right > width * 0.92 for _, _, right, _ in boxes):
        return None
    return Layout(tuple(rows), size * hand.pitch, width * TOP + size, y, (), tuple(strokes), tuple(boxes))


def _letters(block: Block, hand: Hand) -> Iterator[Placed]:
    for letter in block.letters:
        mark = Mark(letter.character)
        font = hand.fonts[0] if letter.character.isspace() else choose_font(hand.fonts, letter.character)
        yield Placed(mark, font, letter.size, letter.x, letter.y, _advance(mark, hand, letter.size))


def _advance(mark: Mark, hand: Hand, size: float) -> float:
    if mark.character == "\u3000":
        return size
    if mark.character == " ":
        return size * hand.space
    font = choose_font(hand.fonts, mark.character)
    own_size = size * RAISED_SIZE if mark.level else size
    return float(open_font(font, round(own_size)).getlength(mark.character)) * hand.stretch


def _drift(row: tuple[Placed, ...], slope: float, phase: float, sway: float) -> Iterator[Placed]:
    """The row as written by hand: slightly rising or falling, and wavering around its line."""
    start = row[0].x
    for item in row:
        way = item.x - start
        dy = slope * way + sway * item.size * math.sin(phase + way / (item.size * 5))
        yield Placed(item.mark, item.font, item.size, item.x, item.y + dy, item.advance)


def _draw_glyph(ink: Layer, item: Placed, hand: Hand, rng: Rng) -> None:
    shake = hand.tremble
    angle = math.radians(rng.normal(0, 2.0) * shake)
    grow = 1 + rng.normal(0, 0.04) * shake
    dx, dy = rng.normal(0, 0.02, 2) * item.size * shake
    strength = rng.uniform(0.84, 1.0)
    box = math.ceil(item.size * 2.4)
    font = open_font(item.font, round(item.size) * OVERSAMPLING)
    tile = Image.new("L", (box * OVERSAMPLING, box * OVERSAMPLING))
    origin = (box * OVERSAMPLING * 0.3, box * OVERSAMPLING * 0.65)
    ImageDraw.Draw(tile).text(
        origin, item.mark.character, 255, font, "ls", stroke_width=hand.weight * OVERSAMPLING
    )
    x, y = item.x + dx, item.y + dy
    left, top = math.floor(x - box * 0.3), math.floor(y - box * 0.65)
    lean = np.array([[1, -math.tan(math.radians(hand.slant))], [0, 1]])
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    inverse = np.linalg.inv(turn @ lean @ np.diag([hand.stretch * grow, grow]) / OVERSAMPLING)
    shift = np.array(origin) - inverse @ np.array([x - left, y - top])
    matrix = (*inverse[0], shift[0], *inverse[1], shift[1])
    glyph = tile.transform((box, box), Image.Transform.AFFINE, matrix, Image.Resampling.BICUBIC)
    _lay(ink, np.asarray(glyph, np.float32) / 255 * strength, left, top)


def _lay(ink: Layer, piece: Layer, left: int, top: int) -> None:
    """Draw a piece of ink over the page; parts outside the page are cut off."""
    height, width = ink.shape
    y0, x0 = max(top, 0), max(left, 0)
    y1, x1 = min(top + piece.shape[0], height), min(left + piece.shape[1], width)
    if y0 < y1 and x0 < x1:
        cut = piece[y0 - top : y1 - top, x0 - left : x1 - left]
        ink[y0:y1, x0:x1] = np.maximum(ink[y0:y1, x0:x1], cut)


def _strike(ink: Layer, row: list[Placed], rng: Rng) -> None:
    """One or two unsteady strokes through each crossed-out stretch."""
    stretch: list[Placed] = []
    for item in [*row, None]:
        if item is not None and item.mark.is_struck:
            stretch.append(item)
        elif stretch:
            _strike_stretch(ink, stretch, rng)
            stretch = []


def _strike_stretch(ink: Layer, stretch: list[Placed], rng: Rng) -> None:
    size = stretch[0].size
    x0, x1 = stretch[0].x - 0.08 * size, stretch[-1].x + stretch[-1].advance + 0.08 * size
    is_high = any(item.mark.character > "\u2e7f" for item in stretch)  # Han characters fill their square
    middle = stretch[0].y - size * (0.36 if is_high else 0.2)
    layer = np.zeros_like(ink)
    for number in range(2):
        xs = np.linspace(x0 + rng.normal(0, 4), x1 + rng.normal(0, 4), 24)
        tilt = np.linspace(-1, 1, 24) * size * rng.normal(0, 0.04)
        wave = np.sin(xs / size * 2.2 + rng.uniform(0, 6)) * size * 0.03
        ys = middle + (number - 0.5) * size * 0.13 + tilt + wave + rng.normal(0, 0.5, 24)
        points = np.round(np.stack([xs, ys], axis=1) * 16).astype(np.int32)
        cv2.polylines(layer, [points], False, 0.92, max(2, round(size / 20)), cv2.LINE_AA, shift=4)
    np.maximum(ink, layer, out=ink)


def _rule(ink: Layer, rule: tuple[float, float, float, float], hand: Hand, rng: Rng) -> None:
    """A line drawn without a ruler, slightly beyond both of its ends."""
    over = hand.size * 0.12
    start, end = np.array(rule[:2]), np.array(rule[2:])
    way = (end - start) / max(1.0, float(np.hypot(*(end - start))))
    along = np.linspace(0, 1, 40)[:, None]
    first = start - way * over * rng.uniform(0.2, 1.2)
    points = first + along * (end + way * over * rng.uniform(0.2, 1.2) - first)
    aside = np.array([-way[1], way[0]])
    tilt = np.linspace(-1, 1, 40) * rng.normal(0, 1.4) * hand.tremble
    wave = np.sin(np.linspace(0, rng.uniform(4, 9), 40) + rng.uniform(0, 6)) * rng.uniform(0.6, 1.6)
    points = points + (tilt + wave * hand.tremble)[:, None] * aside
    layer = np.zeros_like(ink)
    thick = max(2, round(hand.size / 18 + hand.weight))
    cv2.polylines(layer, [np.round(points * 16).astype(np.int32)], False, 0.9, thick, cv2.LINE_AA, shift=4)
    np.maximum(ink, layer, out=ink)


def _stroke(ink: Layer, path: Path, hand: Hand, rng: Rng) -> None:
    """One stroke through its corners, rounded and slightly unsteady."""
    corners = np.array(path)
    corners = corners + rng.normal(0, hand.size * 0.015 * hand.tremble, corners.shape)
    lengths = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(corners, axis=0).T))])
    along = np.linspace(0, lengths[-1], max(12, round(lengths[-1] / 3)))
    points = np.stack([np.interp(along, lengths, corners[:, axis]) for axis in (0, 1)], axis=1)
    kernel = np.array([1, 2, 3, 2, 1]) / 9
    padded = np.pad(points, ((2, 2), (0, 0)), mode="edge")
    soft = np.stack([np.convolve(padded[:, axis], kernel, "valid") for axis in (0, 1)], axis=1)
    layer = np.zeros_like(ink)
    thick = max(2, round(hand.size / 20 + hand.weight))
    cv2.polylines(layer, [np.round(soft * 16).astype(np.int32)], False, 0.92, thick, cv2.LINE_AA, shift=4)
    np.maximum(ink, layer, out=ink)


def _loosen(ink: Layer, hand: Hand, rng: Rng) -> Layer:
    """Bend the ink by a slow wave and vary its strength, as with a pen."""
    height, width = ink.shape
    bend = hand.size * 0.045 * hand.tremble * width / 1200
    xs, ys = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    xs += smooth_noise(rng, height, width, 90) * bend + smooth_noise(rng, height, width, 24) * bend * 0.25
    ys += smooth_noise(rng, height, width, 110) * bend + smooth_noise(rng, height, width, 28) * bend * 0.25
    bent = cv2.remap(ink, xs, ys, cv2.INTER_LINEAR)
    pressure = 0.86 + 0.1 * smooth_noise(rng, height, width, 60) + 0.06 * smooth_noise(rng, height, width, 9)
    return np.clip(cv2.GaussianBlur(bent, (0, 0), 0.55) * pressure, 0, 1)
