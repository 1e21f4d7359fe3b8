"""Masks painted over the released image, so that models and participants do not see what is illegible.

Points are pixel corners of the released image, 0..width and 0..height. Pixels outside the masks do not change. The same
image and masks always give the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from math import ceil, floor

from PIL import Image, ImageDraw

from annotation.images.released import PALETTE_LEVEL, Released, encode_lossless, make_released
from evaluation.record_parts import Point, RecordMask

GREY = (128, 128, 128)  # neither paper nor ink


def burn_masks(png: bytes, masks: Iterable[RecordMask], *, cap_bytes: int | None) -> Released:
    """The image with its masks painted over in one flat grey (the nearest colour where it has a palette).

    If the result exceeds `cap_bytes`, which flat areas make unlikely, `make_released` reduces it again.
    """
    with Image.open(io.BytesIO(png)) as source:
        source.load()
        image: Image.Image = source
    image.paste(_grey_of(image), mask=_covered(image.size, masks))
    data = _encode(image)
    if cap_bytes is None or len(data) <= cap_bytes:
        return Released(data, *image.size, ())
    unreduced = image.convert("L" if image.mode in ("1", "L") else "RGB")
    return make_released(
        unreduced, encode_lossless(unreduced), cap_bytes=cap_bytes, max_side=max(unreduced.size)
    )


def _covered(size: tuple[int, int], masks: Iterable[RecordMask]) -> Image.Image:
    """White where a pixel is masked, also where a mask only touches it."""
    cover = Image.new("L", size, 0)
    draw = ImageDraw.Draw(cover)
    for mask in masks:
        if mask.shape == "box":
            _draw_box(draw, mask.points)
        elif mask.shape == "polygon":
            draw.polygon([_pixel(point) for point in mask.points], fill=255, outline=255)
        else:
            _draw_stroke(draw, mask)
    return cover


def _draw_box(draw: ImageDraw.ImageDraw, corners: Sequence[Point]) -> None:
    (x0, y0), (x1, y1) = corners
    left, top, right, bottom = min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)
    last = max(ceil(right) - 1, floor(left)), max(ceil(bottom) - 1, floor(top))
    draw.rectangle((floor(left), floor(top), *last), fill=255)


def _draw_stroke(draw: ImageDraw.ImageDraw, mask: RecordMask) -> None:
    half = mask.width / 2
    draw.line([_pixel(point) for point in mask.points], fill=255, width=max(1, ceil(mask.width)))
    for x, y in mask.points:
        draw.ellipse((floor(x - half), floor(y - half), ceil(x + half), ceil(y + half)), fill=255)


def _pixel(point: Point) -> tuple[int, int]:
    return floor(point[0]), floor(point[1])


def _grey_of(image: Image.Image) -> int | tuple[int, int, int]:
    if image.mode == "P":
        palette = image.getpalette() or []
        colours = zip(palette[0::3], palette[1::3], palette[2::3], strict=False)
        distances = [sum((c - grey) ** 2 for c, grey in zip(rgb, GREY, strict=True)) for rgb in colours]
        return distances.index(min(distances))
    return GREY if image.mode == "RGB" else GREY[0]


def _encode(image: Image.Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "PNG", compress_level=PALETTE_LEVEL)
    return buffer.getvalue()
