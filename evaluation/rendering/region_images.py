"""Images of a formula page's regions: the page with numbered outlines, and each region cut out.

They show where the regions are and never what stands in them, so participants and models may see them.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from math import ceil, floor

from PIL import Image, ImageDraw, ImageFont

from evaluation.record_parts import Point, RecordRegion

_INKS = ("#b3261e", "#0b57d0", "#146c2e", "#7b1fa2", "#8a5300", "#006a6a")  # each 4.5 : 1 and more on white
_PALETTE = 256
_ROOM = 1.25  # an image that grows by more than this goes back to a palette


def draw_outlines(png: bytes, regions: Iterable[RecordRegion]) -> bytes:
    """The page with each region's outline and number. The same input gives the same bytes."""
    source = Image.open(io.BytesIO(png))
    image = source.convert("RGB")
    draw = ImageDraw.Draw(image)
    width = max(2, max(image.size) // 500)
    font = ImageFont.load_default(size=max(14, max(image.size) // 60))
    for region in regions:
        ink = _INKS[(region.number - 1) % len(_INKS)]
        draw.line([*region.polygon, *region.polygon[:2]], fill=ink, width=width, joint="curve")
    for region in regions:  # numbers last, so that no outline runs through one
        _draw_number(draw, region, _INKS[(region.number - 1) % len(_INKS)], font, image.size)
    data = _png(image)
    if len(data) > len(png) * _ROOM and source.mode in ("P", "L"):
        data = _png(image.quantize(_PALETTE, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE))
    return data


def crop_region(png: bytes, region: RecordRegion) -> bytes:
    """The region's surroundings in white, cut to its bounding box."""
    image = Image.open(io.BytesIO(png)).convert("RGB")
    inside = Image.new("L", image.size, 0)
    ImageDraw.Draw(inside).polygon(region.polygon, fill=255, outline=255)
    alone = Image.composite(image, Image.new("RGB", image.size, "white"), inside)
    return _png(alone.crop(bounds_of(region.polygon, image.size)))


def bounds_of(points: Iterable[Point], size: tuple[int, int]) -> tuple[int, int, int, int]:
    """The whole pixels around these points, (left, top, right, bottom), inside an image of `size`, never empty.

    >>> bounds_of([(1.5, 2), (9.2, 4)], (9, 9))
    (1, 2, 9, 4)
    """
    xs, ys = zip(*points, strict=True)
    left, top = min(max(floor(min(xs)), 0), size[0] - 1), min(max(floor(min(ys)), 0), size[1] - 1)
    right, bottom = min(ceil(max(xs)), size[0]), min(ceil(max(ys)), size[1])
    return left, top, max(right, left + 1), max(bottom, top + 1)


def _draw_number(
    draw: ImageDraw.ImageDraw,
    region: RecordRegion,
    ink: str,
    font: ImageFont.FreeTypeFont | ImageFont.ImageFont,
    size: tuple[int, int],
) -> None:
    """The number on its own patch: above the region's top left corner, below the edge where there is no room."""
    left, top, _, _ = bounds_of(region.polygon, size)
    _, _, wide, high = draw.textbbox((0, 0), str(region.number), font=font)
    pad = 3
    box = wide + 2 * pad, high + 2 * pad
    x = min(left, max(size[0] - ceil(box[0]), 0))
    y = top - ceil(box[1]) if top >= box[1] else top
    draw.rectangle((x, y, x + box[0] - 1, y + box[1] - 1), fill=ink)
    draw.text((x + pad, y + pad), str(region.number), fill="white", font=font)


def _png(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=6)
    return out.getvalue()
