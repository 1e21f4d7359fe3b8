"""Separating ink from paper."""

from __future__ import annotations

from typing import Any

import cv2

from evaluation.model_clients.recognisers.detected_grid import Pixels


def binarise(pixels: Pixels) -> Any:
    """255 where there is ink, otherwise 0 (uint8, height x width); adaptive, so uneven light does not matter."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    window = max(31, (min(grey.shape) // 24) | 1)
    return cv2.adaptiveThreshold(
        cv2.GaussianBlur(grey, (0, 0), 1.0),
        255,
        cv2.ADAPTIVE_THRESH_MEAN_C,
        cv2.THRESH_BINARY_INV,
        window,
        12,
    )
