"""Fingerprints that recognise a page after re-saving, scaling, a slight crop and a slight rotation.

A fingerprint consists of the strongest ink corners. Each has a 256-bit descriptor of the ink around it (which of two
nearby points is darker, for 256 fixed pairs, on a blurred image), and a 32-bit word of it for an index. Fingerprints of
one page share words; geometry then decides whether they are the same page: the matched corners must agree on one
rotation, scale and shift. Pages by one writer on the same paper have similar corners but no common geometry.

Sources: binary descriptions by Calonder et al., BRIEF (ECCV 2010); corners by Harris and Stephens (1988), in the
parameter-free form of Noble (1989). Measured by `python -m benchmarks.duplicates`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

VERSION = 1  # of the descriptor: fingerprints of different versions cannot be compared
LONG_SIDE = 512
CORNERS = 128
_REACH = 20  # px around a corner that its descriptor covers
_BITS = 256
_WORD_BITS = 32
_PROBE_BITS = 2  # the least certain bits of a word, looked up both ways
_MAX_BIT_ERRORS = 64
_MAX_ROTATION = 0.12  # radians, about 7 degrees
_MAX_LOG_SCALE = 0.18
_MAX_ERROR = 5.0  # px at LONG_SIDE
_MIN_SPAN = 40.0  # px between two corners that propose a transform
_MAX_PROPOSALS = 1500
MIN_AGREEING = 12
MIN_SIMILARITY = 0.2

# For an index: pages that share few words are not compared, and common words (ruled lines) are ignored.
MIN_SHARED = 3  # corners
MOST_COMPARED = 24  # pages
COMMON_WORD = 64  # pages

Bits = NDArray[np.uint8]


def _fixed_pairs() -> NDArray[np.int64]:
    """The point pairs, shape (2, 256, 2). `random.random` is guaranteed not to change between Python versions."""
    source = random.Random(1905)
    values = [round((source.random() + source.random() - 1) * _REACH) for _ in range(4 * _BITS)]
    return np.array(values).reshape(2, _BITS, 2)


_PAIRS = _fixed_pairs()
_WORD_PLACES = np.arange(
    0, _BITS, _BITS // _WORD_BITS
)  # any fixed choice will do, since the pairs are random


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Corners, strongest first: `points` (n, 2) as x, y at LONG_SIDE, `bits` (n, 32) bytes, `words` (n,) signed 32-bit.

    `probes` (n, 4) are the words to look up in an index: the word itself and its most likely variants.
    """

    points: NDArray[np.uint16]
    bits: Bits
    words: NDArray[np.int32]
    probes: NDArray[np.int32]

    def to_bytes(self) -> bytes:
        """Points, then bits; little-endian, 36 bytes per corner. Words are not included, since an index stores them."""
        return self.points.astype("<u2").tobytes() + self.bits.tobytes()


