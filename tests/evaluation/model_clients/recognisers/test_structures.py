"""The embedded models put to drawn tables and formulas, run for real."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from annotation.demo import fonts
from annotation.demo.drawing import draw_page
from annotation.demo.scripts import load_pages
from evaluation.model_clients.failures import FailureKind
from evaluation.model_clients.recognisers.base import RecogniserFailed
from evaluation.model_clients.recognisers.registry import find_embedded
from evaluation.model_clients.recognisers.ruled_table import find_ruled_grid
from evaluation.model_clients.recognisers.structures import LinearFormulaReader, RuledTableReader
from evaluation.payloads.table import read_table

READER = find_embedded("ppocr-v5").recogniser


def png(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


@pytest.mark.skipif(not fonts.PACKAGES.is_dir(), reason="needs node_modules")
@pytest.mark.parametrize("name", ["table-rain-gauge", "table-duty-roster"])
def test_table_when_ruled_by_hand_then_its_spans_and_most_of_its_cells(name: str) -> None:
    page = next(page for page in load_pages() if page.name == name)
    reading = RuledTableReader(READER).read(png(draw_page(page)))
    found, truth = read_table(reading.text), read_table(page.truth)
    spans = [[(cell.rowspan, cell.colspan) for cell in row] for row in truth.rows]
    assert [[(cell.rowspan, cell.colspan) for cell in row] for row in found.rows] == spans
    pairs = [
        (a.text.lower(), b.text.lower())
        for row, other in zip(found.rows, truth.rows, strict=True)
        for a, b in zip(row, other, strict=True)
    ]
    assert sum(a == b for a, b in pairs) >= 0.8 * len(pairs)
    assert all(line.box for line in reading.lines)


def test_grid_when_the_page_has_no_lines_then_none_and_the_reader_says_so() -> None:
    image = Image.new("RGB", (600, 300), "white")
    ImageDraw.Draw(image).text((60, 50), "Thank you", "black", ImageFont.load_default(48))
    assert find_ruled_grid(np.asarray(image)) is None
    with pytest.raises(RecogniserFailed, match="ruled lines") as caught:
        RuledTableReader(READER).read(png(image))
    assert caught.value.kind == FailureKind.EMPTY


def test_grid_when_a_frame_stands_empty_then_no_table() -> None:
    image = Image.new("RGB", (600, 400), "white")
    ImageDraw.Draw(image).rectangle((60, 60, 540, 340), outline="black", width=4)
    assert find_ruled_grid(np.asarray(image)) is None


def test_formulas_when_read_then_one_display_for_each_line_with_its_box() -> None:
    image = Image.new("RGB", (700, 300), "white")
    pen = ImageDraw.Draw(image)
    pen.text((60, 40), "12 + 30 = 42", "black", ImageFont.load_default(48))
    pen.text((60, 160), "7 - 5 = 2", "black", ImageFont.load_default(48))
    reading = LinearFormulaReader(READER).read(png(image))
    assert len(reading.lines) == 2 and all(line.box for line in reading.lines)
    assert reading.text.replace(" ", "") == "$$\n12+30=42\n$$\n\n$$\n7-5=2\n$$"
