from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from PIL import Image

from annotation.images.fingerprint import read_shape, similarity, take_fingerprint
from tests.annotation.images.images import draw_page, encode


def print_of(image: Image.Image) -> bytes:
    return take_fingerprint(image).to_bytes()


def saved_badly(page: Image.Image) -> Image.Image:
    return Image.open(io.BytesIO(encode(page, "JPEG", quality=35)))


def turned(page: Image.Image, degrees: float) -> Image.Image:
    return page.rotate(degrees, Image.Resampling.BICUBIC, fillcolor=(250, 246, 235))


def cropped(page: Image.Image, share: float = 0.05) -> Image.Image:
    dx, dy = int(page.width * share), int(page.height * share)
    return page.crop((dx, dy, page.width - dx, page.height - dy))


CHANGES: dict[str, Callable[[Image.Image], Image.Image]] = {
    "saved badly": saved_badly,
    "half the size": lambda page: page.resize((page.width // 2, page.height // 2)),
    "twice the size": lambda page: page.resize((page.width * 2, page.height * 2)),
    "cropped by 5 %": cropped,
    "cut on one side": lambda page: page.crop((0, 0, int(page.width * 0.93), page.height)),
    "turned by 2 degrees": lambda page: turned(page, 2),
    "turned by -3 degrees": lambda page: turned(page, -3),
    "turned, cropped, saved badly": lambda page: saved_badly(cropped(turned(page, 2), 0.04)),
    "darker": lambda page: page.point([int(v * 0.7) for v in range(256)] * 3),
    "grey": lambda page: page.convert("L"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_similarity_when_one_page_was_changed_slightly_then_high(change: str) -> None:
    page = draw_page(5)
    assert similarity(print_of(page), print_of(CHANGES[change](page))) > 0.4


@pytest.mark.parametrize("other", range(6, 16))
def test_similarity_when_other_words_stand_on_the_same_paper_then_none(other: int) -> None:
    assert similarity(print_of(draw_page(5)), print_of(draw_page(other))) == 0


def test_similarity_when_pages_are_blank_then_none() -> None:
    blank = print_of(Image.new("RGB", (400, 500), "white"))
    assert blank == b""
    assert similarity(blank, blank) == 0


@pytest.mark.parametrize("size", [(1, 1), (3, 2000), (40, 40), (2000, 30)])
def test_take_fingerprint_when_image_is_tiny_or_thin_then_no_corners(size: tuple[int, int]) -> None:
    assert len(take_fingerprint(Image.new("L", size, 200)).words) == 0


def test_take_fingerprint_when_stored_then_read_back_unchanged() -> None:
    taken = take_fingerprint(draw_page(5))
    points, bits = read_shape(taken.to_bytes())
    assert (points == taken.points).all() and (bits == taken.bits).all()
    assert len(points) == 128
    assert (taken.probes[:, 0] == taken.words).all()


def test_take_fingerprint_when_saved_badly_then_words_are_shared_for_the_index() -> None:
    page = draw_page(5)
    words = set(take_fingerprint(page).words.tolist())
    asked = set(take_fingerprint(saved_badly(page)).probes.ravel().tolist())
    assert len(words & asked) > 30
