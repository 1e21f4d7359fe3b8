"""Finds the ink of a page in its image."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageFilter

_PAPER = 61  # pixels whose median is taken as the paper
_DARKER = 45  # grey levels between ink and paper, at least
_MARGIN = 0.06  # of the image, ignored for edges and shadows of the sheet
_SHARE = 0.25  # of the width of the last line


def end_of_last_line(image: Image.Image) -> tuple[int, int, int, int]:
    """(left, top, right, bottom) around the last quarter of the last written line, in pixels of the image.

    Raises ValueError for a page without ink.
    """
    grey = image.convert("L")
    small = grey.resize((max(1, grey.width // 4), max(1, grey.height // 4)), Image.Resampling.BOX)
    paper = small.filter(ImageFilter.MedianFilter(_PAPER // 4 | 1)).resize(grey.size)
    ink = np.asarray(paper, np.int16) - np.asarray(grey, np.int16) > _DARKER
    y, x = round(ink.shape[0] * _MARGIN), round(ink.shape[1] * _MARGIN)
    ink[:y], ink[-y:], ink[:, :x], ink[:, -x:] = False, False, False, False
    bottom, top = _last_run(ink.sum(axis=1) > 3)
    columns = np.flatnonzero(ink[top:bottom].any(axis=0))
    left, right = int(columns[0]), int(columns[-1])
    room = (bottom - top) // 8
    return right - round((right - left) * _SHARE), top - room, right + room, bottom + room


def _last_run(rows: np.ndarray) -> tuple[int, int]:
    """(end, start) of the last stretch of rows with ink that is as high as writing."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], rows.astype(np.int8), [0]])))
    for start, end in reversed(list(zip(edges[::2], edges[1::2], strict=True))):
        if end - start >= 20:
            return int(end), int(start)
    raise ValueError("there is no ink on the page")
