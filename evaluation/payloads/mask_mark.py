"""The mark that replaces masked writing in the ground truth.

The brackets (U+27E6, U+27E7) are mathematical white square brackets, which no recogniser writes by chance and no
keyboard has; the word inside keeps the text readable. Every normaliser removes the mark first, so a masked area costs
nothing, and whatever a prediction invents there is an insertion.
"""

from __future__ import annotations

from typing import Final

MASK_MARK: Final = "⟦masked⟧"


def remove_masks(gold: str) -> str:
    """The text without its mask marks; nothing else is changed, and blanks beside a mark stay.

    >>> remove_masks("dear ⟦masked⟧, thank you")
    'dear , thank you'
    """
    return gold.replace(MASK_MARK, "")


def has_mask(gold: str) -> bool:
    """Whether the text contains a mask mark.

    >>> has_mask("⟦masked⟧ sat on the mat")
    True
    """
    return MASK_MARK in gold
