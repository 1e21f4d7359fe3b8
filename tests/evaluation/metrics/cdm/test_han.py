"""Chinese characters: drawn where the reference's font has them, with that font's boxes."""

from __future__ import annotations

import pytest

from evaluation.metrics.cdm import cdm
from evaluation.metrics.cdm.tex.cjk import cjk_box, is_drawable


def test_han_when_in_the_font_then_has_its_own_box() -> None:
    box = cjk_box(ord("中"), 1, 0)
    assert box.width == 12.0
    assert box.ink == pytest.approx((2.136, -0.288, 9.84, 9.888))


@pytest.mark.parametrize(
    ("char", "drawable"), [("中", True), ("設", False), ("（", True), ("a", False), ("α", True)]
)
def test_han_when_traditional_then_not_drawn(char: str, drawable: bool) -> None:
    assert is_drawable(char) == drawable


def test_cdm_when_a_character_leaves_no_ink_then_it_is_not_counted() -> None:
    assert cdm("設x=1", "x=1", preset="unimernet").value == 1.0
