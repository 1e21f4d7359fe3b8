"""The format of a file, recognised by its bytes and never by its name."""

from __future__ import annotations

import mmap
import re
from enum import StrEnum
from pathlib import PurePosixPath

from evaluation.files.errors import BadFile, FileProblem

Data = bytes | mmap.mmap


class Format(StrEnum):
    PNG = "png"
    JPEG = "jpeg"
    WEBP = "webp"
    TIFF = "tiff"
    BMP = "bmp"
    HEIC = "heic"
    PDF = "pdf"
    ZIP = "zip"


EXTENSIONS: dict[Format, tuple[str, ...]] = {
    Format.PNG: (".png",),
    Format.JPEG: (".jpg", ".jpeg", ".jpe", ".jfif"),
    Format.WEBP: (".webp",),
    Format.TIFF: (".tif", ".tiff"),
    Format.BMP: (".bmp", ".dib"),
    Format.HEIC: (".heic", ".heif"),
    Format.PDF: (".pdf",),
    Format.ZIP: (".zip",),
}
HEAD = 1024  # bytes that `sniff` needs

_MAGIC: tuple[tuple[bytes, Format], ...] = (
    (b"\x89PNG\r\n\x1a\n", Format.PNG),
    (b"\xff\xd8\xff", Format.JPEG),
    (b"II*\x00", Format.TIFF),
    (b"MM\x00*", Format.TIFF),
    (b"II+\x00", Format.TIFF),
    (b"MM\x00+", Format.TIFF),
    (b"BM", Format.BMP),
    (b"%PDF-", Format.PDF),
    (b"PK\x03\x04", Format.ZIP),
    (b"PK\x05\x06", Format.ZIP),
)
_HEIF_BRANDS = frozenset((b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"))
_OTHER_IMAGES = (b"GIF87a", b"GIF89a", b"\x00\x00\x01\x00", b"8BPS", b"\x00\x00\x00\x0cJXL ", b"\xff\x0a")
# A file appended to an image would be opened as itself by somebody who downloads it under its own name.
_HIDDEN = re.compile(
    rb"PK\x03\x04|PK\x05\x06|%PDF-|<script|<html|<svg|<!doctype|<\?php|\x7fELF", re.IGNORECASE
)


def sniff(head: bytes) -> Format:
    """The format of a file from its first `HEAD` bytes. Raises BadFile."""
    if not head:
        raise BadFile(FileProblem.EMPTY)
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return Format.WEBP
    if head[4:8] == b"ftyp":
        if _HEIF_BRANDS & {head[i : i + 4] for i in (8, *range(16, 64, 4))}:
            return Format.HEIC
        raise BadFile(FileProblem.UNSUPPORTED)
    for magic, file_format in _MAGIC:
        if head.startswith(magic):
            return file_format
    if re.search(rb"<svg[\s/>]", head, re.IGNORECASE):
        raise BadFile(FileProblem.SVG)
    if head.startswith(_OTHER_IMAGES):
        raise BadFile(FileProblem.UNSUPPORTED)
    raise BadFile(FileProblem.NOT_AN_IMAGE)


def is_named_for(name: str, file_format: Format) -> bool:
    """True when the file's extension belongs to its format."""
    return PurePosixPath(name.lower()).suffix in EXTENSIONS[file_format]


def refuse_hidden_file(data: Data, file_format: Format) -> None:
    """Raise BadFile when the signature of another file follows the image's end, or that of a PDF is in its head.

    Private data and second images, which cameras append, are accepted.
    """
    if file_format in (Format.PDF, Format.ZIP):
        return
    if b"%PDF-" in data[:HEAD] or _HIDDEN.search(data, _end_of_image(data, file_format)):
        raise BadFile(FileProblem.HIDDEN_FILE)


def _end_of_image(data: Data, file_format: Format) -> int:
    if file_format is Format.PNG:
        return _end_of_png(data)
    if file_format is Format.JPEG:
        return _end_of_jpeg(data)
    if file_format is Format.WEBP:
        return 8 + int.from_bytes(data[4:8], "little")
    if file_format is Format.BMP:
        return max(int.from_bytes(data[2:6], "little"), 54)
    return len(data)  # TIFF and HEIC address their parts by offset, without an end mark


def _end_of_png(data: Data) -> int:
    offset = 8
    while offset + 8 <= len(data):
        length, kind = int.from_bytes(data[offset : offset + 4], "big"), data[offset + 4 : offset + 8]
        offset += 12 + length
        if kind == b"IEND":
            break
    return min(offset, len(data))


_MARKER = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]", re.DOTALL)


def _end_of_jpeg(data: Data) -> int:
    """The position after the end marker, found by walking the segments and skipping entropy-coded data."""
    offset = 2
    while marker := _MARKER.search(data, offset):
        kind, offset = data[marker.start() + 1], marker.end()
        if kind == 0xD9:
            return offset
        if kind != 0x01:
            offset += int.from_bytes(data[offset : offset + 2], "big")
    return len(data)
