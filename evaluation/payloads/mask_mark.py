"""The mark that stands in gold in place of what is masked in the image.

The two brackets (U+27E6, U+27E7) are mathematical white square brackets, which no recogniser writes by
chance and no keyboard types; the word inside keeps the gold readable. Every normaliser removes the mark
before anything else, so a masked place costs nothing, and whatever an answer invents there is an insertion.
"""

from __future__ import annotations

from typing import Final

MASK_MARK: Final = "⟦masked⟧"


def remove_masks(gold: str) -> str:
    """The gold without its mask marks; nothing else is touched, blanks beside a mark stay.

    >>> remove_masks("dear ⟦masked⟧, thank you")
    'dear , thank you'
    """
    return gold.replace(MASK_MARK, "")


def has_mask(gold: str) -> bool:
    """Whether some part of the sample was masked.

    >>> has_mask("⟦masked⟧ sat on the mat")
    True
    """
    return MASK_MARK in gold
