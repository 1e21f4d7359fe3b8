"""Quality of the offline drafts of tables and formulas on the demo's drawn pages: `python -m benchmarks.drafts`.

Tables: TEDS and TEDS-S against the demo's tables, with and without ruled lines. Formulas: how many of 48 sums in six
hands are exactly right. Words: how many of the demo's lines of words are offered as formulas, on its formula pages and
its text pages, and how many other lines are lost with them. Drawn pages are easier than paper.
"""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from dataclasses import replace

from rapidfuzz.distance.Levenshtein import normalized_similarity

from annotation.demo.drawing import handwriting
from annotation.demo.drawing.page_scripts import PageScript, load_hands, load_pages
from annotation.demo.drawing.pages import draw_page
from evaluation.metrics import teds
from evaluation.model_clients.recognisers.base import Recogniser, RecogniserFailed
from evaluation.model_clients.recognisers.formulas import LinearFormulaRecogniser
from evaluation.model_clients.recognisers.prose_filter import is_prose
from evaluation.model_clients.recognisers.registry import find_embedded
from evaluation.model_clients.recognisers.select_recogniser import SLANET_PLUS, recogniser_for
from evaluation.model_clients.recognisers.tables import ModelGridDetector, RuledGridDetector, TableRecogniser

SEED = 4
HANDS = 6
SUMS_A_PAGE = 8
ALIKE = 0.5  # smallest similarity at which a read line counts as a written line


def png(page: PageScript) -> bytes:
    file = io.BytesIO()
    draw_page(page).save(file, "PNG")
    return file.getvalue()


def table_figures(page: PageScript, image: bytes) -> Iterator[str]:
    text = find_embedded("ppocr-v6").recogniser
    for name, finder in (
        ("ruled lines", RuledGridDetector()),
        ("SLANet-plus", ModelGridDetector(SLANET_PLUS)),
    ):
        try:
            markup = TableRecogniser(text, finder).recognise(image).text
        except RecogniserFailed as failure:
            yield f"{page.name:18} {name:12} {failure.reason}"
        else:
            yield (
                f"{page.name:18} {name:12} TEDS {teds(markup, page.truth).value:.3f}"
                f"  TEDS-S {teds(markup, page.truth, structure_only=True).value:.3f}"
            )


def drawn_sum(rng: random.Random) -> str:
    a, b, c = (rng.randint(1, 99) for _ in range(3))
    return rng.choice(
        [
            f"{a}.{b}",
            f"{a}-{b}={a - b}",
            rf"\frac{{{a % 9 + 1}}}{{{b % 9 + 1}}}",
            rf"\frac{{{a}}}{{{b}}}<{c}",
            rf"\frac{{1}}{{{a}}}=0.{b}",
            f"{a}<{b}",
            f"{a}{c}>{b}",
        ]
    )


def right_sums(reader: Recogniser, pages: list[PageScript]) -> str:
    right = {True: 0, False: 0}
    total = {True: 0, False: 0}
    for page in pages:
        lines = [line.text.replace(" ", "") for line in reader.recognise(png(page)).lines]
        for latex in map(str, page.formulas):
            total["frac" in latex] += 1
            right["frac" in latex] += latex in lines
    return f"fractions {right[True]}/{total[True]}  plain {right[False]}/{total[False]}"


def words_offered(recogniser: Recogniser, pages: list[PageScript]) -> Iterator[str]:
    """A read line counts as words if it is similar to a written line of words of its page."""
    for structure in ("formula", "text"):
        words, offered, maths, lost = 0, 0, 0, 0
        for page in (page for page in pages if page.structure == structure):
            written = [*page.lines, *(item for item in page.formulas if not isinstance(item, str))]
            truths = [line.truth for line in written if line.marks and "$" not in line.truth]
            for line in recogniser.recognise(png(page)).lines:
                if max((normalized_similarity(line.text, truth) for truth in truths), default=0.0) > ALIKE:
                    words, offered = words + 1, offered + (not is_prose(line.text))
                else:
                    maths, lost = maths + 1, lost + is_prose(line.text)
        yield f"pages of {structure:8} words offered {offered}/{words}  other lines left out {lost}/{maths}"


def main() -> None:
    tables = [page for page in load_pages() if page.structure == "table"]
    ruled = [png(page) for page in tables]
    for page, image in zip(tables, ruled, strict=True):
        print("ruled  ", *table_figures(page, image), sep="\n  ")
    draw_lines, handwriting.ruled_lines = handwriting.ruled_lines, lambda *_: iter(())
    bare = [png(page) for page in tables]
    handwriting.ruled_lines = draw_lines
    for page, image in zip(tables, bare, strict=True):
        print("no lines", *table_figures(page, image), sep="\n  ")
    rng = random.Random(SEED)
    base = next(page for page in load_pages() if page.structure == "formula")
    pages = [
        replace(base, hand=hand, formulas=tuple(drawn_sum(rng) for _ in range(SUMS_A_PAGE)))
        for hand in list(load_hands())[:HANDS]
    ]
    six = find_embedded("ppocr-v6")
    print("with pmsh-ocr   ", right_sums(recogniser_for(six, "formula"), pages))
    print("one line of text", right_sums(LinearFormulaRecogniser(six.recogniser), pages))
    print(*words_offered(six.recogniser, list(load_pages())), sep="\n")


if __name__ == "__main__":
    main()
