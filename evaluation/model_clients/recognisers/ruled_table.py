"""The grid of a table from its ruled lines, drawn by hand or printed: OpenCV alone, no model.

The largest net of crossing lines is found, laid flat by its four corners, and cut at its lines; where the line between
two neighbouring places is missing they are one merged cell. A table without lines is not found.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np

from evaluation.model_clients.recognisers.ink import ink_of
from evaluation.model_clients.recognisers.table_grid import FlatTable, Pixels, Slot, TableGrid

LEAST_SHARE = 0.06  # of the page that the net must cover
LEAST_SIDE = 40  # pixels
MOST_NETS = 5
LEAST_LENGTH = 0.45  # of the table's side that a line must run
DRAWN = 0.5  # share of an edge that must be inked for it to be a border
NEAR = 0.022  # of the table's longer side: how far a hand strays from its line


def find_ruled_grid(pixels: Pixels) -> TableGrid | None:
    """The grid of the largest ruled table, or None; the edge of a sheet on a desk, which has no cells, is passed by."""
    across, down = _long_strokes(ink_of(pixels))
    grids = (_grid_of(net, pixels, across, down) for net in _nets(across, down))
    return next((grid for grid in grids if grid is not None), None)


def _grid_of(net: Any, pixels: Pixels, across: Any, down: Any) -> TableGrid | None:
    flatten, width, height = _flattening(net)
    if min(width, height) < LEAST_SIDE:
        return None
    flat = cv2.warpPerspective(pixels, flatten, (width, height), borderValue=(255, 255, 255))
    lines_across = cv2.warpPerspective(across & net, flatten, (width, height))
    lines_down = cv2.warpPerspective(down & net, flatten, (width, height))
    reach = max(4, round(NEAR * max(width, height)))
    ys, xs = _cuts(lines_across, 1, reach), _cuts(lines_down, 0, reach)
    if len(xs) < 2 or len(ys) < 2 or (len(xs) - 1) * (len(ys) - 1) < 2:
        return None
    slots = _slots(xs, ys, lines_across, lines_down, reach)
    return TableGrid(slots, len(ys) - 1, FlatTable(flat, flatten))


def _long_strokes(ink: Any) -> tuple[Any, Any]:
    """Ink of strokes that run across, and down, further than letters do; a wobble is bridged first."""
    length = max(25, max(ink.shape) // 34)
    thick = max(3, max(ink.shape) // 300)

    def keep(ahead: tuple[int, int], aside: tuple[int, int]) -> Any:
        wide = cv2.dilate(ink, cv2.getStructuringElement(cv2.MORPH_RECT, aside))
        runs = cv2.morphologyEx(wide, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_RECT, ahead))
        return cv2.morphologyEx(runs, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_RECT, ahead))

    return keep((length, 1), (1, thick)), keep((1, length), (thick, 1))


def _nets(across: Any, down: Any) -> Iterator[Any]:
    """Connected lines that span enough of the page, as masks, the widest first."""
    lines = cv2.dilate(across | down, np.ones((5, 5), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(lines, connectivity=8)
    areas = stats[:, cv2.CC_STAT_WIDTH].astype(int) * stats[:, cv2.CC_STAT_HEIGHT]
    areas[0] = 0  # the background
    for label in np.argsort(-areas)[:MOST_NETS]:
        if areas[label] >= LEAST_SHARE * across.size:
            yield (labels == label).astype(np.uint8) * 255


def _flattening(net: Any) -> tuple[Any, int, int]:
    """The transform that lays the net's four outermost corners square, and the size of what comes out."""
    ys, xs = np.nonzero(net)
    points = np.stack([xs, ys], axis=1).astype(np.float32)
    total, apart = points.sum(axis=1), points[:, 0] - points[:, 1]
    corners = points[[total.argmin(), apart.argmax(), total.argmax(), apart.argmin()]]
    width = round(max(np.linalg.norm(corners[1] - corners[0]), np.linalg.norm(corners[2] - corners[3])))
    height = round(max(np.linalg.norm(corners[3] - corners[0]), np.linalg.norm(corners[2] - corners[1])))
    pad = round(0.02 * max(width, height))
    goal = [[pad, pad], [width + pad, pad], [width + pad, height + pad], [pad, height + pad]]
    flatten = cv2.getPerspectiveTransform(corners, np.array(goal, np.float32))
    return flatten, width + 2 * pad, height + 2 * pad


