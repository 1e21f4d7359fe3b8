"""The lossless form for annotators, and the released form under both of a project's caps.

Source: WildHandBench, image processing (PNG of at most 1 MB; palette first, proportional downscale only if needed),
and its model protocol (longest side at most 4000 px). The same picture always gives the same bytes.
"""

from __future__ import annotations

import io
from dataclasses import dataclass

from PIL import Image, __version__

from annotation.images.upright import Step

LOSSLESS_LEVEL = 1  # deflate level: three times as fast as level 6, and 2 % larger on scans
PALETTE_LEVEL = 6
# Finest first. On scans, median cut keeps 2 to 3 dB more than the octree; the octree's flatter colours deflate to half.
PALETTES = (("median cut", 256), ("octree", 256), ("octree", 128), ("octree", 64), ("octree", 32))
ENCODER = f"Pillow {__version__}"
_BANDS = 8
_MARGIN = 0.97  # an estimate from bands must leave this much room


@dataclass(frozen=True, slots=True)
class Released:
    """A PNG file, its size in pixels, and the steps that made it from the upright picture."""

    data: bytes
    width: int
    height: int
    steps: tuple[Step, ...]


def encode_lossless(image: Image.Image) -> bytes:
    """PNG of an upright picture (mode L or RGB), full resolution."""
    return _png(image, LOSSLESS_LEVEL)


def make_released(image: Image.Image, full: bytes, *, cap_bytes: int | None, max_side: int) -> Released:
    """The released form of an upright picture. `full` is its lossless PNG; `cap_bytes` None means no cap on bytes."""
    steps: list[Step] = []
    if max(image.size) > max_side:
        image = _scaled(image, max_side / max(image.size), steps, "longest side")
        full = encode_lossless(image)
    if cap_bytes is None or len(full) <= cap_bytes:
        steps.append({"step": "png", "encoder": ENCODER})
        return Released(full, *image.size, tuple(steps))
    return _under_cap(image, cap_bytes, steps)


def _under_cap(image: Image.Image, cap_bytes: int, steps: list[Step]) -> Released:
    """The first rung of the palette ladder that fits; below the last one the picture shrinks until it does."""
    while True:
        estimate = 0
        for method, colours in PALETTES:
            estimate = _estimate(image, method, colours)
            if estimate <= cap_bytes * _MARGIN:
                data = _palette_png(image, method, colours)
                if len(data) <= cap_bytes:
                    steps.append({"step": "palette", "method": method, "colours": colours})
                    steps.append({"step": "png", "encoder": ENCODER})
                    return Released(data, *image.size, tuple(steps))
        if max(image.size) <= 16:
            raise ValueError(f"a cap of {cap_bytes} bytes is below what any picture needs")
        ratio = (cap_bytes * _MARGIN / max(estimate, cap_bytes)) ** 0.5
        image = _scaled(image, min(0.95, max(0.25, ratio)), steps, "bytes")


def _scaled(image: Image.Image, factor: float, steps: list[Step], why: str) -> Image.Image:
    width, height = (max(1, int(side * factor + 1e-9)) for side in image.size)
    steps.append({"step": "downscale", "for": why, "from": list(image.size), "to": [width, height]})
    return image.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=3.0)


def _estimate(image: Image.Image, method: str, colours: int) -> int:
    """Size in bytes of the palette PNG, from eight bands that hold a quarter of the rows."""
    height = image.height // (4 * _BANDS)
    if height < 8:
        return len(_palette_png(image, method, colours))
    strip = Image.new(image.mode, (image.width, height * _BANDS))
    for band in range(_BANDS):
        top = (image.height * (2 * band + 1)) // (2 * _BANDS) - height // 2
        strip.paste(image.crop((0, top, image.width, top + height)), (0, band * height))
    return len(_palette_png(strip, method, colours)) * image.height // (height * _BANDS)


def _palette_png(image: Image.Image, method: str, colours: int) -> bytes:
    """Without dithering: its noise would look like ink to a reader of faint strokes, and deflates badly."""
    colour = image.convert("RGB")
    if method == "octree":
        flat = colour.quantize(colours, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    else:
        # Median cut on every sixteenth pixel: the colours of a page are in all of it, and it is ten times as fast.
        small = colour.resize((max(1, image.width // 4), max(1, image.height // 4)), Image.Resampling.NEAREST)
        palette = small.quantize(colours, Image.Quantize.MEDIANCUT)
        flat = colour.quantize(palette=palette, dither=Image.Dither.NONE)
    return _png(flat, PALETTE_LEVEL)


def _png(image: Image.Image, level: int) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=level)
    return out.getvalue()
