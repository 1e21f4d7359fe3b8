"""The demo's pages of formulas: what the small LaTeX draws, and outlines that hold the ink."""

from __future__ import annotations

import numpy as np
import pytest

from annotation.demo.drawing.formulas import lay_out_formula
from annotation.demo.drawing.page_scripts import PageScript, load_pages
from annotation.demo.drawing.pages import regions_of
from evaluation.payloads.formula import read_regions, validate_formula
from tests.drawn_pages import drawn_page

PAGES = [page for page in load_pages() if page.structure == "formula"]


def half(character: str, size: float) -> float:
    return size / 2


def test_fraction_when_laid_out_then_its_bar_lies_between_above_and_below() -> None:
    block = lay_out_formula(r"\frac{a}{b}", 100, half)
    a, b = block.letters
    (bar,) = block.strokes
    middle = bar[0][1]
    assert a.y < middle < b.y
    assert block.ascent > 100
    assert block.descent > 20


def test_scripts_when_both_follow_then_they_stand_above_each_other() -> None:
    block = lay_out_formula(r"\int_0^1", 100, half)
    low, high = block.letters
    assert low.x == high.x
    assert high.y < 0 < low.y


@pytest.mark.parametrize("latex", [r"\unknown", r"\frac{a", "a}", "x^"])
def test_latex_when_the_pen_cannot_write_it_then_it_is_refused(latex: str) -> None:
    with pytest.raises(ValueError):
        lay_out_formula(latex, 100, half)


def test_demo_when_loaded_then_has_formulas_in_english_chinese_and_mixed_pages() -> None:
    assert {page.language for page in PAGES} == {"en", "zh-Hans", "zh-en-mix"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_outlines_when_the_page_is_drawn_then_each_holds_the_ink_of_its_formula(page: PageScript) -> None:
    image = drawn_page(page)
    text = regions_of(page)
    validate_formula(text, *image.size)
    regions = read_regions(text)
    assert [region.latex for region in regions] == [item for item in page.formulas if isinstance(item, str)]
    dark = np.asarray(image.convert("L")) < 150
    for region in regions:
        (left, top), (right, bottom) = region.polygon[0], region.polygon[2]
        assert dark[top:bottom, left:right].sum() > 500
        edge = np.concatenate(
            [dark[[top, bottom - 1], left:right].ravel(), dark[top:bottom, [left, right - 1]].ravel()]
        )
        assert edge.mean() < 0.02
