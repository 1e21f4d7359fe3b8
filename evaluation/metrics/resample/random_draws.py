"""Random draws that depend only on the seed and the number of the replicate.

Every replicate has its own stream (Philox, a counter-based generator), so a chunk of replicates gives the same draws
wherever and in whatever order it is computed. Indices come from the raw 64-bit words, whose stream NumPy guarantees
across versions, unlike that of its higher-level methods.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

_MAX_SEED = 2**64 - 1


class Purpose(IntEnum):
    """Separates the streams of different methods under one seed."""

    BOOTSTRAP = 1
    SIGNS = 2
    SHUFFLE = 3


def raw_words(seed: int, purpose: Purpose, replicate: int, n: int) -> NDArray[np.uint64]:
    """`n` random 64-bit words of one replicate. Raises ValueError for a seed outside 0 .. 2**64 - 1."""
    if not 0 <= seed <= _MAX_SEED:
        raise ValueError(f"seed: {seed} is not between 0 and 2**64 - 1")
    key = np.array([seed, purpose], dtype=np.uint64)
    counter = np.array([0, 0, 0, replicate], dtype=np.uint64)
    return np.random.Philox(key=key, counter=counter).random_raw(n)


def draw_indices(seed: int, replicate: int, n: int) -> NDArray[np.int64]:
    """`n` indices in 0..n-1, drawn with replacement (bias below n / 2**32).

    >>> draw_indices(7, 0, 4).tolist() == draw_indices(7, 0, 4).tolist()
    True
    """
    words = raw_words(seed, Purpose.BOOTSTRAP, replicate, n) >> np.uint64(32)
    return ((words * np.uint64(n)) >> np.uint64(32)).astype(np.int64)


def draw_signs(seed: int, replicate: int, n: int) -> NDArray[np.int8]:
    """`n` signs, -1 or 1, each with probability one half."""
    words = raw_words(seed, Purpose.SIGNS, replicate, -(-n // 64)).astype("<u8")
    bits = np.unpackbits(words.view(np.uint8))[:n].astype(np.int8)
    signs: NDArray[np.int8] = 2 * bits - 1
    return signs


def draw_order(seed: int, replicate: int, n: int) -> NDArray[np.int64]:
    """A random order of 0..n-1."""
    return np.argsort(raw_words(seed, Purpose.SHUFFLE, replicate, n), kind="stable")
