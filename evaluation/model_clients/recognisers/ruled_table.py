"""The grid of a table from its ruled lines, drawn by hand or printed, with OpenCV alone.

The largest network of crossing lines is rectified by its four corners and divided at its lines; two neighbouring cells
without a line between them are one merged cell. A table without lines is not found.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np

from evaluation.model_clients.recognisers.detected_grid import GridCell, Pixels, RectifiedTable, TableGrid
from evaluation.model_clients.recognisers.ink import binarise

MIN_PAGE_SHARE = 0.06  # of the page that the network must cover
MIN_SIDE = 40  # pixels
MAX_NETWORKS = 5
MIN_LENGTH = 0.45  # of the table's side that a line must cover
MIN_INKED = 0.5  # share of an edge that must be inked for it to be a border
TOLERANCE = 0.022  # of the table's longer side: how far a hand-drawn line deviates


def detect_ruled_grid(pixels: Pixels) -> TableGrid | None:
    """The grid of the largest ruled table, or None; the outline of a sheet of paper, which has no cells, is skipped."""
    across, down = _long_strokes(binarise(pixels))
    grids = (_grid_from_network(network, pixels, across, down) for network in _line_networks(across, down))
    return next((grid for grid in grids if grid is not None), None)


def _grid_from_network(network: Any, pixels: Pixels, across: Any, down: Any) -> TableGrid | None:
    homography, width, height = _find_homography(network)
    if min(width, height) < MIN_SIDE:
        return None
    rectified = cv2.warpPerspective(pixels, homography, (width, height), borderValue=(255, 255, 255))
    lines_across = cv2.warpPerspective(across & network, homography, (width, height))
    lines_down = cv2.warpPerspective(down & network, homography, (width, height))
    reach = max(4, round(TOLERANCE * max(width, height)))
    ys, xs = _find_lines(lines_across, 1, reach), _find_lines(lines_down, 0, reach)
    if len(xs) < 2 or len(ys) < 2 or (len(xs) - 1) * (len(ys) - 1) < 2:
        return None
    cells = _grid_cells(xs, ys, lines_across, lines_down, reach)
    return TableGrid(cells, len(ys) - 1, RectifiedTable(rectified, homography))


def _long_strokes(ink: Any) -> tuple[Any, Any]:
    """Ink of horizontal and of vertical strokes that are longer than letters; small deviations are bridged first."""
    length = max(25, max(ink.shape) // 34)
    thick = max(3, max(ink.shape) // 300)

    def keep(along: tuple[int, int], aside: tuple[int, int]) -> Any:
        wide = cv2.dilate(ink, cv2.getStructuringElement(cv2.MORPH_RECT, aside))
        runs = cv2.morphologyEx(wide, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_RECT, along))
        return cv2.morphologyEx(runs, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_RECT, along))

    return keep((length, 1), (1, thick)), keep((1, length), (thick, 1))


def _line_networks(across: Any, down: Any) -> Iterator[Any]:
    """Connected lines that span MIN_PAGE_SHARE of the page or more, as masks, the largest first."""
    lines = cv2.dilate(across | down, np.ones((5, 5), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(lines, connectivity=8)
    areas = stats[:, cv2.CC_STAT_WIDTH].astype(int) * stats[:, cv2.CC_STAT_HEIGHT]
    areas[0] = 0  # the background
    for label in np.argsort(-areas)[:MAX_NETWORKS]:
        if areas[label] >= MIN_PAGE_SHARE * across.size:
            yield (labels == label).astype(np.uint8) * 255


def _find_homography(network: Any) -> tuple[Any, int, int]:
    """The homography that makes the network's four outermost corners a rectangle, and the size of the result."""
    ys, xs = np.nonzero(network)
    points = np.stack([xs, ys], axis=1).astype(np.float32)
    total, difference = points.sum(axis=1), points[:, 0] - points[:, 1]
    corners = points[[total.argmin(), difference.argmax(), total.argmax(), difference.argmin()]]
    width = round(max(np.linalg.norm(corners[1] - corners[0]), np.linalg.norm(corners[2] - corners[3])))
    height = round(max(np.linalg.norm(corners[3] - corners[0]), np.linalg.norm(corners[2] - corners[1])))
    pad = round(0.02 * max(width, height))
    target = [[pad, pad], [width + pad, pad], [width + pad, height + pad], [pad, height + pad]]
    homography = cv2.getPerspectiveTransform(corners, np.array(target, np.float32))
    return homography, width + 2 * pad, height + 2 * pad


