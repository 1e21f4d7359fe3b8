"""Formula pages by embedded models: rough suggestions, meant to be used formula by formula."""

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
from evaluation.model_clients.recognisers.detected_grid import Pixels
from evaluation.model_clients.recognisers.embedded import EmbeddedRecogniser, kept_fragments
from evaluation.model_clients.recognisers.images import decode_bgr
from evaluation.model_clients.recognisers.linear_maths import line_to_latex
from evaluation.model_clients.recognisers.lines import lines_from_fragments
from evaluation.model_clients.recognisers.model_loading import EmbeddedModel
from evaluation.model_clients.recognisers.number_model import PmshOcr
from evaluation.model_clients.recognisers.parse_reply import formulas_to_markdown
from evaluation.model_clients.recognisers.prose_filter import is_prose
from evaluation.model_clients.recognisers.text_blocks import TextBlock, find_text_blocks

MIN_CONFIDENCE = 0.85  # mean over the symbols; below it the text model's result is kept
# What the number model can write, and what a text model makes of a fraction bar, a stroke or a minus; no letters.
_NONE: Mapping[str, str] = MappingProxyType({})
_NUMERIC = re.compile(r"[0-9.,\-–—−一=<>＜＞＝∠/|½¼¾⅓⅔\s]+")


@dataclass(frozen=True, slots=True)
class LinearFormulaRecogniser:
    """Each line that is not prose as one formula: the text model's line, converted to rough LaTeX."""

    recogniser: EmbeddedRecogniser

    def recognise(self, image_png: bytes) -> RecognisedPage:
        page = self.recogniser.recognise(image_png)
        return _to_formula_page(page, page.lines)


@dataclass(frozen=True, slots=True)
class NumberFormulaRecogniser:
    """The same, but blocks of numbers with fractions are recognised by a model for numbers.

    That model is used only where the text model found nothing but numbers, and its result only if it contains a
    fraction and has at least MIN_CONFIDENCE.
    """

    recogniser: EmbeddedRecogniser
    numbers: EmbeddedModel[PmshOcr]

    def recognise(self, image_png: bytes) -> RecognisedPage:
        page = self.recogniser.recognise(image_png)
        started = time.monotonic()
        pixels = decode_bgr(image_png)
        fragments = kept_fragments(page)
        number_lines: list[tuple[TextBlock, RecognisedLine]] = []
        for block in find_text_blocks(pixels, fragments):
            if all(_NUMERIC.fullmatch(fragment.text) for fragment in block.fragments):
                line = self._recognise_numbers(pixels, block)
                if line is not None:
                    number_lines.append((block, line))
        rest = lines_from_fragments(
            fragment
            for fragment in fragments
            if not any(block.contains(fragment) for block, _ in number_lines)
        )
        fractions = {"fractions": self.numbers.model, "fractions_version": self.numbers.version}
        formulas = _to_formula_page(
            page, rest, extra_lines=[line for _, line in number_lines], parameters=fractions
        )
        return replace(formulas, latency_s=round(page.latency_s + time.monotonic() - started, 3))

    def _recognise_numbers(self, pixels: Pixels, block: TextBlock) -> RecognisedLine | None:
        left, top, right, bottom = block.box
        with self.numbers.engine() as engine:
            latex, confidence = engine.recognise(pixels[top:bottom, left:right])
        if confidence < MIN_CONFIDENCE or not has_whole_fraction(latex):
            return None
        return RecognisedLine(
            latex, (float(left), float(top), float(right), float(bottom)), round(confidence, 4)
        )


def _to_formula_page(
    page: RecognisedPage,
    lines: Sequence[RecognisedLine],
    *,
    extra_lines: Sequence[RecognisedLine] = (),
    parameters: Mapping[str, str] = _NONE,
) -> RecognisedPage:
    """The page as formulas: lines that are not prose as rough LaTeX, and `extra_lines`, which are LaTeX already."""
    maths_lines = [line for line in lines if not is_prose(line.text)]
    left_out = len(lines) - len(maths_lines)
    formulas = latex_lines(maths_lines)
    if extra_lines:
        formulas = in_reading_order([*formulas, *extra_lines])
    all_parameters = (
        dict(page.parameters) | {"formulas": "one line of text each", "prose": "left out"} | dict(parameters)
    )
    if not formulas:
        raise RecogniserFailed(
            FailureKind.EMPTY,
            LocalizedError(
                _("%(model)s found text on this page, but no formula (lines omitted: %(count)s)"),
                model=page.model,
                count=left_out,
            ),
            raw=page.raw,
            attempts=page.attempts,
            parameters=all_parameters,
        )
    return replace(
        page,
        text=formulas_to_markdown(tuple(line.text for line in formulas)),
        lines=formulas,
        parameters=all_parameters,
        left_out=left_out,
    )


def latex_lines(lines: Sequence[RecognisedLine]) -> tuple[RecognisedLine, ...]:
    """Lines of text as rough LaTeX, without those that become empty."""
    converted = (replace(line, text=line_to_latex(line.text)) for line in lines)
    return tuple(line for line in converted if line.text)


_FRACTION = re.compile(r"\\frac\{[0-9.]+\}\{[0-9.]+\}")


def has_whole_fraction(latex: str) -> bool:
    r"""Whether the LaTeX contains a complete fraction of numbers and no incomplete one.

    >>> has_whole_fraction(r"\frac{1}{3}<2"), has_whole_fraction(r"\frac{7}{}72")
    (True, False)
    """
    rest = _FRACTION.sub("", latex)
    return rest != latex and not re.search(r"[\\{}]", rest)


def in_reading_order(lines: Sequence[RecognisedLine]) -> tuple[RecognisedLine, ...]:
    """Lines from top to bottom by the centres of their boxes."""
    return tuple(sorted(lines, key=lambda line: (line.box[1] + line.box[3]) if line.box else 0.0))
