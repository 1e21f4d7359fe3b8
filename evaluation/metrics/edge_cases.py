"""Scores of edge cases (missing, failed, empty, too large): the same for every metric, person and model.

docs/metrics/edge-states.md has the table, which test_edge_cases.py checks. A metric first brings both sides to the
form it compares (normalised text, parsed table; None and `Failed` stay as they are), then calls `edge_score`, and
computes only if that returns None.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from evaluation.errors import gettext_noop as _
from evaluation.metrics.base import Direction, Score, ScoreStatus, Signature
from evaluation.predictions import Failed, PredictedText


class TooLarge(Exception):
    """A side is over a size limit; the message names the limit and the size."""


class EdgeOutcome(StrEnum):
    """What a metric does in an edge case."""

    BEST = "best"
    WORST = "worst"
    NOT_SCORED = "n/a"
    COMPUTED = "computed"  # the metric's own formula applies (such as jiwer's insertions)


@dataclass(frozen=True, slots=True)
class EdgeRules:
    """The edge cases of one metric under one preset; presets differ only in the two cases of an empty reference.

    `worst` is the score of a missing or failed prediction. For rates without an upper bound it is the score of an empty
    prediction (1.0), so that failing is never better than an empty page.
    """

    direction: Direction
    best: float
    worst: float
    empty_reference: EdgeOutcome = EdgeOutcome.WORST  # empty reference, non-empty prediction
    both_empty: EdgeOutcome = EdgeOutcome.BEST

    @classmethod
    def of_error(
        cls, *, empty_reference: EdgeOutcome = EdgeOutcome.WORST, both_empty: EdgeOutcome = EdgeOutcome.BEST
    ) -> EdgeRules:
        """Rules of an error rate: 0 is best, 1 is the score of an empty prediction."""
        return cls(Direction.LOWER, 0.0, 1.0, empty_reference, both_empty)

    @classmethod
    def of_similarity(
        cls, *, empty_reference: EdgeOutcome = EdgeOutcome.WORST, both_empty: EdgeOutcome = EdgeOutcome.BEST
    ) -> EdgeRules:
        """Rules of a similarity: 1 is best, 0 is the score of an empty prediction."""
        return cls(Direction.HIGHER, 1.0, 0.0, empty_reference, both_empty)


def edge_score(
    prediction: PredictedText,
    reference: str | None,
    *,
    rules: EdgeRules,
    signature: Signature,
    size: float = 1,
    insertions: float = 1,
) -> Score | None:
    """The score of an edge case, or None when both sides hold something to compare.

    `size` is the weight of the reference in a pooled corpus (characters, tokens, nodes), `insertions` that of the
    prediction if the reference is empty; both count as at least 1, so that every worst value has a weight.

    >>> from evaluation.metrics.base import Signature
    >>> rules, signature = EdgeRules.of_error(), Signature("edit", "inkbench-1")
    >>> edge_score(None, "ink", rules=rules, signature=signature, size=3).status
    <ScoreStatus.MISSING: 'missing'>
    >>> edge_score("", "", rules=rules, signature=signature).value
    0.0
    >>> edge_score("ink", "ink", rules=rules, signature=signature) is None
    True
    """
    if reference is None:
        return not_scored(
            ScoreStatus.NOT_APPLICABLE, rules, signature, _("the sample has no ground truth of this kind")
        )
    weight = max(size, 1) if reference else 1
    if prediction is None:
        return worst_score(ScoreStatus.MISSING, rules, signature, weight, _("nothing was submitted"))
    if isinstance(prediction, Failed):
        return worst_score(
            ScoreStatus.FAILED, rules, signature, weight, prediction.reason or "the system failed"
        )
    if not reference and not prediction:
        return _emptiness(
            rules.both_empty, ScoreStatus.BOTH_EMPTY, rules, signature, 0, _("both sides are empty")
        )
    if not reference:
        reason = _("the ground truth is empty")
        return _emptiness(
            rules.empty_reference, ScoreStatus.EMPTY_REFERENCE, rules, signature, max(insertions, 1), reason
        )
    if not prediction:
        return _numbered(
            rules.worst, ScoreStatus.SCORED, rules, signature, weight, _("the prediction is empty")
        )
    return None


def too_large(
    reason: str, *, rules: EdgeRules, signature: Signature, size: float = 1, is_reference: bool = False
) -> Score:
    """The score of a pair over a size limit: no value, never an approximation. `reason` names the limit and the size.

    A prediction over the limit costs the corpus as much as a missing one (it is in `n` and `n_failed`, with the worst
    counts); otherwise runaway output would leave hard samples out. A reference over the limit (`is_reference`) is left
    out of the corpus.
    """
    if is_reference:
        return not_scored(ScoreStatus.TOO_LARGE, rules, signature, reason)
    weight = max(size, 1)
    return Score(
        None, rules.worst * weight, weight, 1, 1, rules.direction, ScoreStatus.TOO_LARGE, signature, reason
    )


def worst_score(
    status: ScoreStatus, rules: EdgeRules, signature: Signature, size: float = 1, reason: str = ""
) -> Score:
    """The worst value with the weight of the reference, counted in `n_failed`."""
    weight = max(size, 1)
    return Score(rules.worst, rules.worst * weight, weight, 1, 1, rules.direction, status, signature, reason)


def not_scored(status: ScoreStatus, rules: EdgeRules, signature: Signature, reason: str) -> Score:
    """No value and no weight in any corpus, with a reason."""
    return Score(None, 0, 0, 0, 0, rules.direction, status, signature, reason)


def _emptiness(
    verdict: EdgeOutcome,
    status: ScoreStatus,
    rules: EdgeRules,
    signature: Signature,
    weight: float,
    reason: str,
) -> Score | None:
    if verdict is EdgeOutcome.COMPUTED:
        return None
    if verdict is EdgeOutcome.NOT_SCORED:
        return not_scored(status, rules, signature, reason)
    value = rules.best if verdict is EdgeOutcome.BEST else rules.worst
    return _numbered(value, status, rules, signature, weight, reason)


def _numbered(
    value: float, status: ScoreStatus, rules: EdgeRules, signature: Signature, weight: float, reason: str
) -> Score:
    return Score(value, value * weight, weight, 1, 0, rules.direction, status, signature, reason)
