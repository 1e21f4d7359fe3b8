"""Decoding the image for a recogniser, with the limits that all recognisers share."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from PIL import Image, UnidentifiedImageError

from evaluation.errors import LocalizedError
from evaluation.errors import gettext_noop as _
from evaluation.model_clients.failures import FailureKind
from evaluation.model_clients.recognisers.base import RecogniserFailed

MAX_SIDE_PX = 4000


def check_png(image_png: bytes) -> None:
    """Raise RecogniserFailed unless the bytes are a PNG whose longer side has at most MAX_SIDE_PX pixels."""
    _open_png(image_png)


def decode_bgr(image_png: bytes) -> Any:
    """The image as a uint8 array, height x width x 3, BGR; transparent areas are white. Raises RecogniserFailed."""
    image = _open_png(image_png)
    try:
        if "A" in image.getbands() or "transparency" in image.info:
            layer = image.convert("RGBA")
            image = Image.new("RGBA", layer.size, "white")
            image.alpha_composite(layer)
        rgb = np.asarray(image.convert("RGB"))
    except (OSError, SyntaxError, ValueError) as error:
        raise RecogniserFailed(
            FailureKind.BAD_IMAGE, LocalizedError(_("the image is damaged: %(why)s"), why=str(error))
        ) from error
    return np.ascontiguousarray(rgb[:, :, ::-1])


def _open_png(image_png: bytes) -> Image.Image:
    try:
        image = Image.open(io.BytesIO(image_png), formats=("PNG",))
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise RecogniserFailed(
            FailureKind.BAD_IMAGE, LocalizedError(_("the image is not a PNG file"))
        ) from error
    if max(image.size) > MAX_SIDE_PX:
        width, height = image.size
        raise RecogniserFailed(
            FailureKind.BAD_IMAGE,
            LocalizedError(
                _(
                    "the image is %(width)s x %(height)s pixels; scale its longer side down to "
                    "at most %(most)s"
                ),
                width=width,
                height=height,
                most=MAX_SIDE_PX,
            ),
        )
    return image
