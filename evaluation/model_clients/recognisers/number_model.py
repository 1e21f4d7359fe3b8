"""Written numbers, comparisons and fractions as LaTeX, by a small model that knows nothing else: pmsh-ocr.

Digits, point, minus, `<`, `=`, `>` and `\\frac`: whatever else is written comes out as the nearest of these, so the
caller must know that there is nothing else. Its ONNX file comes inside the package `pmsh-ocr`, whose own code is not
used.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import cv2
import numpy as np

from evaluation.model_clients.recognisers.engines import session
from evaluation.model_clients.recognisers.model_loading import file_in
from evaluation.model_clients.recognisers.table_grid import Pixels

HEIGHT, WIDTH = 64, 256  # pixels the model looks at
AROUND = 0.1  # of the writing's height, left white around it
SIGNS = (
    "",
    *"0123456789.-<=>",
    "\\frac",
    "{",
    "}",
)  # by the number the model gives; the first is "nothing here"


class PrimaryMaths:
    """The recogniser of the package `pmsh-ocr`."""

    def __init__(self) -> None:
        self._session = session(file_in("pmsh", "models/encoder_ctc.onnx"))

    def read(self, pixels: Pixels) -> tuple[str, float]:
        """LaTeX and how sure the model is, the mean over its signs (0..1); ("", 0.0) for an image without ink."""
        ink = _ink_alone(pixels)
        if ink is None:
            return "", 0.0
        found, sure, _ = self._session.run(None, {"input_image": _window(ink)})
        steps = [-1, *map(int, found[0])]
        # One sign is told over several steps; a sign told twice has "nothing" between.
        told = [at for at, (before, sign) in enumerate(pairwise(steps)) if sign != before and sign != 0]
        if not told:
            return "", 0.0
        return "".join(SIGNS[found[0][at]] for at in told), float(np.mean([sure[0][at] for at in told]))


def _ink_alone(pixels: Pixels) -> Any:
    """The writing cut out, on pure white: the model learnt from screens, where there is no paper. None without ink."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    threshold, _ = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    is_ink = grey <= threshold
    ys, xs = np.nonzero(is_ink)
    if not len(xs) or is_ink.all():
        return None
    cut = (slice(ys.min(), ys.max() + 1), slice(xs.min(), xs.max() + 1))
    alone = np.where(is_ink[cut][:, :, None], pixels[cut], 255).astype(np.uint8)
    room = int(AROUND * alone.shape[0])
    return cv2.copyMakeBorder(alone, room, room, room, room, cv2.BORDER_CONSTANT, value=(255, 255, 255))


def _window(ink: Any) -> Any:
    """The writing 64 pixels high at the left of a white window, squeezed where it is longer: 1 x 3 x 64 x 256."""
    height, width = ink.shape[:2]
    length = min(WIDTH, max(1, math.ceil(HEIGHT * width / height)))
    way = cv2.INTER_AREA if height > HEIGHT else cv2.INTER_LINEAR
    window = np.full((HEIGHT, WIDTH, 3), 255, np.uint8)
    window[:, :length] = cv2.resize(ink, (length, HEIGHT), interpolation=way)
    return np.ascontiguousarray(window.transpose(2, 0, 1)[None].astype(np.float32))
