"""What CDM saw: both formulas drawn as boxes, each with what became of it."""

from __future__ import annotations

from django.utils.translation import gettext as _

from evaluation.metrics.character_detection import compare, find_preset
from evaluation.metrics.character_detection.overlay import Fate, overlay_svg


def draw_overlay(*, prediction: str, gold: str, preset: str = "inkbench-1") -> str:
    """An SVG of the ground truth above the prediction, in the reader's language.

    Safe to place in a page: it holds shapes and escaped text only, no style and no script.
    """
    labels = {
        "reference": _("Ground truth"),
        "prediction": _("Prediction"),
        "nothing": _("nothing to draw"),
        Fate.MATCHED: _("matched"),
        Fate.WRONG: _("different mark"),
        Fate.MOVED: _("out of position"),
        Fate.MISSED: _("missed"),
        Fate.EXTRA: _("extra"),
    }
    return overlay_svg(compare(prediction, gold, find_preset(preset)), labels=labels)
