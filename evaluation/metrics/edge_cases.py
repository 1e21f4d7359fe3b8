"""What a score is where there is nothing to compare: one behaviour for every metric, person and model.

The table in docs/metrics/edge-states.md is this module in words; tests/evaluation/metrics/test_edge.py
walks it. A metric first brings both sides to the form it compares (normalised text, parsed table; None
stays None and a `Failed` stays a `Failed`), then asks `edge_score`; only when that returns None is there
something to compute.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from evaluation.errors import gettext_noop as _
from evaluation.metrics.base import Direction, Failed, Score, ScoreStatus, Signature


class TooLarge(Exception):
    """A side is over a named size limit; the message names the limit and the size found."""


class EdgeOutcome(StrEnum):
    """What a metric does in one edge state."""

    BEST = "best"
    WORST = "worst"
    NOT_SCORED = "n/a"
    COMPUTED = "computed"  # the metric's formula has an answer of its own (jiwer's insertions, say)


@dataclass(frozen=True, slots=True)
class EdgeRules:
    """The edge behaviour of one metric under one preset; only the two emptiness cells differ between presets.

    `worst` is what a missing or failed answer scores: for rates without an upper bound it is the score of
    having written nothing (1.0), so that failing is never better than answering with an empty page.
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
        """Rules of an error rate: 0 is best, 1 is the score of silence."""
        return cls(Direction.LOWER, 0.0, 1.0, empty_reference, both_empty)

    @classmethod
    def of_similarity(
        cls, *, empty_reference: EdgeOutcome = EdgeOutcome.WORST, both_empty: EdgeOutcome = EdgeOutcome.BEST
    ) -> EdgeRules:
        """Rules of a similarity: 1 is best, 0 is the score of silence."""
        return cls(Direction.HIGHER, 1.0, 0.0, empty_reference, both_empty)


def edge_score(
    prediction: str | None,
    reference: str | None,
    *,
    rules: EdgeRules,
    signature: Signature,
    size: float = 1,
    insertions: float = 1,
) -> Score | None:
    """The score of an edge state, or None when both sides hold something to compare.

    `size` is what the reference weighs in a pooled corpus (characters, tokens, nodes) and `insertions` what
    the prediction weighs when the reference is empty; both count at least 1, so that every worst value has
    a weight.

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
            ScoreStatus.FAILED, rules, signature, weight, str(prediction) or "the system failed"
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
    """A pair over a named size limit: no value, never an approximation.

    An answer over the limit still costs its corpus as much as a missing one (it is in `n` and `n_failed`,
    with the worst counts), or running away would be a way to leave the hard samples out. A reference over
    the limit (`is_reference`) is nobody's fault and is left out. `reason` names the limit and the size
    found.
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
    """The worst value, weighing what the reference weighs, counted in `n_failed`."""
    weight = max(size, 1)
    return Score(rules.worst, rules.worst * weight, weight, 1, 1, rules.direction, status, signature, reason)


def not_scored(status: ScoreStatus, rules: EdgeRules, signature: Signature, reason: str) -> Score:
    """No value, no weight in any corpus, and the reason why."""
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