def _find_lines(lines: Any, axis: int, reach: int) -> list[int]:
    """Positions of the lines along one axis, ascending: peaks of the inked length, the strongest chosen first."""
    inked = (cv2.dilate(lines, np.ones((3, 3), np.uint8)) > 0).astype(np.float32)
    aside = (2 * reach + 1, 1) if axis == 1 else (1, 2 * reach + 1)
    # A line that deviates up and down counts as long as its projection within reach.
    covered = cv2.dilate(inked, np.ones(aside, np.uint8))
    length = covered.sum(axis=axis) / covered.shape[axis]
    weight = inked.sum(axis=axis)
    smooth = np.convolve(weight, np.ones(reach) / reach, mode="same")
    positions: list[int] = []
    for position in np.argsort(-smooth):
        if (
            length[position] >= MIN_LENGTH * 0.5
            and smooth[position] > 0
            and all(abs(position - other) > 2.2 * reach for other in positions)
        ):
            positions.append(int(position))
    return sorted(positions)


def _grid_cells(xs: list[int], ys: list[int], across: Any, down: Any, reach: int) -> tuple[GridCell, ...]:
    """The cells between the lines; neighbours without a border between them are merged to rectangles."""
    columns, rows = len(xs) - 1, len(ys) - 1
    owner = {(row, column): (row, column) for row in range(rows) for column in range(columns)}

    def join(first: tuple[int, int], second: tuple[int, int]) -> None:
        kept, merged = owner[first], owner[second]
        for cell, cell_owner in list(owner.items()):
            if cell_owner == merged:
                owner[cell] = kept

    for row, column in list(owner):
        if column + 1 < columns and not _has_border(
            down, xs[column + 1], (ys[row], ys[row + 1]), reach, is_down=True
        ):
            join((row, column), (row, column + 1))
        if row + 1 < rows and not _has_border(
            across, ys[row + 1], (xs[column], xs[column + 1]), reach, is_down=False
        ):
            join((row, column), (row + 1, column))
    return _rectangles(owner, xs, ys)


def _has_border(lines: Any, position: int, span: tuple[int, int], reach: int, *, is_down: bool) -> bool:
    inset = max(1, (span[1] - span[0]) // 8)
    start, end = span[0] + inset, span[1] - inset
    low, high = max(0, position - reach), position + reach + 1
    strip = lines[start:end, low:high] if is_down else lines[low:high, start:end]
    return bool((strip > 0).any(axis=1 if is_down else 0).mean() >= MIN_INKED) if strip.size else True


def _rectangles(
    owner: dict[tuple[int, int], tuple[int, int]], xs: list[int], ys: list[int]
) -> tuple[GridCell, ...]:
    """Merged cells that form a rectangle are one cell; any other shape is split into its cells."""
    groups: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for cell, cell_owner in owner.items():
        groups.setdefault(cell_owner, []).append(cell)
    cells = []
    for members in groups.values():
        top, left = min(row for row, _ in members), min(column for _, column in members)
        height = max(row for row, _ in members) - top + 1
        width = max(column for _, column in members) - left + 1
        merged = [(top, left, height, width)]
        for row, column, rowspan, colspan in (
            merged if height * width == len(members) else [(row, column, 1, 1) for row, column in members]
        ):
            box = (xs[column], ys[row], xs[column + colspan], ys[row + rowspan])
            cells.append(GridCell(row, column, rowspan, colspan, box))
    return tuple(sorted(cells, key=lambda slot: (slot.row, slot.column)))
