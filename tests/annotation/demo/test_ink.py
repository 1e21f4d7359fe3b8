"""Finding the end of the last line of a page."""

from __future__ import annotations

import pytest
from PIL import Image, ImageDraw

from annotation.demo.drawing.ink import end_of_last_line


def test_last_line_when_found_then_its_last_quarter_is_framed_whatever_the_shade_of_the_paper() -> None:
    page = Image.linear_gradient("L").resize((1000, 800)).point(lambda grey: 110 + grey // 2)
    pen = ImageDraw.Draw(page)
    pen.rectangle((100, 200, 900, 250), fill=10)
    pen.rectangle((100, 600, 500, 650), fill=10)
    left, top, right, bottom = end_of_last_line(page)
    assert 380 <= left <= 420
    assert 580 <= top <= 600
    assert 500 <= right <= 520
    assert 650 <= bottom <= 670


def test_last_line_when_the_page_is_blank_then_refused() -> None:
    with pytest.raises(ValueError, match="no ink"):
        end_of_last_line(Image.new("L", (600, 600), 200))
