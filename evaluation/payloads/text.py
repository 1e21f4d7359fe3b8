"""The text payload: a page's Markdown, its canonical form, and its lines as fields."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from evaluation.errors import gettext_noop
from evaluation.payloads.alignment import align_similar
from evaluation.payloads.errors import BadPayload
from evaluation.payloads.fields import AssembledLabel, FieldKind, FieldPair, SettledField

MAX_CHARACTERS = 200_000
MAX_LINES = 1_000  # time and memory of the alignment of two versions grow with the square
_ALLOWED_CONTROLS = {"\n", "\t"}


class BadText(BadPayload):
    """A text that cannot be stored; the message says where the problem is and how to fix it."""


def validate_text(text: str) -> None:
    """Raise BadText for control characters, lone surrogates, and more than MAX_CHARACTERS or MAX_LINES."""
    validate_characters(text)
    lines = len(split_lines(text))
    if lines > MAX_LINES:
        raise BadText(
            gettext_noop(
                "The text has too many lines (%(found)s); the limit for a page is %(most)s. Split the page."
            ),
            found=f"{lines:,}",
            most=f"{MAX_LINES:,}",
        )


def validate_characters(text: str) -> None:
    """Raise BadText for control characters, lone surrogates, and more than MAX_CHARACTERS."""
    if len(text) > MAX_CHARACTERS:
        raise BadText(
            gettext_noop(
                "The text is too long (%(found)s characters); the limit for a page is "
                "%(most)s. Shorten it or split the page."
            ),
            found=f"{len(text):,}",
            most=f"{MAX_CHARACTERS:,}",
        )
    for index, char in enumerate(text):
        category = unicodedata.category(char)
        if category == "Cs" or (category == "Cc" and char not in _ALLOWED_CONTROLS and char != "\r"):
            raise BadText(
                gettext_noop("Line %(line)s contains the unprintable character %(code)s. Delete it."),
                line=text.count("\n", 0, index) + 1,
                code=f"U+{ord(char):04X}",
            )


def is_storable(text: str) -> bool:
    """Whether every database can store the text: no NUL, no lone surrogate."""
    return "\0" not in text and not any("\ud800" <= char <= "\udfff" for char in text)


def is_storable_json(value: object) -> bool:
    """The same for a value from `json.loads`; NaN, infinity and too deep nesting are not storable either."""
    try:
        json.dumps(value, allow_nan=False)
    except (ValueError, RecursionError):
        return False
    pending = [value]
    while pending:
        match pending.pop():
            case str() as text if not is_storable(text):
                return False
            case dict() as pairs:
                pending += [*pairs, *pairs.values()]
            case list() | tuple() as values:
                pending += values
    return True


def canonical_text(text: str) -> str:
    """NFC, LF line ends, no trailing white space on lines, no blank lines at the end.

    Texts with the same canonical form are the same transcription. Nothing else is normalised: a long s, a full-width
    digit or a traditional character is transcribed as it is written.

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


_GAP_COST = 0.6


def pair_lines(first: str, second: str) -> list[FieldPair]:
    """The lines of two versions, aligned at minimum cost by normalised edit distance.

    A pair costs the distance of its lines (0..1), an unpaired line 0.6, so lines are paired if they share about a fifth
    of their characters or more. Ties prefer a pair, then the first version's line first. Every line of both versions
    appears exactly once, in order; keys count from 1.

    >>> [(p.first, p.second) for p in pair_lines("a b c\\nd", "a b x\\nd\\ne")]
    [('a b c', 'a b x'), ('d', 'd'), (None, 'e')]
    """
    a, b = split_lines(first), split_lines(second)
    steps = align_similar(a, b, Levenshtein.normalized_distance, gap=_GAP_COST)
    lines = ((None if i is None else a[i], None if j is None else b[j]) for i, j in steps)
    return [
        FieldPair(FieldKind.LINE, str(number), left, right, left == right)
        for number, (left, right) in enumerate(lines, start=1)
    ]


def check_line(text: str | None) -> str | None:
    """The canonical form of one line; None for a line that is left out. Raises BadText."""
    if text is None:
        return None
    validate_text(text)
    line = canonical_text(text)
    if "\n" in line:
        raise BadText(gettext_noop("A line cannot contain a line break. Write a single line."))
    return line


def line_keys(text: str) -> list[tuple[FieldKind, str]]:
    """The fields of one version: its lines."""
    return [(FieldKind.LINE, str(number)) for number, _ in enumerate(split_lines(text), start=1)]


def assemble_lines(settled: Sequence[SettledField]) -> AssembledLabel:
    """The text from its settled lines."""
    kept = [(index, field.value) for index, field in enumerate(settled) if field.value is not None]
    while kept and not kept[-1][1]:  # a text has no empty lines at its end
        kept.pop()
    return AssembledLabel(join_lines([line for _, line in kept]), tuple(index for index, _ in kept))
