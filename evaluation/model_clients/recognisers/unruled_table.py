"""The area of a table without ruled lines: rows with several fragments side by side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evaluation.model_clients.recognisers.detected_grid import Pixels, RectifiedTable
from evaluation.model_clients.recognisers.lines import Fragment

MIN_ROWS = 2
MARGIN = 0.8  # in line heights, left around the writing


def crop_unruled_table(pixels: Pixels, fragments: Sequence[Fragment]) -> RectifiedTable | None:
    """The image of the longest run of rows with two fragments or more; None if there is no such run.

    A run may contain single rows with one fragment: a cell that spans all columns, or a row with one entry.
    """
    rows = _rows(fragments)
    best: list[list[Fragment]] = []
    run: list[list[Fragment]] = []
    single: list[list[Fragment]] = []
    for row in rows:
        if len(row) >= 2:
            run += [*single, row]
            single = []
        elif run and not single:
            single = [row]
        else:
            run, single = [], []
        if len(run) > len(best):
            best = list(run)
    if len(best) < MIN_ROWS:
        return None
    boxes = np.array([fragment.box for row in best for fragment in row])
    margin = MARGIN * float(np.median(boxes[:, 3] - boxes[:, 1]))
    height, width = pixels.shape[:2]
    left, top = (max(0, int(low - margin)) for low in boxes[:, :2].min(axis=0))
    far_x, far_y = boxes[:, 2:].max(axis=0) + margin
    right, bottom = int(min(width, far_x)), int(min(height, far_y))
    shift = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]], np.float32)
    return RectifiedTable(np.ascontiguousarray(pixels[top:bottom, left:right]), shift)


def _rows(fragments: Sequence[Fragment]) -> list[list[Fragment]]:
    """Fragments grouped by height, from the top: one joins the last row if its centre lies within a fragment of it."""
    rows: list[list[Fragment]] = []
    for fragment in sorted(fragments, key=lambda item: item.box[1] + item.box[3]):
        centre = (fragment.box[1] + fragment.box[3]) / 2
        if rows and any(other.box[1] < centre < other.box[3] for other in rows[-1]):
            rows[-1].append(fragment)
        else:
            rows.append([fragment])
    return rows
