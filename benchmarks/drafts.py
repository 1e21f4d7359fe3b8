"""How good the offline drafts of tables and formulas are, on pages the demo's pens draw: `python -m benchmarks.drafts`.

Tables: TEDS and TEDS-S against the truth of the demo's tables, with their ruled lines and with none. Formulas: 48 sums
in six hands, how many come out to the letter. Words: how many of the demo's lines of words are offered as formulas, on
its pages of formulas and on its pages of text, and how many other lines are left out with them. Drawn pages are easier
than paper.
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
from evaluation.model_clients.recognisers.formulas import LinearFormulaReader
from evaluation.model_clients.recognisers.prose_filter import is_prose
from evaluation.model_clients.recognisers.registry import find_embedded
from evaluation.model_clients.recognisers.select_reader import SLANET_PLUS, reader_of
from evaluation.model_clients.recognisers.tables import RuledLines, SeenStructure, TableReader

SEED = 4
HANDS = 6
SUMS_A_PAGE = 8
ALIKE = 0.5  # from which similarity on a line that was read is one that was written


def png(page: PageScript) -> bytes:
    file = io.BytesIO()
    draw_page(page).save(file, "PNG")
    return file.getvalue()


def table_figures(page: PageScript, image: bytes) -> Iterator[str]:
    text = find_embedded("ppocr-v6").recogniser
    for name, finder in (("ruled lines", RuledLines()), ("SLANet-plus", SeenStructure(SLANET_PLUS))):
        try:
            markup = TableReader(text, finder).read(image).text
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
        lines = [line.text.replace(" ", "") for line in reader.read(png(page)).lines]
        for latex in map(str, page.formulas):
            total["frac" in latex] += 1
            right["frac" in latex] += latex in lines
    return f"fractions {right[True]}/{total[True]}  plain {right[False]}/{total[False]}"


def words_offered(recogniser: Recogniser, pages: list[PageScript]) -> Iterator[str]:
    """A line that was read counts as words where it is most like a written line of words of its page."""
    for structure in ("formula", "text"):
        words, offered, maths, lost = 0, 0, 0, 0
        for page in (page for page in pages if page.structure == structure):
            written = [*page.lines, *(item for item in page.formulas if not isinstance(item, str))]
            truths = [line.truth for line in written if line.marks and "$" not in line.truth]
            for line in recogniser.read(png(page)).lines:
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
    print("with pmsh-ocr   ", right_sums(reader_of(six, "formula"), pages))
    print("one line of text", right_sums(LinearFormulaReader(six.recogniser), pages))
    print(*words_offered(six.recogniser, list(load_pages())), sep="\n")


if __name__ == "__main__":
    main()
