"""Redaction of names and identifiers in the full image, and in the released image that is made from it."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image

from annotation.images.masking import burn_masks
from annotation.images.page import hash_pixels
from annotation.images.released import Released, make_released
from evaluation.payloads.masks import Mask
from evaluation.record_parts import RecordMask


@dataclass(frozen=True, slots=True)
class RedactedForms:
    """The redacted lossless image, the released form made from it, and its pixel hash."""

    full: bytes
    released: Released
    pixel_hash: str


def redact(full: bytes, areas: Sequence[Mask], *, cap_bytes: int | None, max_side: int) -> RedactedForms:
    """Paint over `areas` (pixels of the full image) and make both forms again.

    The released form is made from the redacted image: redacting a scaled image could leave edges of the names visible.
    """
    painted = [RecordMask(area.shape, area.points, area.width) for area in areas]
    redacted = burn_masks(full, painted, cap_bytes=None).data if painted else full
    with Image.open(io.BytesIO(redacted)) as image:
        image.load()
        return RedactedForms(
            full=redacted,
            released=make_released(image, redacted, cap_bytes=cap_bytes, max_side=max_side),
            pixel_hash=hash_pixels(image),
        )
