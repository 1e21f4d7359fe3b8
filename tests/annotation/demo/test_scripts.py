from __future__ import annotations

import pytest

from annotation.demo.drawing.line_markup import Align, read_line
from annotation.demo.drawing.page_scripts import load_hands, load_pages
from annotation.models.project import default_languages, default_scenarios


def written(source: str) -> str:
    return "".join(mark.character for mark in read_line(source).marks)


@pytest.mark.parametrize(
    ("source", "truth", "ink", "align"),
    [
        ("Dear Ann,", "Dear Ann,", "Dear Ann,", Align.LEFT),
        ("|r With love,", "With love,", "With love,", Align.RIGHT),
        ("|c 《鹿柴》", "《鹿柴》", "《鹿柴》", Align.CENTRE),
        ("|i 下了雨", "下了雨", "下了雨", Align.INDENT),
        ("a ~~fork~~ spoon", "a ~~fork~~ spoon", "a fork spoon", Align.LEFT),
        (r"so $c = 2 \times 10^{-2}$ m", r"so $c = 2 \times 10^{-2}$ m", "so c = 2 ×10-2 m", Align.LEFT),
        ("", "", "", Align.LEFT),
    ],
)
def test_line_when_read_then_truth_keeps_what_was_written_and_ink_has_no_marks(
    source: str, truth: str, ink: str, align: Align
) -> None:
    line = read_line(source)
    assert (line.truth, written(source), line.align) == (truth, ink, align)


def test_marks_when_crossed_out_then_only_those_are_struck() -> None:
    marks = read_line("a ~~bc~~ d").marks
    assert "".join(mark.character for mark in marks if mark.is_struck) == "bc"


def test_marks_when_in_a_formula_then_raised_and_lowered() -> None:
    levels = {mark.character: mark.level for mark in read_line("$x^2 + y_{10}$").marks}
    assert levels == {"x": 0, "2": 1, " ": 0, "+": 0, "y": 0, "1": -1, "0": -1}


def test_pages_when_read_then_cover_the_project_defaults() -> None:
    pages = load_pages()
    assert 18 <= len(pages) <= 28
    assert {page.language for page in pages} == set(default_languages())
    assert {page.scenario for page in pages} == set(default_scenarios())
    assert len({page.name for page in pages}) == len(pages)
    assert len({page.hand for page in pages}) >= 12
    assert {page.hand for page in pages} == set(load_hands())


def test_truth_when_of_a_page_then_no_layout_marks_and_no_blank_lines() -> None:
    for page in load_pages():
        lines = page.truth.split("\n")
        assert all(line and line == line.strip() for line in lines), page.name
        assert not any(line.startswith(("|c", "|r", "|i")) for line in lines), page.name
        assert page.truth.count("~~") % 2 == 0
