"""The text payload: a page's Markdown, its canonical form, and its lines as the fields of agreement."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

MAX_CHARACTERS = 200_000
MAX_LINES = 1_000  # two versions are held line against line, in time and memory that grow with the square
_ALLOWED_CONTROLS = {"\n", "\t"}


class BadText(ValueError):
    """A text that cannot be stored; the message says where and how to mend it."""


@dataclass(frozen=True, slots=True)
class LinePair:
    """One line slot of two versions. None = that version has no such line."""

    first: str | None
    second: str | None

    @property
    def is_equal(self) -> bool:
        return self.first == self.second


def validate_text(text: str) -> None:
    """Raise BadText for what no page can hold: control characters, lone surrogates, more than MAX_CHARACTERS or
    MAX_LINES."""
    if len(text) > MAX_CHARACTERS:
        raise BadText(
            f"The text has {len(text):,} characters; a page may have {MAX_CHARACTERS:,}. Shorten it or split the page."
        )
    lines = len(split_lines(text))
    if lines > MAX_LINES:
        raise BadText(f"The text has {lines:,} lines; a page may have {MAX_LINES:,}. Split the page.")
    for index, char in enumerate(text):
        category = unicodedata.category(char)
        if category == "Cs" or (category == "Cc" and char not in _ALLOWED_CONTROLS and char != "\r"):
            line = text.count("\n", 0, index) + 1
            raise BadText(f"Line {line} holds the unprintable character U+{ord(char):04X}. Delete it.")


def is_storable(text: str) -> bool:
    """True for a text that every database takes: no NUL, no half of a surrogate pair."""
    return "\0" not in text and not any("\ud800" <= char <= "\udfff" for char in text)


def is_storable_json(value: object) -> bool:
    """The same for a JSON value as `json.loads` gives it: also no NaN or infinity, and no nesting without end."""
    try:
        json.dumps(value, allow_nan=False)
    except (ValueError, RecursionError):
        return False
    left = [value]
    while left:
        match left.pop():
            case str() as text if not is_storable(text):
                return False
            case dict() as pairs:
                left += [*pairs, *pairs.values()]
            case list() | tuple() as values:
                left += values
    return True


def canonical_text(text: str) -> str:
    """NFC, LF line ends, no trailing white space on lines, no blank lines at the end.

    Two texts with one canonical form are the same transcription. Nothing else is folded: a long s, a full-width
    digit or a traditional character is what the ink says.

    >>> canonical_text("cafe\\u0301  \\r\\nx\\n\\n")
    'café\\nx'
    """
    text = unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n")
    return "\n".join(line.rstrip() for line in text.split("\n")).rstrip("\n")


def split_lines(text: str) -> list[str]:
    """The canonical lines of a text; none for an empty one.

    >>> split_lines("a\\n\\nb ")
    ['a', '', 'b']
    """
    canonical = canonical_text(text)
    return canonical.split("\n") if canonical else []


def join_lines(lines: list[str]) -> str:
    """The inverse of `split_lines`."""
    return "\n".join(lines)


def pair_lines(first: str, second: str) -> list[LinePair]:
    """Align the lines of two versions: the cheapest pairing in order, by normalised edit distance.

    A pair costs the distance of its lines (0..1), a line alone 0.6, so that two lines are paired when they share
    about a fifth of their characters or more and stand alone otherwise. Ties prefer pairing, then the first
    version's line first. Every line of both versions appears exactly once, in order.

    >>> [(p.first, p.second) for p in pair_lines("a b c\\nd", "a b x\\nd\\ne")]
    [('a b c', 'a b x'), ('d', 'd'), (None, 'e')]
    """
    a, b = split_lines(first), split_lines(second)
    head = 0
    while head < min(len(a), len(b)) and a[head] == b[head]:
        head += 1
    tail = 0
    while tail < min(len(a), len(b)) - head and a[-1 - tail] == b[-1 - tail]:
        tail += 1
    middle = _align(a[head : len(a) - tail], b[head : len(b) - tail])
    return (
        [LinePair(line, line) for line in a[:head]]
        + middle
        + [LinePair(line, line) for line in a[len(a) - tail :]]
    )


_ALONE = 0.6


def _align(a: list[str], b: list[str]) -> list[LinePair]:
    cost = [[0.0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) + 1):
        for j in range(len(b) + 1):
            if i == 0 or j == 0:
                cost[i][j] = (i + j) * _ALONE
                continue
            paired = cost[i - 1][j - 1] + Levenshtein.normalized_distance(a[i - 1], b[j - 1])
            cost[i][j] = min(paired, cost[i - 1][j] + _ALONE, cost[i][j - 1] + _ALONE)
    pairs: list[LinePair] = []
    i, j = len(a), len(b)
    while i or j:
        if i and j:
            paired = cost[i - 1][j - 1] + Levenshtein.normalized_distance(a[i - 1], b[j - 1])
            if cost[i][j] == paired:
                pairs.append(LinePair(a[i - 1], b[j - 1]))
                i, j = i - 1, j - 1
                continue
        if j and cost[i][j] == cost[i][j - 1] + _ALONE:
            pairs.append(LinePair(None, b[j - 1]))
            j -= 1
        else:
            pairs.append(LinePair(a[i - 1], None))
            i -= 1
    return pairs[::-1]
