"""The demo's pages, drawn for real and read back by a recogniser."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageOps
from rapidfuzz.distance import Levenshtein

from annotation.demo.drawing import fonts, pages
from annotation.demo.drawing.handwriting import lay_out, write
from annotation.demo.drawing.line_markup import read_line
from annotation.demo.drawing.page_scripts import PageScript, load_hands, load_pages
from annotation.demo.drawing.pages import DemoPage, draw_page, draw_pages, regions_of
from evaluation.model_clients.recognisers.registry import find_embedded
from tests.drawn_pages import drawn_page

pytestmark = pytest.mark.skipif(not fonts.PACKAGES.is_dir(), reason="needs node_modules")


# One of each kind of page, way of turning and format of file; the long form draws all.
FEW = {
    "class-notes-photosynthesis",
    "formulas-homework",
    "letter-allotment",
    "market-note",
    "reading-notes",
    "shop-ledger",
    "table-duty-roster",
    "table-rain-gauge",
}


def draw_files(scripts: list[PageScript], folder: Path) -> list[DemoPage]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "load_pages", lambda: scripts)
        patch.setattr(pages, "draw_page", drawn_page)
        return list(draw_pages(folder, seed=20))


@pytest.fixture(
    scope="module",
    params=[pytest.param(False, id="few"), pytest.param(True, id="all", marks=pytest.mark.long)],
)
def scripts(request: pytest.FixtureRequest) -> list[PageScript]:
    return [page for page in load_pages() if request.param or page.name in FEW]


@pytest.fixture(scope="module")
def drawn(scripts: list[PageScript], tmp_path_factory: pytest.TempPathFactory) -> list[DemoPage]:
    return draw_files(scripts, tmp_path_factory.mktemp("demo"))


def script(name: str) -> PageScript:
    return next(page for page in load_pages() if page.name == name)


def upright(path: Path) -> Image.Image:
    with Image.open(path) as image:
        return ImageOps.exif_transpose(image).convert("RGB")


def test_demo_when_drawn_then_each_page_has_file_text_and_facts(
    scripts: list[PageScript], drawn: list[DemoPage]
) -> None:
    assert [(page.path.stem, page.text, page.language, page.scenario, page.writer) for page in drawn] == [
        (
            page.name,
            regions_of(page) if page.formulas else page.truth,
            page.language,
            page.scenario,
            page.hand,
        )
        for page in scripts
    ]
    assert {page.path.suffix for page in drawn} == {".jpg", ".png", ".webp", ".tif"}
    for page in drawn:
        width, height = upright(page.path).size
        assert 1200 <= width <= 2300 and 700 <= height <= 3000, page.path.name


def test_demo_when_a_page_comes_turned_then_its_tag_sets_it_upright(
    scripts: list[PageScript], drawn: list[DemoPage]
) -> None:
    tags = {}
    for page in drawn:
        with Image.open(page.path) as image:
            tags[page.path.stem] = image.getexif().get(0x0112, 1)
    turned = {page.name: page.turned for page in scripts if page.turned != 1}
    assert {name: tag for name, tag in tags.items() if tag != 1} == turned
    assert set(turned.values()) == {6, 8}


# One page per way to go wrong: a turned one, each language, a scan, a photo, columns, fonts mixed by glyph.
@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("class-notes-photosynthesis", 0.15),
        ("letter-allotment", 0.08),
        pytest.param("letter-sister", 0.12, marks=pytest.mark.long),
        pytest.param("meeting-notes", 0.2, marks=pytest.mark.long),
        pytest.param("poem-su-shi", 0.1, marks=pytest.mark.long),
        pytest.param("poem-wang-wei", 0.1, marks=pytest.mark.long),
        ("reading-notes", 0.2),
    ],
)
def test_truth_when_the_page_is_read_back_then_is_what_the_page_shows(
    tmp_path: Path, name: str, most: float
) -> None:
    (page,) = draw_files([script(name)], tmp_path)
    file = io.BytesIO()
    upright(page.path).save(file, "PNG", compress_level=1)
    reading = find_embedded("ppocr-v6").recogniser.recognise(file.getvalue())

    def bare(text: str) -> str:
        return "".join(text.replace("~~", "").split()).lower()

    assert Levenshtein.distance(bare(reading.text), bare(page.text)) / len(bare(page.text)) <= most


def test_page_when_drawn_again_then_the_same_and_another_with_another_seed() -> None:
    page = script("market-note")
    first, again, other = draw_page(page, seed=1), draw_page(page, seed=1), draw_page(page, seed=2)
    assert first.tobytes() == again.tobytes()
    assert first.tobytes() != other.tobytes()


def test_writing_when_laid_out_then_all_of_it_is_on_the_sheet() -> None:
    for page in load_pages():
        hand = load_hands()[page.hand]
        layout = lay_out(page, hand, 1200, 1600)
        if page.table is None and not page.formulas:
            assert len(layout.rows) == len(page.truth.split("\n"))
        for row in layout.rows:
            for item in row:
                assert item.x >= 60 and item.x + item.advance <= 1160, (page.name, item)
                assert item.size <= item.y <= layout.bottom + 30 < 1600, (page.name, item)


def test_writing_when_there_is_more_than_paper_then_refused_by_name() -> None:
    page = script("letter-allotment")
    with pytest.raises(ValueError, match="letter-allotment"):
        lay_out(page, load_hands()["eleanor"], 300, 120)


def test_words_when_crossed_out_then_there_is_a_stroke_through_them() -> None:
    hand = load_hands()["tom"]

    def binarise(text: str) -> float:
        page = PageScript(
            name="x", language="en", scenario="x", hand="tom", paper="plain", camera="scan", format="png",
            lines=(read_line(text),),
        )  # fmt: skip
        layout = lay_out(page, hand, 1200, 1600)
        return float(write(layout, hand, 1200, 400, np.random.default_rng(3)).sum())

    assert binarise("~~butter~~") > 1.25 * binarise("butter")
