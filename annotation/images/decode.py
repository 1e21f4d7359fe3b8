"""Read the pages of a file. Sizes and counts are checked from headers, before any pixel is decoded."""

from __future__ import annotations

import mmap
import re
import struct
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pi_heif
import pypdfium2
from PIL import Image, UnidentifiedImageError

from annotation.images.sniff import HEAD, Format, refuse_hidden_file, sniff
from annotation.images.upright import Step
from evaluation.files.errors import BadFile, FileProblem
from evaluation.files.limits import FileLimits

PDF_DPI = 200
_PILLOW_NAMES = {
    Format.PNG: "PNG",
    Format.JPEG: "JPEG",
    Format.WEBP: "WEBP",
    Format.TIFF: "TIFF",
    Format.BMP: "BMP",
}
_PLUGIN_FAULTS = (
    OSError,
    SyntaxError,
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    EOFError,
    OverflowError,
    MemoryError,
    RuntimeError,
    struct.error,
    zlib.error,
)
_REDUCED_COPY = 1  # TIFF 6.0, NewSubfileType bit 0: a smaller copy of another page


@dataclass(frozen=True, slots=True)
class FilePages:
    """The pages of a file; `frames` are their positions in it, from 0."""

    format: Format
    frames: tuple[int, ...]


def inspect_file(path: Path, *, limits: FileLimits) -> FilePages:
    """Format and pages of a file, from its headers. Raises BadFile."""
    size = path.stat().st_size
    if size > limits.file_bytes:
        raise BadFile(FileProblem.TOO_LARGE, bytes=size, limit=limits.file_bytes)
    with path.open("rb") as file:
        file_format = sniff(file.read(HEAD))
        if file_format is Format.ZIP:
            return FilePages(file_format, ())
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            refuse_hidden_file(data, file_format)
    if file_format is Format.PDF:
        return FilePages(file_format, _inspect_pdf(path, limits))
    if file_format is Format.HEIC:
        with _faults():
            heif = pi_heif.open_heif(path)
        _check_pixels(heif.size[0], heif.size[1], limits)
        return FilePages(file_format, (0,))
    with _faults(), _open(path, file_format) as image:
        return FilePages(file_format, tuple(_frames(image, file_format, limits)))


def load_page(
    path: Path, frame: int, *, file_format: Format, limits: FileLimits
) -> tuple[Image.Image, list[Step]]:
    """One page with its metadata, and the steps that made it. Raises BadFile."""
    if file_format is Format.PDF:
        return _render_pdf_page(path, frame, limits), [{"step": "render", "page": frame + 1, "dpi": PDF_DPI}]
    if file_format is Format.HEIC:
        with _faults():
            heif = pi_heif.open_heif(path)
            _check_pixels(heif.size[0], heif.size[1], limits)
            return heif.to_pillow(), []
    with _faults(), _open(path, file_format) as image:
        image.seek(frame)
        _check_pixels(*image.size, limits)
        image.load()
        return image.copy() if file_format is Format.TIFF else image, []


@contextmanager
def _open(path: Path, file_format: Format) -> Iterator[Image.Image]:
    """The image of a file.

    It is opened as a file object, since Pillow maps a plain TIFF given by name into memory, and such a page loses its
    orientation.
    """
    with path.open("rb") as file:
        with warnings.catch_warnings():
            # Pillow warns from half of its own limit; ours, checked by the caller, is the one that applies.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image = Image.open(file, formats=[_PILLOW_NAMES[file_format]])
        with image:
            yield image


def _frames(image: Image.Image, file_format: Format, limits: FileLimits) -> Iterator[int]:
    """The frames that are pages: those of a TIFF file, or the first one (others are animation or other sizes)."""
    _check_pixels(*image.size, limits)
    if file_format is not Format.TIFF:
        yield 0
        return
    frame = count = 0
    while True:
        try:
            image.seek(frame)
        except EOFError:
            return
        if frame == 0 or not image.tag_v2.get(254, 0) & _REDUCED_COPY:  # type: ignore[attr-defined]
            count += 1
            if count > limits.pages:
                raise BadFile(FileProblem.TOO_MANY_PAGES, limit=limits.pages)
            _check_pixels(*image.size, limits)
            yield frame
        frame += 1
        if frame > 2 * limits.pages:
            raise BadFile(FileProblem.TOO_MANY_PAGES, limit=limits.pages)


def _check_pixels(width: int, height: int, limits: FileLimits) -> None:
    if width * height > limits.pixels:
        raise BadFile(FileProblem.TOO_MANY_PIXELS, pixels=width * height, limit=limits.pixels)


def _inspect_pdf(path: Path, limits: FileLimits) -> tuple[int, ...]:
    with _pdf(path) as document:
        if len(document) > limits.pages:
            raise BadFile(FileProblem.TOO_MANY_PAGES, pages=len(document), limit=limits.pages)
        if len(document) == 0:
            raise BadFile(FileProblem.DAMAGED)
        return tuple(range(len(document)))


def _render_pdf_page(path: Path, frame: int, limits: FileLimits) -> Image.Image:
    with _pdf(path) as document, _faults():
        page = document[frame]
        width, height = (round(points / 72 * PDF_DPI) for points in page.get_size())
        _check_pixels(width, height, limits)
        if width < 1 or height < 1:
            raise BadFile(FileProblem.DAMAGED)
        image: Image.Image = page.render(scale=PDF_DPI / 72).to_pil()
        return image


@contextmanager
def _pdf(path: Path) -> Iterator[pypdfium2.PdfDocument]:
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        raise BadFile(
            FileProblem.ENCRYPTED if "password" in str(error).lower() else FileProblem.DAMAGED
        ) from None
    try:
        yield document
    finally:
        document.close()


@contextmanager
def _faults() -> Iterator[None]:
    """Turns whatever a decoder raises on bad bytes into BadFile."""
    try:
        yield
    except BadFile:
        raise
    except Image.DecompressionBombError as error:
        pixels = re.search(r"\d+", str(error))
        raise BadFile(FileProblem.TOO_MANY_PIXELS, pixels=int(pixels[0]) if pixels else 0) from None
    except UnidentifiedImageError:
        raise BadFile(FileProblem.DAMAGED) from None
    except _PLUGIN_FAULTS:
        raise BadFile(FileProblem.DAMAGED) from None
