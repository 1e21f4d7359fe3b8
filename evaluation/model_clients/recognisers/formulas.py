"""The embedded models put to pages of formulas: rough drafts, to be taken formula by formula."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from evaluation.model_clients.recognisers.answers import page_of_formulas
from evaluation.model_clients.recognisers.base import Line, Reading
from evaluation.model_clients.recognisers.embedded import EmbeddedRecogniser, fragments_of
from evaluation.model_clients.recognisers.images import pixels_bgr
from evaluation.model_clients.recognisers.linear_maths import latex_of_line
from evaluation.model_clients.recognisers.lines import lines_from_fragments
from evaluation.model_clients.recognisers.loading import EmbeddedModel
from evaluation.model_clients.recognisers.table_grid import Pixels
from evaluation.model_clients.recognisers.written_blocks import Block, blocks_of
from evaluation.model_clients.recognisers.written_numbers import PrimaryMaths

LEAST_SURE = 0.85  # mean over the signs of a reading of numbers, below which the text model's reading stays
# What the number model can write, and what a text model makes of a bar, a stroke or a minus; nothing with letters.
_NUMERIC = re.compile(r"[0-9.,\-–—−一=<>＜＞＝∠/|½¼¾⅓⅔\s]+")


@dataclass(frozen=True, slots=True)
class LinearFormulaReader:
    """Each written line as one formula: the text model's one-line reading turned into rough LaTeX."""

    recogniser: EmbeddedRecogniser

    def read(self, image_png: bytes) -> Reading:
        reading = self.recogniser.read(image_png)
        kept = latex_lines(reading.lines)
        return replace(
            reading,
            text=page_of_formulas(tuple(line.text for line in kept)),
            lines=kept,
            parameters=dict(reading.parameters) | {"formulas": "one line of text each"},
        )


@dataclass(frozen=True, slots=True)
class NumberFormulaReader:
    """The same, but sums with fractions are read by a model for numbers: bars and what stands above and below them.

    Only where the text model itself saw nothing but numbers and the number model found a fraction and is sure.
    """

    recogniser: EmbeddedRecogniser
    numbers: EmbeddedModel[PrimaryMaths]

    def read(self, image_png: bytes) -> Reading:
        reading = self.recogniser.read(image_png)
        started = time.monotonic()
        pixels = pixels_bgr(image_png)
        fragments = fragments_of(reading)
        read_as_sums: list[tuple[Block, Line]] = []
        for block in blocks_of(pixels, fragments):
            if all(_NUMERIC.fullmatch(piece.text) for piece in block.pieces):
                line = self._sum_in(pixels, block)
                if line is not None:
                    read_as_sums.append((block, line))
        rest = latex_lines(
            lines_from_fragments(
                piece for piece in fragments if not any(block.holds(piece) for block, _ in read_as_sums)
            )
        )
        kept = in_reading_order([*rest, *(line for _, line in read_as_sums)])
        return replace(
            reading,
            text=page_of_formulas(tuple(line.text for line in kept)),
            lines=kept,
            parameters=dict(reading.parameters)
            | {
                "formulas": "one line of text each",
                "fractions": self.numbers.model,
                "fractions_version": self.numbers.version,
            },
            latency_s=round(reading.latency_s + time.monotonic() - started, 3),
        )

    def _sum_in(self, pixels: Pixels, block: Block) -> Line | None:
        left, top, right, bottom = block.box
        with self.numbers.engine() as engine:
            latex, confidence = engine.read(pixels[top:bottom, left:right])
        if confidence < LEAST_SURE or not is_sum_with_fraction(latex):
            return None
        return Line(latex, (float(left), float(top), float(right), float(bottom)), round(confidence, 4))


def latex_lines(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Lines of text as rough LaTeX; those that come to nothing are left out."""
    written = (replace(line, text=latex_of_line(line.text)) for line in lines)
    return tuple(line for line in written if line.text)


_FRACTION = re.compile(r"\\frac\{[0-9.]+\}\{[0-9.]+\}")


def is_sum_with_fraction(latex: str) -> bool:
    r"""Whether a reading holds a whole fraction, and no half of one.

    >>> is_sum_with_fraction(r"\frac{1}{3}<2"), is_sum_with_fraction(r"\frac{7}{}72")
    (True, False)
    """
    rest = _FRACTION.sub("", latex)
    return rest != latex and not re.search(r"[\\{}]", rest)


def in_reading_order(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Lines from top to bottom by their middles."""
    return tuple(sorted(lines, key=lambda line: (line.box[1] + line.box[3]) if line.box else 0.0))
