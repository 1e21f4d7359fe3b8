"""What CDM saw: both formulas drawn as boxes, each with what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from evaluation.metrics.cdm import compare, find_preset
from evaluation.metrics.cdm.overlay import TokenStatus, overlay_svg


def draw_overlay(*, prediction: str, gold: str, preset: str = "inkbench-1") -> str:
    """An SVG of the ground truth above the prediction, in the reader's language.

    Safe to place in a page: it holds shapes and escaped text only, no style and no script.
    """
    labels = {
        "reference": _("Ground truth"),
        "prediction": _("Prediction"),
        "nothing": _("nothing to draw"),
        TokenStatus.MATCHED: _("matched"),
        TokenStatus.WRONG: _("different mark"),
        TokenStatus.MOVED: _("out of position"),
        TokenStatus.MISSED: _("missed"),
        TokenStatus.EXTRA: _("extra"),
    }
    return overlay_svg(compare(prediction, gold, find_preset(preset)), labels=labels)


MOST_DRAWN = 60  # formulas of one page


@dataclass(frozen=True, slots=True)
class RenderedPair:
    """One pair that CDM compared: the region's number (0 on a page), the image, or that there is no answer."""

    number: int
    overlay: str
    is_missing: bool


def draw_pairs(pairs: Sequence[tuple[int, str | None, str]]) -> list[RenderedPair]:
    """The images of (number, prediction, gold), the first MOST_DRAWN."""
    return [
        RenderedPair(
            number, "" if answer is None else draw_overlay(prediction=answer, gold=gold), answer is None
        )
        for number, answer, gold in pairs[:MOST_DRAWN]
    ]
