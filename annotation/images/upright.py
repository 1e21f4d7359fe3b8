"""The plain form of every image: upright, sRGB or grey, 8 bits, on white, without metadata."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image, ImageCms, ImageOps

Step = dict[str, object]
_SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))
_ALPHA_MODES = ("RGBA", "LA", "PA", "RGBa", "La")
_ORIENTATION = 0x0112


def make_upright(image: Image.Image) -> tuple[Image.Image, list[Step]]:
    """The upright image in mode L or RGB, and the steps that changed it, in order.

    Orientation comes first (it may swap the sides), then colours. An image whose channels are all equal becomes grey,
    which loses nothing. The result has no metadata.
    """
    steps: list[Step] = []
    orientation = image.getexif().get(_ORIENTATION, 1)
    if orientation in range(2, 9):
        image = ImageOps.exif_transpose(image)
        steps.append({"step": "orientation", "exif": orientation})
    profile = image.info.get("icc_profile")
    image = _eight_bits(image, steps)
    alpha = _alpha_of(image)
    image = _to_srgb(image, profile, steps)
    if alpha is not None:
        white = Image.new(image.mode, image.size, "white")
        image = Image.composite(image, white, alpha)
        steps.append({"step": "white behind transparent parts"})
    if image.mode == "RGB" and _is_grey(image):
        image = image.getchannel(0)
    return _without_info(image), steps


def _eight_bits(image: Image.Image, steps: list[Step]) -> Image.Image:
    """Modes with more than 8 bits per channel, scaled from their full range, or from the range in use for 32 bits."""
    if image.mode.startswith("I;16"):
        values = np.asarray(image).astype(np.uint32)
        scaled = ((values * 255 + 32767) // 65535).astype(np.uint8)
    elif image.mode in ("I", "F"):
        values = np.nan_to_num(np.asarray(image, dtype=np.float64))
        top = next(
            (t for t in (1.0, 255.0, 65535.0) if values.max(initial=0) <= t), float(values.max(initial=1))
        )
        top = max(top, 255.0) if image.mode == "I" else top
        scaled = np.clip(np.rint(values * (255 / top)), 0, 255).astype(np.uint8)
    else:
        return image
    steps.append({"step": "8 bits", "from": image.mode})
    return Image.fromarray(scaled, "L")


def _alpha_of(image: Image.Image) -> Image.Image | None:
    if image.mode not in _ALPHA_MODES and "transparency" not in image.info:
        return None
    alpha = image.convert("RGBA").getchannel("A")
    return None if alpha.getextrema()[0] == 255 else alpha


def _to_srgb(image: Image.Image, profile: bytes | None, steps: list[Step]) -> Image.Image:
    if image.mode in ("1", "L"):
        plain = image.convert("L")
    elif image.mode in ("LA", "La"):
        plain = image.convert("LA").getchannel("L")
    elif image.mode in ("CMYK", "LAB"):
        plain = image
    elif image.mode in ("P", "PA", *_ALPHA_MODES) or "transparency" in image.info:
        plain = image.convert("RGBA").convert("RGB")
    else:
        plain = image.convert("RGB")
    converted = _through_profile(plain, profile) if profile else None
    if converted is not None:
        steps.append({"step": "colour profile to sRGB"})
        return converted
    if plain.mode == "LAB":
        lab = ImageCms.createProfile("LAB")
        converted = ImageCms.profileToProfile(plain, lab, _SRGB, outputMode="RGB")
        return converted if converted is not None else plain.convert("RGB")
    return plain if plain.mode == "L" else plain.convert("RGB")


def _through_profile(image: Image.Image, profile: bytes) -> Image.Image | None:
    """The image in sRGB; None when the profile is sRGB, unreadable, or for another mode."""
    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        if "sRGB" in ImageCms.getProfileDescription(source):
            return None
        converted = ImageCms.profileToProfile(image, source, _SRGB, outputMode="RGB")
    except (ImageCms.PyCMSError, OSError):
        return None
    return converted


def _is_grey(image: Image.Image) -> bool:
    pixels = np.asarray(image)
    probe = pixels[:: max(1, pixels.shape[0] // 16)]  # a few rows are enough for nearly every colour image
    return _channels_equal(probe) and _channels_equal(pixels)


def _channels_equal(pixels: np.ndarray) -> bool:
    return bool((pixels[..., 0] == pixels[..., 1]).all() and (pixels[..., 1] == pixels[..., 2]).all())


def _without_info(image: Image.Image) -> Image.Image:
    """The same pixels without `info`, so that no encoder writes any of it."""
    if not image.info:
        return image
    copy = image.copy()
    copy.info = {}
    return copy
