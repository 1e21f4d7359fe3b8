"""Names and identifiers painted over, in the full image and in the released one that is made from it."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image

from annotation.images.masking import burn_masks
from annotation.images.page import hash_pixels
from annotation.images.released import Released, make_released
from evaluation.payloads.masks import Mask
from evaluation.record_parts import RecordMask as Painted


@dataclass(frozen=True, slots=True)
class RedactedForms:
    """The lossless image without the names, the released form made from it, and the hash of its pixels."""

    full: bytes
    released: Released
    pixel_hash: str


def redact(full: bytes, areas: Sequence[Mask], *, cap_bytes: int | None, max_side: int) -> RedactedForms:
    """Paint `areas` (pixels of the full image) over and make both forms anew.

    The released form is made from the redacted image, never redacted itself: scaling would let a rim of the names
    shine through.
    """
    painted = [Painted(area.shape, area.points, area.width) for area in areas]
    bare = burn_masks(full, painted, cap_bytes=None).data if painted else full
    with Image.open(io.BytesIO(bare)) as image:
        image.load()
        return RedactedForms(
            full=bare,
            released=make_released(image, bare, cap_bytes=cap_bytes, max_side=max_side),
            pixel_hash=hash_pixels(image),
        )
