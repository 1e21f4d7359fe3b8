"""Images drawn for tests: uneven ink, so that every turn, crop and colour shows."""

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from evaluation.files.limits import FileLimits

LIMITS = FileLimits()
# How a camera held another way stores the upright image, by EXIF orientation (CIPA DC-008, tag 0x0112).
_STORED_AS = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


def draw_page(seed: int = 1, *, size: tuple[int, int] = (600, 800), ink: str = "navy") -> Image.Image:
    """A page of scrawled lines on tinted, ruled paper; other seeds write other words on the same paper."""
    image = Image.new("RGB", size, (250, 246, 235))
    draw = ImageDraw.Draw(image)
    for y in range(60, size[1] - 30, 40):
        draw.line((0, y, size[0], y), fill=(205, 215, 235))
    source = random.Random(seed)
    for y in range(60, size[1] - 30, 40):
        x = 40 + source.randrange(20)
        while x < size[0] - 60:
            points = [(x + 4 * i, y - source.randrange(26)) for i in range(source.randrange(4, 16))]
            draw.line(points, fill=ink, width=3, joint="curve")
            x = points[-1][0] + source.randrange(12, 30)
    return image


def encode(image: Image.Image, kind: str, **options: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def encode_turned(image: Image.Image, orientation: int, kind: str, **options: Any) -> bytes:
    """The file of a camera held so that `orientation` sets the image upright again."""
    turn = _STORED_AS[orientation]
    exif = Image.Exif()
    exif[0x0112] = orientation
    return encode(image if turn is None else image.transpose(turn), kind, exif=exif, **options)


def write(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path
