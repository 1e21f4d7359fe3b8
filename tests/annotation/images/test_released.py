from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from annotation.images.released import encode_lossless, make_released
from tests.annotation.images.images import draw_page


def noisy_page(size: tuple[int, int] = (700, 900)) -> Image.Image:
    """A page with camera noise, which no lossless coder packs well."""
    page = np.asarray(draw_page(size=size)).astype(np.int16)
    noise = np.random.default_rng(3).normal(0, 6, page.shape)
    return Image.fromarray(np.clip(page + noise, 0, 255).astype(np.uint8))


def steps_of(image: Image.Image, cap: int | None, side: int = 4000) -> tuple[list[object], bytes]:
    full = encode_lossless(image)
    released = make_released(image, full, cap_bytes=cap, max_side=side)
    assert Image.open(io.BytesIO(released.data)).size == (released.width, released.height)
    return [step["step"] for step in released.steps], released.data


def test_make_released_when_lossless_fits_then_it_is_the_lossless_file() -> None:
    image = noisy_page()
    steps, data = steps_of(image, None)
    assert steps == ["png"]
    assert data == encode_lossless(image)


def test_make_released_when_too_big_then_palette_comes_before_scaling() -> None:
    image = noisy_page()
    cap = len(encode_lossless(image)) * 6 // 10
    steps, data = steps_of(image, cap)
    assert steps == ["palette", "png"]
    assert len(data) <= cap
    assert Image.open(io.BytesIO(data)).size == image.size


@pytest.mark.parametrize("cap", [60_000, 20_000, 3_000])
def test_make_released_when_palette_is_not_enough_then_it_shrinks_in_proportion(cap: int) -> None:
    image = noisy_page()
    steps, data = steps_of(image, cap)
    assert "downscale" in steps and steps[-2:] == ["palette", "png"]
    assert len(data) <= cap
    width, height = Image.open(io.BytesIO(data)).size
    assert width / height == pytest.approx(700 / 900, rel=0.03)
    assert len(data) > cap // 4  # not smaller than it had to be


def test_make_released_when_a_side_is_too_long_then_that_cap_holds_too() -> None:
    image = noisy_page((400, 1200))
    steps, data = steps_of(image, None, side=600)
    assert steps == ["downscale", "png"]
    assert Image.open(io.BytesIO(data)).size == (200, 600)


def test_make_released_when_asked_twice_then_bytes_are_equal() -> None:
    image = noisy_page()
    assert steps_of(image, 90_000)[1] == steps_of(image.copy(), 90_000)[1]
