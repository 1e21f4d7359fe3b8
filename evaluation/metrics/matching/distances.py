"""Normalised edit distances between strings, and of a string to the best window of another."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

MAX_SEARCHED = 2_000_000_000
"""Largest number of character comparisons in one search; a longer search counts as not found."""


def distance(left: str, right: str) -> float:
    """Levenshtein distance over the longer length, 0..1; 0 for two empty strings.

    >>> distance("ink", "inc")
    0.3333333333333333
    """
    return Levenshtein.distance(left, right) / max(len(left), len(right), 1)


def distances(left: Sequence[str], right: Sequence[str]) -> NDArray[np.float64]:
    """`distance` of every pair, [len(left), len(right)]."""
    if not left or not right:
        return np.zeros((len(left), len(right)))
    edits = cdist(left, right, scorer=Levenshtein.distance, dtype=np.int32)
    longest = np.maximum.outer([len(text) for text in left], [len(text) for text in right])
    normalised: NDArray[np.float64] = edits / np.maximum(longest, 1)
    return normalised


def distance_inside(part: str, whole: str, *, below: float) -> float | None:
    """Smallest distance of `part` to a window of its own length in `whole`, over that length; None from `below` on.

    None also where `part` is empty or longer than `whole`. Moving the window by one character changes the distance by
    at most 2, so windows that cannot beat the best so far are skipped.

    >>> distance_inside("brown", "the quick brwn fox", below=0.5)
    0.4
    """
    width = len(part)
    last = len(whole) - width
    if not width or last < 0:
        return None
    best, is_found = below * width, False
    start = searched = 0
    while start <= last and searched <= MAX_SEARCHED:
        current = Levenshtein.distance(part, whole[start : start + width])
        searched += width * width
        if current < best:
            best, is_found = current, True
            if current == 0:
                break
        start += max(1, math.ceil((current - best) / 2))
    return best / width if is_found else None
