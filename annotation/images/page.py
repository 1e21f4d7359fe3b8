"""The whole processing of one page, as one call that can run in another process."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from annotation.images.decode import load_page
from annotation.images.fingerprint import Fingerprint, take_fingerprint
from annotation.images.released import encode_lossless, make_released
from annotation.images.sniff import Format
from annotation.images.upright import Step, make_upright
from evaluation.files.limits import FileLimits


@dataclass(frozen=True, slots=True)
class PageTask:
    """One page to process: the file's path and format, and the page's position in it."""

    path: str
    format: Format
    frame: int
    cap_bytes: int | None
    max_side: int
    limits: FileLimits


@dataclass(frozen=True, slots=True)
class PageForms:
    """The results of one page: lossless PNG (`full`), released PNG, pixel hash and fingerprint."""

    full: bytes
    full_width: int
    full_height: int
    released: bytes
    released_width: int
    released_height: int
    steps: tuple[Step, ...]
    pixel_hash: str
    fingerprint: Fingerprint


def process_page(task: PageTask) -> PageForms:
    """Decode the page once and make all its forms; the same bytes always give the same forms. Raises BadFile."""
    raw, steps = load_page(Path(task.path), task.frame, file_format=task.format, limits=task.limits)
    image, upright_steps = make_upright(raw)
    full = encode_lossless(image)
    released = make_released(image, full, cap_bytes=task.cap_bytes, max_side=task.max_side)
    return PageForms(
        full=full,
        full_width=image.width,
        full_height=image.height,
        released=released.data,
        released_width=released.width,
        released_height=released.height,
        steps=(*steps, *upright_steps, *released.steps),
        pixel_hash=hash_pixels(image),
        fingerprint=take_fingerprint(image),
    )


def hash_pixels(image: Image.Image) -> str:
    """SHA-256 of mode, size and pixels of an upright image, equal for all lossless files of it."""
    digest = hashlib.sha256(f"{image.mode} {image.width} {image.height}\n".encode())
    digest.update(image.tobytes())
    return digest.hexdigest()
