from __future__ import annotations

import io
import pickle
import struct
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from annotation.images.decode import inspect_file, load_page
from annotation.images.sniff import Format
from evaluation.files.errors import BadFile, FileProblem
from tests.annotation.images.images import LIMITS, draw_page, encode, write

HEIC = Path(__file__).parents[2] / "data" / "page.heic"


def problem_of(path: Path, limits=LIMITS) -> FileProblem:
    """What `inspect_file`, or else loading the first page, refuses a file for."""
    with pytest.raises(BadFile) as caught:
        inspected = inspect_file(path, limits=limits)
        load_page(path, inspected.frames[0], file_format=inspected.format, limits=limits)
    return caught.value.problem


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "TIFF", "BMP", "PDF"])
def test_inspect_file_when_content_is_known_then_name_does_not_matter(tmp_path: Path, kind: str) -> None:
    path = write(tmp_path, "scan.txt", encode(draw_page(), kind))
    inspected = inspect_file(path, limits=LIMITS)
    assert (inspected.format, inspected.frames) == (Format(kind.lower()), (0,))
    image, _ = load_page(path, 0, file_format=inspected.format, limits=LIMITS)
    assert image.convert("RGB").getpixel((5, 5)) == pytest.approx((250, 246, 235), abs=3)


def test_inspect_file_when_heic_then_its_image_is_read() -> None:
    inspected = inspect_file(HEIC, limits=LIMITS)
    image, _ = load_page(HEIC, 0, file_format=inspected.format, limits=LIMITS)
    assert inspected.format is Format.HEIC
    assert image.size == (120, 160)
    assert image.convert("RGB").getpixel((5, 5)) == pytest.approx((250, 246, 235), abs=8)


def test_inspect_file_when_tiff_has_pages_then_each_is_a_page(tmp_path: Path) -> None:
    pages = [draw_page(seed, size=(90 + seed, 80)) for seed in range(3)]
    path = write(tmp_path, "a.tif", encode(pages[0], "TIFF", save_all=True, append_images=pages[1:]))
    inspected = inspect_file(path, limits=LIMITS)
    assert inspected.frames == (0, 1, 2)
    widths = [
        load_page(path, f, file_format=inspected.format, limits=LIMITS)[0].width for f in inspected.frames
    ]
    assert widths == [90, 91, 92]


def test_inspect_file_when_pdf_has_pages_then_each_is_rendered_at_the_stated_density(tmp_path: Path) -> None:
    page = draw_page(size=(720, 360))
    path = write(tmp_path, "a.pdf", encode(page, "PDF", resolution=72, save_all=True, append_images=[page]))
    inspected = inspect_file(path, limits=LIMITS)
    image, steps = load_page(path, 1, file_format=inspected.format, limits=LIMITS)
    assert inspected.frames == (0, 1)
    assert image.size == (2000, 1000)
    assert steps == [{"step": "render", "page": 2, "dpi": 200}]


def test_inspect_file_when_animation_then_only_its_first_frame(tmp_path: Path) -> None:
    frames = [draw_page(seed, size=(64, 64)) for seed in range(3)]
    path = write(tmp_path, "a.webp", encode(frames[0], "WEBP", save_all=True, append_images=frames[1:]))
    assert inspect_file(path, limits=LIMITS).frames == (0,)


