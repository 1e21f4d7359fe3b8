"""What several people make of one sample, as one answer: the medoid. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein


@dataclass(frozen=True, slots=True)
class Consensus:
    """`text` is None where most people said that they cannot read it. `chosen` is whose words it is."""

    text: str | None
    chosen: int
    n: int
    mean_distance: float | None  # of the chosen to the other texts, 0..1; None with fewer than two texts


def distance(first: str, second: str) -> float:
    """Levenshtein distance over the longer length, 0..1; two empty texts are equal."""
    return Levenshtein.normalized_distance(first, second)


def consensus_of(answers: Mapping[int, str | None]) -> Consensus | None:
    """The answer nearest to all others, by person's number; None without answers.

    An answer of None says "I cannot read this". When more than half say so, so does the consensus; else it is the
    text with the smallest sum of distances to the other texts (the medoid: always somebody's own words, never a
    mixture that nobody wrote). Equal sums go to the lowest number. The texts have to be in the form that the
    metrics compare.

    >>> consensus_of({1: "ink", 2: "ink", 3: "pink"}).text
    'ink'
    >>> consensus_of({1: None, 2: None, 3: "ink"}).text is None
    True
    """
    if not answers:
        return None
    texts = {number: text for number, text in sorted(answers.items()) if text is not None}
    unread = [number for number, text in sorted(answers.items()) if text is None]
    if 2 * len(unread) > len(answers) or not texts:
        return Consensus(None, unread[0], len(answers), None)
    sums = {
        a: sum(distance(text, other) for b, other in texts.items() if b != a) for a, text in texts.items()
    }
    chosen = min(sums, key=lambda number: (sums[number], number))
    mean = sums[chosen] / (len(texts) - 1) if len(texts) > 1 else None
    return Consensus(texts[chosen], chosen, len(answers), mean)
