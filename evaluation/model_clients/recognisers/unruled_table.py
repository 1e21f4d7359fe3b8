"""Where a table without ruled lines stands on a page: the rows in which several pieces are written side by side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evaluation.model_clients.recognisers.lines import Fragment
from evaluation.model_clients.recognisers.table_grid import FlatTable, Pixels

LEAST_ROWS = 2
MARGIN = 0.8  # of a line's height, left around the writing


def table_of_writing(pixels: Pixels, fragments: Sequence[Fragment]) -> FlatTable | None:
    """The image of the longest run of rows that hold two pieces or more; None where there is no such run.

    One row with a single piece may stand within the run: a cell over all columns, a row with one entry.
    """
    rows = _rows(fragments)
    best: list[list[Fragment]] = []
    run: list[list[Fragment]] = []
    alone: list[list[Fragment]] = []
    for row in rows:
        if len(row) >= 2:
            run += [*alone, row]
            alone = []
        elif run and not alone:
            alone = [row]
        else:
            run, alone = [], []
        if len(run) > len(best):
            best = list(run)
    if len(best) < LEAST_ROWS:
        return None
    boxes = np.array([piece.box for row in best for piece in row])
    margin = MARGIN * float(np.median(boxes[:, 3] - boxes[:, 1]))
    height, width = pixels.shape[:2]
    left, top = (max(0, int(low - margin)) for low in boxes[:, :2].min(axis=0))
    far_x, far_y = boxes[:, 2:].max(axis=0) + margin
    right, bottom = int(min(width, far_x)), int(min(height, far_y))
    shift = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]], np.float32)
    return FlatTable(np.ascontiguousarray(pixels[top:bottom, left:right]), shift)


def _rows(fragments: Sequence[Fragment]) -> list[list[Fragment]]:
    """Pieces at one height, from the top; a piece joins the row whose middle lies within its own height."""
    rows: list[list[Fragment]] = []
    for piece in sorted(fragments, key=lambda one: one.box[1] + one.box[3]):
        middle = (piece.box[1] + piece.box[3]) / 2
        near = rows[-1] if rows else None
        if near is not None and any(one.box[1] < middle < one.box[3] for one in near):
            near.append(piece)
        else:
            rows.append([piece])
    return rows
