from __future__ import annotations

from pathlib import Path

import pytest

from annotation.demo.drawing import fonts
from annotation.demo.drawing.fonts import (
    FILES,
    UNTRUE,
    FontsMissing,
    NoGlyph,
    check_fonts,
    choose_font,
    has_glyph,
)
from annotation.demo.drawing.page_scripts import load_hands, load_pages

needs_fonts = pytest.mark.skipif(not fonts.PACKAGES.is_dir(), reason="needs node_modules")


@needs_fonts
def test_fonts_when_installed_then_every_file_is_there() -> None:
    check_fonts(list(FILES))


@needs_fonts
def test_every_character_when_a_page_is_written_then_has_a_true_glyph_in_its_hand() -> None:
    hands = load_hands()
    for page in load_pages():
        for line in page.lines:
            for mark in line.marks:
                if not mark.character.isspace():
                    choose_font(hands[page.hand].fonts, mark.character)


@needs_fonts
@pytest.mark.parametrize(
    ("font", "character", "has"),
    [
        ("caveat", "a", True),
        ("caveat", "龙", False),
        ("long-cang", "龙", True),
        ("long-cang", "時", False),
        ("iansui", "龍", True),
        ("iansui", "：", False),
        ("kalam", "π", False),
        ("kalam", "×", True),
        ("kalam", " ", False),
    ],
)
def test_glyph_when_asked_for_then_the_mark_for_missing_does_not_count(
    font: str, character: str, has: bool
) -> None:
    assert has_glyph(font, character) is has


@needs_fonts
def test_glyph_when_it_shows_another_character_then_the_next_font_is_taken() -> None:
    for font, characters in UNTRUE.items():
        other = "long-cang" if font == "zhi-mang-xing" else "zhi-mang-xing"
        for character in characters:
            assert choose_font([font, other], character) == other


@needs_fonts
def test_font_when_none_has_the_character_then_names_it() -> None:
    with pytest.raises(NoGlyph, match=r"caveat, kalam.*U\+1F600"):
        choose_font(["caveat", "kalam"], "\U0001f600")


def test_fonts_when_not_installed_then_names_them_and_the_mend(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(fonts, "PACKAGES", tmp_path)
    with pytest.raises(FontsMissing, match=r"caveat.*npm ci"):
        check_fonts(["caveat"])
