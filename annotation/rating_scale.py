"""The words of the difficulty scale: what each dimension asks, and what its ends and its middle look like.

Our own words; WildHandBench names the dimensions only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from annotation.difficulty import Dimension

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


@dataclass(frozen=True, slots=True)
class Anchor:
    """A dimension in words: its name, its question, and levels 1, 3 and 5 described."""

    name: str | _StrPromise
    asks: str | _StrPromise
    low: str | _StrPromise
    middle: str | _StrPromise
    high: str | _StrPromise

    @property
    def levels(self) -> tuple[tuple[int, str | _StrPromise], ...]:
        return ((1, self.low), (3, self.middle), (5, self.high))


ANCHORS: dict[Dimension, Anchor] = {
    Dimension.VISUAL_DEGRADATION: Anchor(
        _("Visual degradation"),
        _("How far do paper, ink and camera stand in the way?"),
        _("Clean and sharp: every stroke stands out from the paper."),
        _("Stains, shadow, blur or pale ink in places; one has to zoom in there."),
        _("Large parts are faded, bleeding through, torn or out of focus."),
    ),
    Dimension.CURSIVENESS: Anchor(
        _("Cursiveness"),
        _("How far do the letters run together or leave their usual shape?"),
        _("Separate, regular letters or characters, close to print."),
        _("Joined writing with some letters shortened; words are read at once all the same."),
        _("Running or draft script: many strokes are merged or left out."),
    ),
    Dimension.LINGUISTIC_AMBIGUITY: Anchor(
        _("Linguistic ambiguity"),
        _("How often do the strokes allow more than one reading?"),
        _("Everyday words; each has one reading only."),
        _("Some names, abbreviations or slips that the context settles."),
        _("Many rare words, names, old forms or errors that the context does not settle."),
    ),
    Dimension.STRUCTURAL_COMPLEXITY: Anchor(
        _("Structural complexity"),
        _("How hard is it to tell what belongs together, and in which order?"),
        _("One block of straight lines, read from top to bottom."),
        _("Several blocks, a simple table, or a few insertions and crossings-out."),
        _("Nested tables, formulas of many levels, arrows or margins all around."),
    ),
    Dimension.DOMAIN_KNOWLEDGE: Anchor(
        _("Domain knowledge"),
        _("How much must one know about the subject to read it right?"),
        _("Nothing special: anybody who reads the language can."),
        _("Some terms or signs of a school subject or a trade."),
        _("Only somebody of the field can read it: prescriptions, proofs, classical texts."),
    ),
    Dimension.MULTILINGUAL_MIXING: Anchor(
        _("Multilingual mixing"),
        _("How much do languages or scripts alternate?"),
        _("One language, one script."),
        _("Some words, names or signs of a second one."),
        _("Languages or scripts alternate within lines all over the page."),
    ),
}
