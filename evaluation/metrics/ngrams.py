"""BLEU-4 from n-gram counts over tokens, as sacrebleu 2.6 computes it; counts are additive over a corpus.

Papineni et al. 2002; sacrebleu's defaults: exponential smoothing of orders without a match, effective order
for single sentences and not for corpora. This module is the arithmetic only; the tests compare it with
sacrebleu, which provides the tokenisers.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from evaluation.metrics.aggregation import Accumulator, Average
from evaluation.metrics.base import Direction, Score, ScoreStatus, Signature

ORDER = 4


@dataclass(frozen=True, slots=True)
class BleuCounts:
    """Matching and possible n-grams for n = 1..4, and both lengths in tokens."""

    matches: tuple[int, ...] = (0,) * ORDER
    totals: tuple[int, ...] = (0,) * ORDER
    prediction_length: int = 0
    reference_length: int = 0

    def __add__(self, other: BleuCounts) -> BleuCounts:
        return BleuCounts(
            tuple(a + b for a, b in zip(self.matches, other.matches, strict=True)),
            tuple(a + b for a, b in zip(self.totals, other.totals, strict=True)),
            self.prediction_length + other.prediction_length,
            self.reference_length + other.reference_length,
        )


def count_ngrams(prediction: Sequence[str], reference: Sequence[str]) -> BleuCounts:
    """Clipped n-gram matches of one pair.

    >>> count_ngrams(["a", "b", "c"], ["a", "b", "d"]).matches
    (2, 1, 0, 0)
    """
    matches: list[int] = []
    totals: list[int] = []
    for order in range(1, ORDER + 1):
        possible = max(len(prediction) - order + 1, 0)
        totals.append(possible)
        if not possible or (order > 1 and not matches[-1]):
            matches.append(0)
            continue
        shared = Counter(_ngrams(prediction, order)) & Counter(_ngrams(reference, order))
        matches.append(shared.total())
    return BleuCounts(tuple(matches), tuple(totals), len(prediction), len(reference))


def bleu_from_counts(counts: BleuCounts, *, is_sentence: bool, is_smoothed: bool = True) -> float:
    """BLEU in 0..1. A sentence uses the orders it is long enough for, a corpus always four.

    >>> counts = count_ngrams(["a", "b", "c"], ["a", "b", "c"])
    >>> round(bleu_from_counts(counts, is_sentence=True), 9), bleu_from_counts(counts, is_sentence=False)
    (1.0, 0.0)
    """
    if not any(counts.matches):
        return 0.0
    logs, used, halving = 0.0, 0, 1.0
    for match, total in zip(counts.matches, counts.totals, strict=True):
        if not total:
            break
        used += 1
        if match:
            logs += math.log(match / total)
        elif is_smoothed:
            halving *= 2
            logs -= math.log(halving * total)
        else:
            return 0.0
    if not is_sentence and used < ORDER:
        return 0.0
    return _brevity(counts) * math.exp(logs / used)


def _brevity(counts: BleuCounts) -> float:
    if counts.prediction_length >= counts.reference_length:
        return 1.0
    return math.exp(1 - counts.reference_length / counts.prediction_length)


def _ngrams(tokens: Sequence[str], order: int) -> Sequence[object]:
    if order == 1:
        return tokens
    return list(zip(*(tokens[start:] for start in range(order)), strict=False))


def bleu_details(counts: BleuCounts) -> dict[str, Any]:
    """The counts as JSON-able score details; `BleuAccumulator` reads them back."""
    return {
        "matches": list(counts.matches),
        "totals": list(counts.totals),
        "prediction_length": counts.prediction_length,
        "reference_length": counts.reference_length,
    }


class BleuAccumulator(Accumulator):
    """An accumulator whose pooled score is the BLEU of the summed n-gram counts."""

    __slots__ = ("_counts",)

    def __init__(self, signature: Signature, direction: Direction, worst: float) -> None:
        super().__init__(signature, direction, worst, ratio_in_page=False)
        self._counts = BleuCounts()

    def add(self, score: Score, page: str | None = None) -> None:
        """Add one sentence; a missing prediction still adds to the reference length."""
        super().add(score, page)
        if "matches" in score.details:
            counts = score.details
            self._counts += BleuCounts(
                tuple(counts["matches"]),
                tuple(counts["totals"]),
                counts["prediction_length"],
                counts["reference_length"],
            )
        elif score.n:
            self._counts += BleuCounts(reference_length=int(score.denominator))

    def merge(self, other: Accumulator) -> None:
        """Add the sentences of another accumulator."""
        super().merge(other)
        if isinstance(other, BleuAccumulator):
            self._counts += other._counts

    def score(self, average: Average = Average.POOLED) -> Score:
        """The corpus score, see `Accumulator.score`; for `pooled`, numerator and denominator are 0."""
        base = super().score(average)
        pooled = bleu_from_counts(self._counts, is_sentence=False) if base.n else None
        details = dict(base.details, **bleu_details(self._counts))
        details["averages"] = dict(base.details["averages"], pooled=pooled)
        if average is not Average.POOLED or pooled is None:
            return replace(base, details=details)
        return replace(
            base,
            value=pooled,
            numerator=0,
            denominator=0,
            status=ScoreStatus.SCORED,
            reason="",
            details=details,
        )