def _cuts(lines: Any, axis: int, reach: int) -> list[int]:
    """Where lines run along one axis: peaks of the inked length within reach, the strongest first."""
    inked = (cv2.dilate(lines, np.ones((3, 3), np.uint8)) > 0).astype(np.float32)
    aside = (2 * reach + 1, 1) if axis == 1 else (1, 2 * reach + 1)
    # A line that strays up and down is as long as the places it covers, wherever within reach.
    covered = cv2.dilate(inked, np.ones(aside, np.uint8))
    length = covered.sum(axis=axis) / covered.shape[axis]
    weight = inked.sum(axis=axis)
    smooth = np.convolve(weight, np.ones(reach) / reach, mode="same")
    cuts: list[int] = []
    for at in np.argsort(-smooth):
        if (
            length[at] >= LEAST_LENGTH * 0.5
            and smooth[at] > 0
            and all(abs(at - cut) > 2.2 * reach for cut in cuts)
        ):
            cuts.append(int(at))
    return sorted(cuts)


def _slots(xs: list[int], ys: list[int], across: Any, down: Any, reach: int) -> tuple[Slot, ...]:
    """The places between the cuts, neighbours without a border between them joined to rectangles."""
    columns, rows = len(xs) - 1, len(ys) - 1
    owner = {(row, column): (row, column) for row in range(rows) for column in range(columns)}

    def join(first: tuple[int, int], second: tuple[int, int]) -> None:
        one, other = owner[first], owner[second]
        for place, whose in list(owner.items()):
            if whose == other:
                owner[place] = one

    for row, column in list(owner):
        if column + 1 < columns and not _is_drawn(
            down, xs[column + 1], (ys[row], ys[row + 1]), reach, is_down=True
        ):
            join((row, column), (row, column + 1))
        if row + 1 < rows and not _is_drawn(
            across, ys[row + 1], (xs[column], xs[column + 1]), reach, is_down=False
        ):
            join((row, column), (row + 1, column))
    return _rectangles(owner, xs, ys)


def _is_drawn(lines: Any, at: int, span: tuple[int, int], reach: int, *, is_down: bool) -> bool:
    inset = max(1, (span[1] - span[0]) // 8)
    start, end = span[0] + inset, span[1] - inset
    low, high = max(0, at - reach), at + reach + 1
    strip = lines[start:end, low:high] if is_down else lines[low:high, start:end]
    return bool((strip > 0).any(axis=1 if is_down else 0).mean() >= DRAWN) if strip.size else True


def _rectangles(
    owner: dict[tuple[int, int], tuple[int, int]], xs: list[int], ys: list[int]
) -> tuple[Slot, ...]:
    """Joined places that form a rectangle are one cell; any other shape falls apart into its places."""
    groups: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for place, whose in owner.items():
        groups.setdefault(whose, []).append(place)
    slots = []
    for places in groups.values():
        top, left = min(row for row, _ in places), min(column for _, column in places)
        height = max(row for row, _ in places) - top + 1
        width = max(column for _, column in places) - left + 1
        whole = [(top, left, height, width)]
        for row, column, rowspan, colspan in (
            whole if height * width == len(places) else [(row, column, 1, 1) for row, column in places]
        ):
            box = (xs[column], ys[row], xs[column + colspan], ys[row + rowspan])
            slots.append(Slot(row, column, rowspan, colspan, box))
    return tuple(sorted(slots, key=lambda slot: (slot.row, slot.column)))
