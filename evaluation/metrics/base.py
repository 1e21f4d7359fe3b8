"""The score that every metric returns, for people and models alike.

A score keeps numerator and denominator, so that corpora are exact, gives a reason where it has no value, and carries a
signature: two scores are comparable exactly when their signatures are equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from evaluation.predictions import PredictedText


class Direction(StrEnum):
    """Which direction is better."""

    HIGHER = "higher"
    LOWER = "lower"


class ScoreStatus(StrEnum):
    """Why a score has its value, or none."""

    SCORED = "scored"
    MISSING = "missing"  # there is no prediction: worst value, counted
    FAILED = "failed"  # the system failed: worst value, counted
    EMPTY_REFERENCE = "empty_reference"  # a prediction where there was nothing to read
    BOTH_EMPTY = "both_empty"  # an empty page and an empty prediction
    INVALID_REFERENCE = "invalid_reference"  # the metric cannot read the reference: no value
    INVALID_PREDICTION = "invalid_prediction"  # the metric cannot read the prediction: worst value
    TOO_LARGE = "too_large"  # over a named size limit: no value, never approximated (edge_cases.py)
    NOT_APPLICABLE = "not_applicable"  # e.g. a table metric on a sample without tables
    UNDEFINED = "undefined"  # not defined for these data


@dataclass(frozen=True, slots=True)
class Signature:
    """The settings behind a score, printed as `metric|preset:..|rev:..|lib:ver,..|data:..`."""

    metric: str
    preset: str
    revision: int = 1
    libraries: tuple[tuple[str, str], ...] = ()
    data: str = ""

    def __str__(self) -> str:
        parts = [self.metric, f"preset:{self.preset}", f"rev:{self.revision}"]
        parts += [f"{name}:{version}" for name, version in self.libraries]
        if self.data:
            parts.append(f"data:{self.data}")
        return "|".join(parts)

    def with_data(self, revision: str) -> Signature:
        """The same settings with the revision of the data they were applied to (a release checksum)."""
        return replace(self, data=revision)


@dataclass(frozen=True, slots=True)
class Score:
    """A figure and what it was computed from.

    `value` is on the metric's natural scale, 1 = 100 %; None where `status` says why. For ratio metrics it is
    `numerator / denominator`; both are 0 for other metrics. `n` is the number of samples behind the figure, `n_failed`
    the number of those that were missing, failed, unreadable or too large.
    """

    value: float | None
    numerator: float
    denominator: float
    n: int
    n_failed: int
    direction: Direction
    status: ScoreStatus
    signature: Signature
    reason: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)  # JSON-able: alignment, averages, states

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON-able form; the signature as its printed string."""
        return {
            "value": self.value,
            "numerator": self.numerator,
            "denominator": self.denominator,
            "n": self.n,
            "n_failed": self.n_failed,
            "direction": self.direction.value,
            "status": self.status.value,
            "signature": str(self.signature),
            "reason": self.reason,
            "details": dict(self.details),
        }


Pair = tuple[PredictedText, str | None]
"""(prediction, reference). Prediction: None = missing, `Failed(reason)` = failed. Reference: None = the sample has no
ground truth of the metric's kind."""
