"""Sheets of paper."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

from annotation.demo.drawing.noise import smooth_noise

Sheet = Any  # float32 array of height x width x 3, red, green, blue, 0 to 255
Rng = np.random.Generator

BLUE_LINE = np.array([150, 176, 214], np.float32)
RED_LINE = np.array([222, 130, 128], np.float32)
GREY_LINE = np.array([188, 194, 190], np.float32)


def make_sheet(kind: str, width: int, height: int, *, pitch: float, first: float, rng: Rng) -> Sheet:
    """An empty sheet. Lines of ruled paper are at the baselines (`first`, then every `pitch` pixels)."""
    return KINDS[kind](width, height, pitch, first, rng)


def _plain(width: int, height: int, pitch: float, first: float, rng: Rng) -> Sheet:
    tint = np.array([246, 243, 234], np.float32) + rng.normal(0, 2, 3).astype(np.float32)
    return _grain(np.broadcast_to(tint, (height, width, 3)).copy(), 2.2, rng)


def _ruled(width: int, height: int, pitch: float, first: float, rng: Rng) -> Sheet:
    sheet = _plain(width, height, pitch, first, rng)
    for y in np.arange(first + pitch * 0.16, height * 0.97, pitch):
        _line(sheet, (0, y), (width, y + rng.normal(0, 0.6)), BLUE_LINE, rng)
    x = width * 0.075
    _line(sheet, (x, 0), (x, height), RED_LINE, rng)
    return sheet


def _grid(width: int, height: int, pitch: float, first: float, rng: Rng) -> Sheet:
    return _squares(width, height, pitch / 2, first + pitch * 0.14, BLUE_LINE, rng)


def _squared(width: int, height: int, pitch: float, first: float, rng: Rng) -> Sheet:
    return _squares(width, height, pitch / 3, first + pitch * 0.14, GREY_LINE, rng)


def _squares(width: int, height: int, step: float, first: float, colour: Any, rng: Rng) -> Sheet:
    sheet = _plain(width, height, step, first, rng)
    for y in np.arange(first % step, height, step):
        _line(sheet, (0, y), (width, y), colour, rng)
    for x in np.arange(step * 0.6, width, step):
        _line(sheet, (x, 0), (x, height), colour, rng)
    return sheet


def _aged(width: int, height: int, pitch: float, first: float, rng: Rng) -> Sheet:
    sheet = np.broadcast_to(np.array([234, 219, 186], np.float32), (height, width, 3)).copy()
    clouds = smooth_noise(rng, height, width, 260) * 6 + smooth_noise(rng, height, width, 60) * 3
    sheet += clouds[:, :, None] * np.array([1.0, 1.05, 1.25], np.float32)
    sheet -= (_edge_distance(width, height) ** 3 * 38)[:, :, None] * np.array([0.8, 1.0, 1.2], np.float32)
    for _ in range(int(rng.integers(26, 44))):  # foxing
        centre = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        _blot(sheet, centre, float(rng.exponential(width / 320) + 1.5), 34, rng)
    _fold(sheet, height // 2 + int(rng.normal(0, 12)), rng)
    return _grain(sheet, 3.4, rng)


def _kraft(width: int, height: int, pitch: float, first: float, rng: Rng) -> Sheet:
    sheet = np.broadcast_to(np.array([206, 178, 139], np.float32), (height, width, 3)).copy()
    fibres = cv2.GaussianBlur(rng.normal(0, 1, (height, width)).astype(np.float32), (0, 0), 0.6, sigmaY=3.2)
    sheet += (fibres * 14 + smooth_noise(rng, height, width, 180) * 3)[:, :, None]
    return _grain(sheet, 2.5, rng)


def _grain(sheet: Sheet, strength: float, rng: Rng) -> Sheet:
    height, width = sheet.shape[:2]
    fine = rng.normal(0, strength, (height, width)).astype(np.float32)
    sheet += (cv2.GaussianBlur(fine, (0, 0), 0.8) * 1.8 + smooth_noise(rng, height, width, 7))[:, :, None]
    return sheet


def _line(sheet: Sheet, start: tuple[float, float], end: tuple[float, float], colour: Any, rng: Rng) -> None:
    """A printed line with slightly uneven ink."""
    height, width = sheet.shape[:2]
    layer = np.zeros((height, width), np.uint8)
    ends = [tuple(round(float(value) * 16) for value in point) for point in (start, end)]
    cv2.line(layer, ends[0], ends[1], 255, max(1, round(width / 900)), cv2.LINE_AA, shift=4)
    ys, xs = np.nonzero(layer)
    share = layer[ys, xs].astype(np.float32)[:, None] / 255 * rng.uniform(0.62, 0.8)
    sheet[ys, xs] = sheet[ys, xs] * (1 - share) + colour * share


def _blot(sheet: Sheet, centre: tuple[int, int], radius: float, depth: float, rng: Rng) -> None:
    reach = int(radius * 3) + 1
    x0, y0 = max(centre[0] - reach, 0), max(centre[1] - reach, 0)
    part = sheet[y0 : centre[1] + reach, x0 : centre[0] + reach]
    ys, xs = np.mgrid[y0 : y0 + part.shape[0], x0 : x0 + part.shape[1]].astype(np.float32)
    far = ((xs - centre[0]) ** 2 + (ys - centre[1]) ** 2) / radius**2
    shade = np.exp(-far) * depth * rng.uniform(0.3, 1.0)
    part -= shade[:, :, None] * np.array([0.6, 0.9, 1.1], np.float32)


def _fold(sheet: Sheet, y: int, rng: Rng) -> None:
    """A crease across the sheet: a dark line beside a light one."""
    height, width = sheet.shape[:2]
    rows = np.arange(height, dtype=np.float32)[:, None] - y - smooth_noise(rng, 2, width, width / 3)[:1] * 3
    sheet += (np.exp(-((rows - 2.5) ** 2) / 6) * 14 - np.exp(-(rows**2) / 5) * 30)[:, :, None]


def _edge_distance(width: int, height: int) -> Any:
    """0 in the middle of a sheet, 1 at its edges."""
    xs = np.abs(np.linspace(-1, 1, width, dtype=np.float32))[None, :]
    ys = np.abs(np.linspace(-1, 1, height, dtype=np.float32))[:, None]
    return np.maximum(xs, ys)


KINDS: dict[str, Callable[[int, int, float, float, Rng], Sheet]] = {
    "plain": _plain,
    "ruled": _ruled,
    "grid": _grid,
    "squared": _squared,
    "aged": _aged,
    "kraft": _kraft,
}
