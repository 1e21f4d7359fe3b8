"""The wording of the difficulty scale: the question of each dimension, and descriptions of levels 1, 3 and 5.

WildHandBench names the dimensions only; the wording is ours.
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
    """A dimension's name, its question, and the descriptions of levels 1, 3 and 5."""

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
        _("How much do the paper, the ink or the photo get in the way of reading?"),
        _("Clean and sharp: every stroke is clear against the paper."),
        _("Stains, shadows, blur or faint ink in places; you need to zoom in there."),
        _("Large parts are faded, bled through, torn or out of focus."),
    ),
    Dimension.CURSIVENESS: Anchor(
        _("Cursiveness"),
        _("How much do letters run together or lose their usual shape?"),
        _("Separate, regular letters or characters, close to print."),
        _("Joined writing with some shortened letters; words can still be read at a glance."),
        _("Running or draft script: many strokes are merged or omitted."),
    ),
    Dimension.LINGUISTIC_AMBIGUITY: Anchor(
        _("Linguistic ambiguity"),
        _("How often can the strokes be read in more than one way?"),
        _("Everyday words; each can be read in only one way."),
        _("Some names, abbreviations or slips, which the context resolves."),
        _("Many rare words, names, old forms or errors that the context does not resolve."),
    ),
    Dimension.STRUCTURAL_COMPLEXITY: Anchor(
        _("Structural complexity"),
        _("How hard is it to tell what belongs together and in which order to read it?"),
        _("One block of straight lines, read from top to bottom."),
        _("Several blocks, a simple table, or a few insertions and crossings-out."),
        _("Nested tables, multi-level formulas, or arrows and margin notes throughout."),
    ),
    Dimension.DOMAIN_KNOWLEDGE: Anchor(
        _("Domain knowledge"),
        _("How much subject knowledge is needed to read it correctly?"),
        _("None: anyone who reads the language can read it."),
        _("Some terms or symbols from a school subject or a trade."),
        _("Only a specialist can read it: prescriptions, proofs, classical texts."),
    ),
    Dimension.MULTILINGUAL_MIXING: Anchor(
        _("Multilingual mixing"),
        _("How often do languages or scripts alternate?"),
        _("One language, one script."),
        _("A few words, names or symbols from a second language or script."),
        _("Languages or scripts alternate within lines across the whole page."),
    ),
}
