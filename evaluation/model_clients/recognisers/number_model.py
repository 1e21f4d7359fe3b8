"""Written numbers, comparisons and fractions as LaTeX, by a small model: pmsh-ocr.

It knows digits, point, minus, `<`, `=`, `>` and `\\frac` and gives the nearest of these for anything else, so the
caller must make sure that there is nothing else. Its ONNX file comes inside the package `pmsh-ocr`, whose own code is
not used.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import cv2
import numpy as np

from evaluation.model_clients.recognisers.detected_grid import Pixels
from evaluation.model_clients.recognisers.engines import load_onnx_session
from evaluation.model_clients.recognisers.model_loading import find_package_file

HEIGHT, WIDTH = 64, 256  # pixels of the model's input
MARGIN = 0.1  # of the writing's height, left white around it
SYMBOLS = (
    "",
    *"0123456789.-<=>",
    "\\frac",
    "{",
    "}",
)  # by class index; the first is the blank of CTC


class PmshOcr:
    """The recogniser of the package `pmsh-ocr`."""

    def __init__(self) -> None:
        self._session = load_onnx_session(find_package_file("pmsh", "models/encoder_ctc.onnx"))

    def recognise(self, pixels: Pixels) -> tuple[str, float]:
        """LaTeX and confidence, the mean over its symbols (0..1); ("", 0.0) for an image without ink."""
        ink = _crop_ink(pixels)
        if ink is None:
            return "", 0.0
        classes, confidences, _ = self._session.run(None, {"input_image": _to_input(ink)})
        steps = [-1, *map(int, classes[0])]
        # CTC decoding: runs of one class are one symbol, blanks separate equal symbols.
        kept = [step for step, (before, symbol) in enumerate(pairwise(steps)) if symbol not in (before, 0)]
        if not kept:
            return "", 0.0
        latex = "".join(SYMBOLS[classes[0][step]] for step in kept)
        return latex, float(np.mean([confidences[0][step] for step in kept]))


def _crop_ink(pixels: Pixels) -> Any:
    """The writing on pure white, cropped; None without ink. The model was trained on screens, which have no paper."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    threshold, _ = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    is_ink = grey <= threshold
    ys, xs = np.nonzero(is_ink)
    if not len(xs) or is_ink.all():
        return None
    crop = (slice(ys.min(), ys.max() + 1), slice(xs.min(), xs.max() + 1))
    writing = np.where(is_ink[crop][:, :, None], pixels[crop], 255).astype(np.uint8)
    margin = int(MARGIN * writing.shape[0])
    return cv2.copyMakeBorder(
        writing, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=(255, 255, 255)
    )


def _to_input(ink: Any) -> Any:
    """The model's input, float32, 1 x 3 x 64 x 256: the writing scaled to the height, left-aligned, narrowed to fit."""
    height, width = ink.shape[:2]
    length = min(WIDTH, max(1, math.ceil(HEIGHT * width / height)))
    interpolation = cv2.INTER_AREA if height > HEIGHT else cv2.INTER_LINEAR
    window = np.full((HEIGHT, WIDTH, 3), 255, np.uint8)
    window[:, :length] = cv2.resize(ink, (length, HEIGHT), interpolation=interpolation)
    return np.ascontiguousarray(window.transpose(2, 0, 1)[None].astype(np.float32))
