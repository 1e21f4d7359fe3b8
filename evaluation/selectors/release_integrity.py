"""Whether a release still is what it was when it was frozen: checksum and images."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from config.blobs import has_blob
from evaluation.models import Release
from evaluation.records import GoldRecord, to_line


def checksum_of(records: Iterable[GoldRecord]) -> str:
    """SHA-256 over the records' canonical lines, in order, each ended by a line feed."""
    digest = hashlib.sha256()
    for record in records:
        digest.update(to_line(record).encode("utf-8") + b"\n")
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class ReleaseCheck:
    """What was found: the checksum of the records as they are now, and the images that are not there."""

    checksum: str
    is_unchanged: bool
    missing_images: tuple[str, ...]

    @property
    def is_whole(self) -> bool:
        return self.is_unchanged and not self.missing_images


def check_release(release: Release) -> ReleaseCheck:
    """Compute the checksum anew and look for every image; memory does not grow with the release."""
    missing: list[str] = []

    def records() -> Iterator[GoldRecord]:
        for item in release.items.order_by("position").iterator(chunk_size=200):
            if item.image_blob and not has_blob(item.image_blob):
                missing.append(item.file_name)
            yield item.gold

    checksum = checksum_of(records())
    return ReleaseCheck(checksum, checksum == release.checksum, tuple(missing))
