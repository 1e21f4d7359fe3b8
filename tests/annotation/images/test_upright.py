from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageCms

from annotation.images.decode import inspect_file, load_page
from annotation.images.page import hash_pixels
from annotation.images.upright import make_upright
from tests.annotation.images.images import LIMITS, draw_page, encode, encode_turned, write


def upright_of(path: Path) -> tuple[Image.Image, list[dict[str, object]]]:
    inspected = inspect_file(path, limits=LIMITS)
    raw, _ = load_page(path, inspected.frames[0], file_format=inspected.format, limits=LIMITS)
    return make_upright(raw)


@pytest.mark.parametrize("mode", ["RGB", "L"])
@pytest.mark.parametrize("kind", ["PNG", "TIFF", "WEBP"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_make_upright_when_exif_says_turned_then_pixels_equal_the_upright_image(
    tmp_path: Path, kind: str, orientation: int, mode: str
) -> None:
    page = draw_page(size=(300, 200)).convert(mode)
    options = {"lossless": True} if kind == "WEBP" else {}
    path = write(tmp_path, "a.bin", encode_turned(page, orientation, kind, **options))
    image, steps = upright_of(path)
    assert image.size == (300, 200)
    assert hash_pixels(image) == hash_pixels(page)
    # libtiff's reader turns a TIFF itself
    assert kind == "TIFF" or [s["step"] for s in steps] == ([] if orientation == 1 else ["orientation"])


def test_make_upright_when_metadata_is_there_then_none_is_left(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x010F] = "SecretCam"
    path = write(tmp_path, "a.jpg", encode(draw_page(), "JPEG", exif=exif, comment=b"secret"))
    image, _ = upright_of(path)
    assert image.info == {}
    data = encode(image, "PNG")
    assert b"Secret" not in data and b"eXIf" not in data and b"secret" not in data


def test_make_upright_when_alpha_then_white_shows_through(tmp_path: Path) -> None:
    clear = Image.new("RGBA", (40, 30), (0, 0, 0, 0))
    clear.putpixel((5, 5), (255, 0, 0, 255))
    clear.putpixel((6, 5), (0, 0, 0, 128))
    image, steps = upright_of(write(tmp_path, "a.png", encode(clear, "PNG")))
    assert image.getpixel((0, 0)) == (255, 255, 255)
    assert image.getpixel((5, 5)) == (255, 0, 0)
    assert image.getpixel((6, 5)) == (127, 127, 127)
    assert steps[-1]["step"] == "white behind transparent parts"


@pytest.mark.parametrize("mode", ["LA", "P", "1", "L"])
def test_make_upright_when_grey_in_any_mode_then_one_channel(tmp_path: Path, mode: str) -> None:
    grey = Image.linear_gradient("L").convert("1" if mode == "1" else "L")
    path = write(tmp_path, "a.png", encode(grey.convert(mode), "PNG"))
    image, _ = upright_of(path)
    assert image.mode == "L"
    assert hash_pixels(image) == hash_pixels(grey.convert("L"))


def test_make_upright_when_palette_is_transparent_then_white_shows_through(tmp_path: Path) -> None:
    page = Image.new("P", (20, 20), 0)
    page.putpalette([0, 0, 0, 200, 30, 30])
    page.putpixel((3, 3), 1)
    path = write(tmp_path, "a.png", encode(page, "PNG", transparency=0))
    image, _ = upright_of(path)
    assert image.getpixel((0, 0)) == (255, 255, 255)
    assert image.getpixel((3, 3)) == (200, 30, 30)


def test_make_upright_when_16_bits_then_full_range_is_scaled(tmp_path: Path) -> None:
    values = np.array([[0, 257, 32768, 65535]], dtype=np.uint16)
    path = write(tmp_path, "a.png", encode(Image.fromarray(values), "PNG"))
    image, steps = upright_of(path)
    assert np.asarray(image).tolist() == [[0, 1, 128, 255]]
    assert steps == [{"step": "8 bits", "from": "I;16"}]


def test_make_upright_when_cmyk_without_profile_then_rgb(tmp_path: Path) -> None:
    cmyk = Image.new("CMYK", (16, 16), (0, 255, 255, 0))
    image, _ = upright_of(write(tmp_path, "a.tif", encode(cmyk, "TIFF")))
    assert image.mode == "RGB"
    assert image.getpixel((1, 1)) == (255, 0, 0)


def test_make_upright_when_profile_is_not_srgb_then_colours_are_converted(tmp_path: Path) -> None:
    lab = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    colour = Image.new("LAB", (8, 8), (128, 128, 128))
    image, steps = upright_of(write(tmp_path, "a.tif", encode(colour, "TIFF", icc_profile=lab)))
    grey = image.getpixel((0, 0))
    level = grey if isinstance(grey, int) else grey[0]
    assert level == pytest.approx(119, abs=2)  # L* = 50.2 in sRGB
    assert {"step": "colour profile to sRGB"} in steps


def test_make_upright_when_profile_is_garbage_then_image_is_kept(tmp_path: Path) -> None:
    path = write(tmp_path, "a.png", encode(draw_page(), "PNG", icc_profile=b"not a profile" * 20))
    image, steps = upright_of(path)
    assert hash_pixels(image) == hash_pixels(draw_page())
    assert steps == []
