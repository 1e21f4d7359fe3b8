"""The embedded models put to drawn formulas, run for real."""

from __future__ import annotations

import dataclasses
import io

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from annotation.demo.drawing import fonts
from annotation.demo.drawing.page_scripts import load_pages
from evaluation.model_clients.failures import FailureKind
from evaluation.model_clients.recognisers.base import RecogniserFailed
from evaluation.model_clients.recognisers.formulas import LinearFormulaRecogniser
from evaluation.model_clients.recognisers.prose_filter import is_prose
from evaluation.model_clients.recognisers.registry import find_embedded
from evaluation.model_clients.recognisers.select_recogniser import PMSH_OCR, recogniser_for
from tests.drawn_pages import drawn_page

RECOGNISER = find_embedded("ppocr-v5").recogniser
needs_fonts = pytest.mark.skipif(not fonts.PACKAGES.is_dir(), reason="needs node_modules")


def png(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def sums(*formulas: str) -> bytes:
    page = next(page for page in load_pages() if page.name == "formulas-homework")
    return png(drawn_page(dataclasses.replace(page, hand="amir", formulas=formulas)))


def test_formulas_when_read_then_one_display_for_each_line_with_its_box() -> None:
    image = Image.new("RGB", (700, 300), "white")
    pen = ImageDraw.Draw(image)
    pen.text((60, 40), "12 + 30 = 42", "black", ImageFont.load_default(48))
    pen.text((60, 160), "7 - 5 = 2", "black", ImageFont.load_default(48))
    reading = LinearFormulaRecogniser(RECOGNISER).recognise(png(image))
    assert len(reading.lines) == 2 and all(line.box for line in reading.lines)
    assert reading.text.replace(" ", "") == "$$\n12+30=42\n$$\n\n$$\n7-5=2\n$$"


@needs_fonts
def test_formulas_when_they_are_sums_then_stacked_fractions_keep_their_bar_and_plain_numbers_are_as_before() -> (
    None
):
    image = sums(r"\frac{5}{8}", "9<53", r"\frac{1}{30}=0.36", "59<4")
    reader = recogniser_for(find_embedded("ppocr-v6"), "formula")
    reading = reader.recognise(image)
    assert [line.text.replace(" ", "") for line in reading.lines] == [
        r"\frac{5}{8}",
        "9<53",
        r"\frac{1}{30}=0.36",
        "59<4",
    ]
    assert all(line.box and line.confidence for line in reading.lines)
    assert reading.parameters["fractions_version"] == "pmsh-ocr 0.0.1"
    flat = LinearFormulaRecogniser(find_embedded("ppocr-v6").recogniser).recognise(image)
    assert not any("frac" in line.text for line in flat.lines)


@needs_fonts
def test_formulas_when_they_hold_letters_then_the_number_model_has_no_say() -> None:
    image = sums(r"x=\frac{b+1}{2a}", r"S=\pi r^2")
    entry = find_embedded("ppocr-v6")
    assert (
        recogniser_for(entry, "formula").recognise(image).text
        == LinearFormulaRecogniser(entry.recogniser).recognise(image).text
    )


def test_numbers_when_there_is_no_ink_then_nothing() -> None:
    with PMSH_OCR.engine() as engine:
        assert engine.recognise(np.full((40, 90, 3), 255, np.uint8)) == ("", 0.0)


def test_numbers_when_written_on_grey_paper_then_read_as_on_white() -> None:
    image = Image.new("RGB", (500, 160), (205, 200, 190))
    ImageDraw.Draw(image).text((40, 30), "74-32=42", (40, 40, 70), ImageFont.load_default(80))
    with PMSH_OCR.engine() as engine:
        latex, confidence = engine.recognise(np.asarray(image)[:, :, ::-1])
    assert latex == "74-32=42" and confidence > 0.8


PROSE = [
    "1) Solve for x:",
    "2) The sum of the first n squares",
    "Homework 7, due Friday",
    "a well-known result",
    "求和/summation",
    "课堂笔记：几个公式",
    "(a)求y的最大值",
    "三、同角的正弦与余弦",
    "Überprüfe die Lösung",
    "Решите уравнение",
]
MATHS = [
    "x = -b±√b{-4ac",
    "2a",
    "6",
    "12.5",
    "t=",
    "=a-b",
    "a+b",
    "S=πr²",
    "∑k=k²=n(n+1)(2n+1)",
    "∫₀xe×dx=1",
    "cas²x+sin²x=1",
    "sin 2x",
    "log n",
    "lim sup",
    "speed = way / time",
    "路程=速度×时间",
    "3/4",
    "n - 1",
    "(a, b)",
    "dx",
    "12 cm",
    "½",
]


@pytest.mark.parametrize("line", PROSE)
def test_line_when_it_is_words_then_it_is_prose(line: str) -> None:
    assert is_prose(line)


@pytest.mark.parametrize("line", MATHS)
def test_line_when_it_calculates_or_has_no_words_then_it_is_none(line: str) -> None:
    assert not is_prose(line)


def drawn(*lines: str) -> bytes:
    image = Image.new("RGB", (900, 60 + 120 * len(lines)), "white")
    pen = ImageDraw.Draw(image)
    for index, line in enumerate(lines):
        pen.text((60, 40 + 120 * index), line, "black", ImageFont.load_default(48))
    return png(image)


@pytest.mark.parametrize("key", ["ppocr-v5", "ppocr-v6"])
def test_formulas_when_words_stand_between_them_then_they_are_left_out_and_counted(key: str) -> None:
    image = drawn("Homework, due Friday", "12 + 30 = 42", "and the second one", "7 - 5 = 2")
    reading = recogniser_for(find_embedded(key), "formula").recognise(image)
    assert [line.text.replace(" ", "") for line in reading.lines] == ["12+30=42", "7-5=2"]
    assert reading.left_out == 2
    assert "Friday" in reading.raw and "Friday" not in reading.text


def test_formulas_when_the_page_is_all_words_then_it_is_a_failure_that_says_how_many_lines() -> None:
    with pytest.raises(RecogniserFailed) as caught:
        LinearFormulaRecogniser(RECOGNISER).recognise(
            drawn("Homework, due Friday", "Solve the problem below")
        )
    assert caught.value.kind is FailureKind.EMPTY
    assert str(caught.value).endswith("no formula (lines omitted: 2)")
    assert "Friday" in caught.value.raw