def test_inspect_file_when_svg_is_named_png_then_refused(tmp_path: Path) -> None:
    svg = b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    assert problem_of(write(tmp_path, "a.png", svg)) is FileProblem.SVG


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", FileProblem.EMPTY),
        (b"hello", FileProblem.NOT_AN_IMAGE),
        (b"<html><body>not found</body></html>", FileProblem.NOT_AN_IMAGE),
        (b"GIF89a" + b"\0" * 20, FileProblem.UNSUPPORTED),
        (b"\0\0\0\x1cftypavif" + b"\0" * 40, FileProblem.UNSUPPORTED),
        (b"\x89PNG\r\n\x1a\n", FileProblem.DAMAGED),
        (b"\xff\xd8\xff\xe0", FileProblem.DAMAGED),
        (b"II*\x00\x08\x00\x00\x00", FileProblem.DAMAGED),
        (b"BM" + b"\xff" * 60, FileProblem.DAMAGED),
        (b"RIFF\x10\0\0\0WEBPVP8 ", FileProblem.DAMAGED),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", FileProblem.DAMAGED),
        (b"%PDF-1.7\n%%EOF", FileProblem.DAMAGED),
    ],
)
def test_inspect_file_when_content_is_bad_then_the_problem_is_named(
    tmp_path: Path, data: bytes, problem: FileProblem
) -> None:
    assert problem_of(write(tmp_path, "a.png", data)) is problem


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "TIFF", "BMP"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_load_page_when_file_stops_early_then_damaged(tmp_path: Path, kind: str, share: float) -> None:
    whole = encode(draw_page(), kind)
    path = write(tmp_path, "a.png", whole[: int(len(whole) * share)])
    assert problem_of(path) is FileProblem.DAMAGED


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "BMP"])
@pytest.mark.parametrize("hidden", [b"<script>alert(1)</script>", b"%PDF-1.4 ..."])
def test_inspect_file_when_another_file_hides_behind_the_end_then_refused(
    tmp_path: Path, kind: str, hidden: bytes
) -> None:
    path = write(tmp_path, "a.png", encode(draw_page(), kind) + hidden)
    assert problem_of(path) is FileProblem.HIDDEN_FILE


def test_inspect_file_when_jpeg_is_a_zip_too_then_refused(tmp_path: Path) -> None:
    archive = io.BytesIO(encode(draw_page(), "JPEG"))
    with zipfile.ZipFile(archive, "a") as file:
        file.writestr("run.jar", "payload")
    assert problem_of(write(tmp_path, "a.jpg", archive.getvalue())) is FileProblem.HIDDEN_FILE


@pytest.mark.parametrize("tail", [b"\0" * 500, encode(draw_page(2), "JPEG"), b"SEFHe\0\0\0SEFT"])
def test_inspect_file_when_a_camera_appended_its_own_data_then_taken(tmp_path: Path, tail: bytes) -> None:
    path = write(tmp_path, "a.jpg", encode(draw_page(), "JPEG") + tail)
    assert inspect_file(path, limits=LIMITS).format is Format.JPEG


def png_header(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b"")


@pytest.mark.parametrize("size", [(30_000, 30_000), (20_000, 10_001), (2**31 - 1, 2**31 - 1)])
def test_inspect_file_when_header_promises_too_many_pixels_then_refused_undecoded(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    path = write(tmp_path, "a.png", png_header(*size))
    with pytest.raises(BadFile) as caught:
        inspect_file(path, limits=LIMITS)
    assert caught.value.problem is FileProblem.TOO_MANY_PIXELS
    assert caught.value.facts["pixels"] == size[0] * size[1]


def test_inspect_file_when_too_many_pages_then_refused(tmp_path: Path) -> None:
    few = replace(LIMITS, pages=2)
    page = draw_page(size=(60, 60))
    for kind in ("TIFF", "PDF"):
        path = write(tmp_path, f"a.{kind}", encode(page, kind, save_all=True, append_images=[page, page]))
        assert problem_of(path, few) is FileProblem.TOO_MANY_PAGES


def test_inspect_file_when_pdf_page_is_huge_then_refused_unrendered(tmp_path: Path) -> None:
    path = write(tmp_path, "a.pdf", encode(Image.new("L", (2000, 2000)), "PDF", resolution=1))
    assert problem_of(path) is FileProblem.TOO_MANY_PIXELS


def test_inspect_file_when_file_is_too_large_then_refused(tmp_path: Path) -> None:
    assert problem_of(
        write(tmp_path, "a.bmp", encode(draw_page(), "BMP")), replace(LIMITS, file_bytes=999)
    ) is (FileProblem.TOO_LARGE)


def test_bad_file_when_pickled_then_problem_and_facts_stay() -> None:
    back = pickle.loads(pickle.dumps(BadFile(FileProblem.TOO_LARGE, bytes=5, limit=3)))
    assert (back.problem, back.facts) == (FileProblem.TOO_LARGE, {"bytes": 5, "limit": 3})
