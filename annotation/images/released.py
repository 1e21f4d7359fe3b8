"""The lossless form for annotators, and the released form within both limits of a project.

Source: WildHandBench, image processing (PNG of at most 1 MB; palette first, proportional downscale only if needed),
and its model protocol (longest side at most 4000 px). The same image always gives the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image, __version__

from annotation.images.upright import Step

LOSSLESS_LEVEL = 1  # deflate level: three times as fast as level 6, and 2 % larger on scans
PALETTE_LEVEL = 6
# Best quality first. On scans, median cut keeps 2 to 3 dB more than the octree, whose flatter colours deflate to half.
PALETTES = (("median cut", 256), ("octree", 256), ("octree", 128), ("octree", 64), ("octree", 32))
ENCODER = f"Pillow {__version__}"
_BANDS = 8
_MARGIN = 0.97  # of the limit, for estimates from bands


@dataclass(frozen=True, slots=True)
class Released:
    """A PNG file, its size in pixels, and the steps that made it from the upright image."""

    data: bytes
    width: int
    height: int
    steps: tuple[Step, ...]


def encode_lossless(image: Image.Image) -> bytes:
    """PNG of an upright image (mode L or RGB), full resolution."""
    return _png(image, LOSSLESS_LEVEL)


def make_released(image: Image.Image, full: bytes, *, cap_bytes: int | None, max_side: int) -> Released:
    """The released form of an upright image. `full` is its lossless PNG; `cap_bytes` None means no limit on bytes."""
    steps: list[Step] = []
    if max(image.size) > max_side:
        image = _scaled(image, max_side / max(image.size), steps, "longest side")
        full = encode_lossless(image)
    if cap_bytes is None or len(full) <= cap_bytes:
        steps.append({"step": "png", "encoder": ENCODER})
        return Released(full, *image.size, tuple(steps))
    return _under_cap(image, cap_bytes, steps)


def _under_cap(image: Image.Image, cap_bytes: int, steps: list[Step]) -> Released:
    """The first palette that fits; if none does, the image is scaled down until one fits."""
    while True:
        estimate = 0
        strip, share = _strip(image)
        for method, colours in PALETTES:
            flatten = _flattener(image, method, colours)
            estimate = int(len(_png(flatten(strip), PALETTE_LEVEL)) / share)
            if estimate <= cap_bytes * _MARGIN:
                data = _png(flatten(image), PALETTE_LEVEL)
                if len(data) <= cap_bytes:
                    steps.append({"step": "palette", "method": method, "colours": colours})
                    steps.append({"step": "png", "encoder": ENCODER})
                    return Released(data, *image.size, tuple(steps))
        if max(image.size) <= 16:
            raise ValueError(f"no image fits into {cap_bytes} bytes")
        ratio = (cap_bytes * _MARGIN / max(estimate, cap_bytes)) ** 0.5
        image = _scaled(image, min(0.95, max(0.25, ratio)), steps, "bytes")


def _scaled(image: Image.Image, factor: float, steps: list[Step], why: str) -> Image.Image:
    width, height = (max(1, int(side * factor + 1e-9)) for side in image.size)
    steps.append({"step": "downscale", "for": why, "from": list(image.size), "to": [width, height]})
    return image.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=3.0)


def _strip(image: Image.Image) -> tuple[Image.Image, float]:
    """Eight bands of the image, together an eighth of its rows, and their share of it; for estimating sizes."""
    height = image.height // (8 * _BANDS)
    if height < 8:
        return image, 1.0
    strip = Image.new(image.mode, (image.width, height * _BANDS))
    for band in range(_BANDS):
        top = (image.height * (2 * band + 1)) // (2 * _BANDS) - height // 2
        strip.paste(image.crop((0, top, image.width, top + height)), (0, band * height))
    return strip, height * _BANDS / image.height


def _flattener(image: Image.Image, method: str, colours: int) -> Callable[[Image.Image], Image.Image]:
    """A function that reduces the colours of the image or of a strip of it.

    Without dithering, whose noise looks like faint strokes and compresses badly.
    """
    no_dither = Image.Dither.NONE
    if method == "octree":
        return lambda part: part.convert("RGB").quantize(colours, Image.Quantize.FASTOCTREE, dither=no_dither)
    # Median cut on every sixteenth pixel, which has the same colours and is ten times as fast.
    size = (max(1, image.width // 4), max(1, image.height // 4))
    small = image.convert("RGB").resize(size, Image.Resampling.NEAREST)
    palette = small.quantize(colours, Image.Quantize.MEDIANCUT)
    return lambda part: part.convert("RGB").quantize(palette=palette, dither=no_dither)


def _png(image: Image.Image, level: int) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "PNG", compress_level=level)
    return buffer.getvalue()
