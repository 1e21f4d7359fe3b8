"""Where a pen or a printer left its mark on an image."""

from __future__ import annotations

from typing import Any

import cv2

from evaluation.model_clients.recognisers.table_grid import Pixels


def ink_of(pixels: Pixels) -> Any:
    """255 where there is ink, else 0, whatever the light: uint8, height x width."""
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
