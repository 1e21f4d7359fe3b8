"""Noise that is smooth over a given distance."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np


def smooth_noise(rng: np.random.Generator, height: int, width: int, distance: float) -> Any:
    """A float32 array of height x width, with mean 0 and deviation 1, that changes over `distance` pixels."""
    rows, columns = max(2, round(height / distance) + 2), max(2, round(width / distance) + 2)
    coarse = rng.normal(0, 1, (rows, columns)).astype(np.float32)
    return cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