def read_shape(data: bytes) -> tuple[NDArray[np.uint16], Bits]:
    """The points and bits of a stored fingerprint."""
    count = len(data) // (4 + _BITS // 8)
    points = np.frombuffer(data, "<u2", count * 2).reshape(count, 2)
    return points, np.frombuffer(data, np.uint8, offset=count * 4).reshape(count, _BITS // 8)


def take_fingerprint(image: Image.Image) -> Fingerprint:
    """The fingerprint of an upright image. A page without ink has no corners and matches nothing."""
    # Takes a quarter of the start of every process, most of which never see an image.
    from scipy import ndimage  # noqa: PLC0415

    grey = _small_grey(image)
    xs, ys = _corners(grey)
    soft = ndimage.gaussian_filter(grey, 3)
    (dy1, dx1), (dy2, dx2) = _PAIRS[0].T, _PAIRS[1].T
    differences = soft[ys[:, None] + dy1, xs[:, None] + dx1] - soft[ys[:, None] + dy2, xs[:, None] + dx2]
    words, probes = _words(differences[:, _WORD_PLACES])
    return Fingerprint(
        points=np.stack([xs, ys], axis=1).astype(np.uint16),
        bits=np.packbits(differences > 0, axis=1),
        words=words,
        probes=probes,
    )


def similarity(data: bytes, other: bytes) -> float:
    """The share of the smaller fingerprint that matches the other under one transform, 0..1; 0 for different pages."""
    (points, bits), (other_points, other_bits) = read_shape(data), read_shape(other)
    fewest = min(len(points), len(other_points))
    if fewest < MIN_AGREEING:
        return 0.0
    own, others = _matches(bits, other_bits)
    agreeing = _agreeing(_as_complex(points[own]), _as_complex(other_points[others]))
    share = agreeing / fewest
    return share if agreeing >= MIN_AGREEING and share >= MIN_SIMILARITY else 0.0


def _small_grey(image: Image.Image) -> NDArray[np.float32]:
    grey = image.convert("L")
    scale = LONG_SIDE / max(grey.size)
    size = (max(1, round(grey.width * scale)), max(1, round(grey.height * scale)))
    small = grey.resize(size, Image.Resampling.BILINEAR, reducing_gap=2.0)
    return np.asarray(small, dtype=np.float32)


def _corners(grey: NDArray[np.float32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """x and y of the strongest corners, strongest first, at least a descriptor's reach away from the edges."""
    from scipy import ndimage  # noqa: PLC0415

    dy, dx = np.gradient(ndimage.gaussian_filter(grey, 1.5)) if min(grey.shape) > 2 else (grey * 0, grey * 0)
    xx, yy, xy = (ndimage.gaussian_filter(product, 3) for product in (dx * dx, dy * dy, dx * dy))
    strength = (xx * yy - xy * xy) / (xx + yy + 1e-3)
    is_peak = (strength == ndimage.maximum_filter(strength, 11)) & (strength > 0.5)
    edge = _REACH + 1
    is_peak[:edge] = is_peak[-edge:] = False
    is_peak[:, :edge] = is_peak[:, -edge:] = False
    ys, xs = np.nonzero(is_peak)
    order = np.argsort(-strength[ys, xs], kind="stable")[:CORNERS]
    return xs[order], ys[order]


def _words(differences: NDArray[np.float32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    places = np.uint32(1) << np.arange(_WORD_BITS, dtype=np.uint32)
    words = ((differences > 0) * places).sum(axis=1, dtype=np.uint32)
    weakest = np.argsort(np.abs(differences), axis=1, kind="stable")[:, :_PROBE_BITS]
    first, second = places[weakest].T if len(words) else (words, words)
    probes = np.stack([words, words ^ first, words ^ second, words ^ first ^ second], axis=1)
    return words.view(np.int32), probes.view(np.int32)


def _as_complex(points: NDArray[np.uint16]) -> NDArray[np.complex128]:
    return points[:, 0].astype(np.float64) + 1j * points[:, 1].astype(np.float64)


def _matches(bits: Bits, other: Bits) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Indices of corners whose descriptors are each other's nearest."""
    errors = np.bitwise_count(bits.view(np.uint64)[:, None] ^ other.view(np.uint64)[None]).sum(axis=2)
    nearest = errors.argmin(axis=1)
    own = np.arange(len(bits))
    is_mutual = (errors.argmin(axis=0)[nearest] == own) & (errors[own, nearest] < _MAX_BIT_ERRORS)
    return own[is_mutual], nearest[is_mutual]


def _agreeing(points: NDArray[np.complex128], others: NDArray[np.complex128]) -> int:
    """The most matches that one similarity transform explains. Every pair of matches proposes one."""
    first, second = np.triu_indices(len(points), 1)
    span = points[second] - points[first]
    is_wide = np.abs(span) > _MIN_SPAN
    first, second, span = first[is_wide], second[is_wide], span[is_wide]
    transform = (others[second] - others[first]) / span
    scale = np.abs(transform)
    is_slight = (scale > np.exp(-_MAX_LOG_SCALE)) & (scale < np.exp(_MAX_LOG_SCALE))
    is_slight &= np.abs(np.angle(transform)) < _MAX_ROTATION
    first, transform = first[is_slight], transform[is_slight]
    if len(first) > _MAX_PROPOSALS:
        sampled = np.linspace(0, len(first) - 1, _MAX_PROPOSALS).astype(np.int64)
        first, transform = first[sampled], transform[sampled]
    if len(first) == 0:
        return 0
    shift = others[first] - transform * points[first]
    errors = np.abs(transform[:, None] * points[None] + shift[:, None] - others[None])
    return int((errors < _MAX_ERROR).sum(axis=1).max())
