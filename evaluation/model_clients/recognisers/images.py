"""Reading the picture a recogniser was handed, with the limits every recogniser keeps."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from PIL import Image, UnidentifiedImageError

from evaluation.errors import Told
from evaluation.errors import gettext_noop as _
from evaluation.model_clients.failures import FailureKind
from evaluation.model_clients.recognisers.base import RecogniserFailed

MAX_SIDE_PX = 4000


def check_png(image_png: bytes) -> None:
    """Raises RecogniserFailed where the bytes are not a PNG or its longer side is over 4000 pixels."""
    _open_png(image_png)


def pixels_bgr(image_png: bytes) -> Any:
    """The picture as uint8 array, height x width x 3, in blue, green, red order; transparent parts white."""
    picture = _open_png(image_png)
    try:
        if "A" in picture.getbands() or "transparency" in picture.info:
            layer = picture.convert("RGBA")
            picture = Image.new("RGBA", layer.size, "white")
            picture.alpha_composite(layer)
        rgb = np.asarray(picture.convert("RGB"))
    except (OSError, SyntaxError, ValueError) as error:
        raise RecogniserFailed(
            FailureKind.BAD_IMAGE, Told(_("the picture is damaged: %(why)s"), why=str(error))
        ) from error
    return np.ascontiguousarray(rgb[:, :, ::-1])


def _open_png(image_png: bytes) -> Image.Image:
    try:
        picture = Image.open(io.BytesIO(image_png), formats=("PNG",))
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise RecogniserFailed(FailureKind.BAD_IMAGE, Told(_("the picture is not a PNG file"))) from error
    if max(picture.size) > MAX_SIDE_PX:
        width, height = picture.size
        raise RecogniserFailed(
            FailureKind.BAD_IMAGE,
            Told(
                _("the picture is %(width)s x %(height)s pixels; scale its longer side to at most %(most)s"),
                width=width,
                height=height,
                most=MAX_SIDE_PX,
            ),
        )
    return picture
