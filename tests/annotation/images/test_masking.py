"""Masks in the released image: covered inside, untouched outside, the same bytes each time."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from annotation.images.masking import GREY, burn_masks
from annotation.images.released import encode_lossless, make_released
from evaluation.record_parts import RecordMask

NOISE = np.random.default_rng(7).integers(0, 256, (120, 200, 3), dtype=np.uint8)
BOX = RecordMask("box", ((50, 20), (10, 10)))
POLYGON = RecordMask("polygon", ((100, 20), (160, 20), (130, 80)))
BRUSH = RecordMask("brush", ((20, 100), (60, 100)), 8)


def image(mode):
    image = Image.fromarray(NOISE).convert("L") if mode == "L" else Image.fromarray(NOISE)
    return encode_lossless(image) if mode != "P" else _png(image.quantize(64))


def _png(image):
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def pixels(data):
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)


@pytest.mark.parametrize("mode", ["L", "RGB", "P"])
def test_burn_then_inside_is_one_colour_outside_is_what_it_was_and_the_bytes_are_the_same_again(mode):
    png = image(mode)
    burned = burn_masks(png, [BOX, POLYGON, BRUSH], cap_bytes=None)
    before, after = pixels(png), pixels(burned.data)
    for inside in (after[10:20, 10:50], after[25:60, 125:135], after[97:103, 20:60]):
        assert len(np.unique(inside.reshape(-1, 3), axis=0)) == 1
        assert np.abs(inside[0, 0] - GREY).max() < (1 if mode != "P" else 60)
    changed = (before != after).any(axis=2)
    changed[10:20, 10:50] = changed[20:82, 99:162] = changed[95:106, 15:66] = False
    assert not changed.any()
    assert burn_masks(png, [BOX, POLYGON, BRUSH], cap_bytes=None).data == burned.data
    assert pixels(png).tolist() == before.tolist()


def test_burn_box_of_half_pixels_then_every_touched_pixel_is_covered_and_a_thin_one_is_not_lost():
    after = pixels(
        burn_masks(image("RGB"), [RecordMask("box", ((3.5, 4.25), (6.1, 5)))], cap_bytes=None).data
    )
    assert (after[4:5, 3:7] == GREY).all()
    thin = pixels(burn_masks(image("RGB"), [RecordMask("box", ((3, 4), (3, 90)))], cap_bytes=None).data)
    assert (thin[4:90, 3] == GREY).all()


def test_burn_when_over_the_cap_then_it_goes_down_the_ladder():
    image = Image.fromarray(NOISE)
    full = encode_lossless(image)
    small = make_released(image, full, cap_bytes=20_000, max_side=4000)
    burned = burn_masks(full, [BOX], cap_bytes=len(small.data))
    assert len(burned.data) <= len(small.data) and burned.steps
