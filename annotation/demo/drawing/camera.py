"""Turns a sheet into an image: photographed on a table, or scanned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

from annotation.demo.drawing.noise import smooth_noise

Image = Any  # float32 array of height x width x 3, red, green, blue, 0 to 255
Rng = np.random.Generator

TABLETOPS = ([92, 70, 52], [58, 52, 50], [120, 96, 72], [74, 78, 84])


def take(kind: str, sheet: Image, rng: Rng) -> Image:
    """The image of a sheet, as uint8, with the whole sheet in view."""
    image = KINDS[kind](sheet, rng)
    return np.clip(np.rint(image), 0, 255).astype(np.uint8)


def _photo(sheet: Image, rng: Rng) -> Image:
    image = _on_tabletop(sheet, rng)
    return _sensor(_light(image, 0.13, rng), 2.6, rng)


def _shadow(sheet: Image, rng: Rng) -> Image:
    """A photo with the photographer's shadow on it."""
    image = _on_tabletop(sheet, rng)
    height, width = image.shape[:2]
    small_width, small_height = width // 8, height // 8
    mask = np.zeros((small_height, small_width), np.float32)
    side = float(rng.choice([-1, 1]))
    head = (
        round(small_width * (0.5 + side * rng.uniform(0.05, 0.3))),
        round(small_height * rng.uniform(0.6, 0.8)),
    )
    shoulders = (head[0] + round(side * small_width * 0.12), round(small_height * 1.12))
    cv2.ellipse(mask, head, (small_width // 5, small_width // 4), 0, 0, 360, 1.0, -1)
    cv2.ellipse(mask, shoulders, (round(small_width * 0.6), small_height // 4), 0, 0, 360, 1.0, -1)
    soft = cv2.resize(cv2.GaussianBlur(mask, (0, 0), small_width * rng.uniform(0.03, 0.07)), (width, height))
    image *= 1 - soft[:, :, None] * rng.uniform(0.2, 0.3)
    return _sensor(_light(image, 0.1, rng), 3.2, rng)


def _scan(sheet: Image, rng: Rng) -> Image:
    """A flatbed scan: nearly straight, evenly lit, with the pale grey lid around the sheet."""
    height, width = sheet.shape[:2]
    pad = round(width * 0.015)
    framed = cv2.copyMakeBorder(sheet, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=(226.0, 226.0, 224.0))
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), float(rng.normal(0, 0.45)), 1.0)
    turned = cv2.warpAffine(
        framed, matrix, framed.shape[1::-1], flags=cv2.INTER_LINEAR, borderValue=(226.0, 226.0, 224.0)
    )
    return _sensor(turned, 1.2, rng)


def _fed(sheet: Image, rng: Rng) -> Image:
    """A sheet-fed scan: the pixels of the image are those of the sheet."""
    return _sensor(sheet, 1.2, rng)


def _on_tabletop(sheet: Image, rng: Rng) -> Image:
    height, width = sheet.shape[:2]
    out_width, out_height = round(width * 1.05), round(height * 1.045)
    tabletop = _draw_tabletop(out_width, out_height, rng)
    inset = np.array([[0.02, 0.02], [0.98, 0.02], [0.98, 0.98], [0.02, 0.98]])
    corners = (inset + rng.uniform(-0.012, 0.012, (4, 2))) * [out_width, out_height]
    plain = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(plain, corners.astype(np.float32))
    size = (out_width, out_height)
    laid = cv2.warpPerspective(sheet, matrix, size, flags=cv2.INTER_LINEAR)
    cover = cv2.warpPerspective(np.ones((height, width), np.float32), matrix, size)
    fall = cv2.GaussianBlur(cover, (0, 0), width / 110)
    shifted = cv2.warpAffine(fall, np.array([[1, 0, width / 160], [0, 1, width / 130]], np.float32), size)
    tabletop *= 1 - 0.55 * shifted[:, :, None]
    return tabletop * (1 - cover[:, :, None]) + laid * cover[:, :, None]


def _draw_tabletop(width: int, height: int, rng: Rng) -> Image:
    """A table top with a wood grain."""
    colour = np.array(TABLETOPS[int(rng.integers(len(TABLETOPS)))], np.float32)
    grain = cv2.resize(rng.normal(0, 1, (height // 3, 6)).astype(np.float32), (width, height))
    tone = grain * 5 + smooth_noise(rng, height, width, 200) * 5 + rng.normal(0, 2, (height, width))
    return (colour + tone[:, :, None]).astype(np.float32)


def _light(image: Image, depth: float, rng: Rng) -> Image:
    """Light from one side, darker in the corners, and not quite white."""
    height, width = image.shape[:2]
    angle = rng.uniform(0, 2 * np.pi)
    xs = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
    ys = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    side = (xs * np.cos(angle) + ys * np.sin(angle)) * depth
    corners = (xs**2 + ys**2) * 0.05
    tint = np.array([1.0, 0.99, 0.955], np.float32) + rng.normal(0, 0.012, 3).astype(np.float32)
    return image * (0.97 + side - corners)[:, :, None] * tint


def _sensor(image: Image, noise: float, rng: Rng) -> Image:
    height, width = image.shape[:2]
    soft = cv2.GaussianBlur(image, (0, 0), 0.6)
    grey = rng.normal(0, noise, (height, width)).astype(np.float32)
    colour = cv2.resize(
        rng.normal(0, noise * 0.7, (height // 2, width // 2, 3)).astype(np.float32), (width, height)
    )
    return soft + grey[:, :, None] + colour


KINDS: dict[str, Callable[[Image, Rng], Image]] = {
    "photo": _photo,
    "shadow": _shadow,
    "scan": _scan,
    "fed": _fed,
}
