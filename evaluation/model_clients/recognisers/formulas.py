"""The embedded models put to pages of formulas: rough drafts, to be taken formula by formula."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from evaluation.errors import LocalizedError
from evaluation.errors import gettext_noop as _
from evaluation.model_clients.failures import FailureKind
from evaluation.model_clients.recognisers.base import RecognisedLine, RecognisedPage, RecogniserFailed
from evaluation.model_clients.recognisers.embedded import EmbeddedRecogniser, fragments_of
from evaluation.model_clients.recognisers.images import pixels_bgr
from evaluation.model_clients.recognisers.linear_maths import latex_of_line
from evaluation.model_clients.recognisers.lines import lines_from_fragments
from evaluation.model_clients.recognisers.model_loading import EmbeddedModel
from evaluation.model_clients.recognisers.number_model import PrimaryMaths
from evaluation.model_clients.recognisers.parse_prediction import page_of_formulas
from evaluation.model_clients.recognisers.prose_filter import is_prose
from evaluation.model_clients.recognisers.table_grid import Pixels
from evaluation.model_clients.recognisers.text_blocks import TextBlock, blocks_of

LEAST_SURE = 0.85  # mean over the signs of a reading of numbers, below which the text model's reading stays
# What the number model can write, and what a text model makes of a bar, a stroke or a minus; nothing with letters.
_NONE: Mapping[str, str] = MappingProxyType({})
_NUMERIC = re.compile(r"[0-9.,\-–—−一=<>＜＞＝∠/|½¼¾⅓⅔\s]+")


@dataclass(frozen=True, slots=True)
class LinearFormulaReader:
    """Each written line that is no prose as one formula: the text model's one-line reading turned into rough LaTeX."""

    recogniser: EmbeddedRecogniser

    def read(self, image_png: bytes) -> RecognisedPage:
        reading = self.recogniser.read(image_png)
        return _formulas_of(reading, reading.lines)


@dataclass(frozen=True, slots=True)
class NumberFormulaReader:
    """The same, but sums with fractions are read by a model for numbers: bars and what stands above and below them.

    Only where the text model itself saw nothing but numbers and the number model found a fraction and is sure.
    """

    recogniser: EmbeddedRecogniser
    numbers: EmbeddedModel[PrimaryMaths]

    def read(self, image_png: bytes) -> RecognisedPage:
        reading = self.recogniser.read(image_png)
        started = time.monotonic()
        pixels = pixels_bgr(image_png)
        fragments = fragments_of(reading)
        read_as_sums: list[tuple[TextBlock, RecognisedLine]] = []
        for block in blocks_of(pixels, fragments):
            if all(_NUMERIC.fullmatch(piece.text) for piece in block.pieces):
                line = self._sum_in(pixels, block)
                if line is not None:
                    read_as_sums.append((block, line))
        rest = lines_from_fragments(
            piece for piece in fragments if not any(block.holds(piece) for block, _ in read_as_sums)
        )
        fractions = {"fractions": self.numbers.model, "fractions_version": self.numbers.version}
        found = _formulas_of(reading, rest, sums=[line for _, line in read_as_sums], parameters=fractions)
        return replace(found, latency_s=round(reading.latency_s + time.monotonic() - started, 3))

    def _sum_in(self, pixels: Pixels, block: TextBlock) -> RecognisedLine | None:
        left, top, right, bottom = block.box
        with self.numbers.engine() as engine:
            latex, confidence = engine.read(pixels[top:bottom, left:right])
        if confidence < LEAST_SURE or not is_sum_with_fraction(latex):
            return None
        return RecognisedLine(
            latex, (float(left), float(top), float(right), float(bottom)), round(confidence, 4)
        )


def _formulas_of(
    reading: RecognisedPage,
    lines: Sequence[RecognisedLine],
    *,
    sums: Sequence[RecognisedLine] = (),
    parameters: Mapping[str, str] = _NONE,
) -> RecognisedPage:
    """The reading as a page of formulas: lines that are no prose as rough LaTeX, and sums read otherwise."""
    maths = [line for line in lines if not is_prose(line.text)]
    left_out = len(lines) - len(maths)
    kept = in_reading_order([*latex_lines(maths), *sums]) if sums else latex_lines(maths)
    told = (
        dict(reading.parameters)
        | {"formulas": "one line of text each", "prose": "left out"}
        | dict(parameters)
    )
    if not kept:
        raise RecogniserFailed(
            FailureKind.EMPTY,
            LocalizedError(
                _("%(model)s found text on this page, but no formula (lines omitted: %(count)s)"),
                model=reading.model,
                count=left_out,
            ),
            raw=reading.raw,
            attempts=reading.attempts,
            parameters=told,
        )
    return replace(
        reading,
        text=page_of_formulas(tuple(line.text for line in kept)),
        lines=kept,
        parameters=told,
        left_out=left_out,
    )


def latex_lines(lines: Sequence[RecognisedLine]) -> tuple[RecognisedLine, ...]:
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


def in_reading_order(lines: Sequence[RecognisedLine]) -> tuple[RecognisedLine, ...]:
    """Lines from top to bottom by their middles."""
    return tuple(sorted(lines, key=lambda line: (line.box[1] + line.box[3]) if line.box else 0.0))
