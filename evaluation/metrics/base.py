"""What a score is: the one shape every metric returns, for people and models alike.

A score keeps its counts (numerator, denominator) so that a corpus adds up exactly, says in words when there
is no number, and carries a signature, so that two scores are comparable exactly when their signatures are
equal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any


class Direction(StrEnum):
    """Which way is better."""

    HIGHER = "higher"
    LOWER = "lower"


class ScoreStatus(StrEnum):
    """Why a score has, or lacks, its value. Only SCORED and the worst-valued states carry a number."""

    SCORED = "scored"
    MISSING = "missing"  # no prediction was handed in: scored as the worst value, and counted
    FAILED = "failed"  # the system tried and broke: scored as the worst value, and counted
    EMPTY_REFERENCE = "empty_reference"  # an answer where there was nothing to read
    BOTH_EMPTY = "both_empty"  # an empty page answered with nothing
    INVALID_REFERENCE = "invalid_reference"  # the gold cannot be read in this metric's language: n/a
    INVALID_PREDICTION = "invalid_prediction"  # the answer cannot be read: worst value
    TOO_LARGE = "too_large"  # over a named size limit: no value, never approximated (edge.py: what it costs)
    NOT_APPLICABLE = "not_applicable"  # e.g. a table metric on a sample without tables
    UNDEFINED = "undefined"  # the statistic does not exist for these data; `reason` says why


@dataclass(frozen=True, slots=True)
class Signature:
    """The settings that made a score, printed as `metric|preset:..|rev:..|lib:ver,..|data:..`."""

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
        """The same settings, stamped with the data revision (a release checksum) they were applied to."""
        return replace(self, data=revision)


@dataclass(frozen=True, slots=True)
class Score:
    """One figure and what it is made of.

    `value` is on the metric's natural scale with 1 = 100 %; None when `status` says there is no number.
    `numerator / denominator` give `value` for the ratio metrics (both 0 where a metric is not a ratio).
    `n` counts the samples behind the figure, `n_failed` those of them that were missing or failed.
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


class Failed(str):
    """In place of a prediction: the system tried and broke; the text is the reason, never an answer.

    A string, so that it travels wherever predictions do (files, workers, `Pair`s); `edge.edge_score` is the
    one place that tells it apart.

    >>> pair = (Failed("timeout after 3 retries"), "the gold text")
    """

    __slots__ = ()


Pair = tuple[str | None, str | None]
"""(prediction, reference). A prediction of None = missing, `Failed(reason)` = failed; a reference of
None = this sample has no gold of the metric's kind."""


@dataclass(frozen=True, slots=True)
class MetricSpec:
    """A registry entry: how pages, the scorer and the command line find a metric."""

    name: str  # "edit"
    label: str  # "Edit distance (normalised)"
    direction: Direction
    kinds: frozenset[str]  # payload kinds it applies to: "text", "table", "formula", "grade"
    presets: tuple[str, ...]  # first is the default for new projects
    sample: Callable[..., Score]
    corpus: Callable[..., Score]
    worst: float  # what a missing or failed answer scores
    ratio_name: str = ""  # what the denominator counts, in words
    make_accumulator: Callable[[str], Any] | None = (
        None  # preset -> an empty `aggregation.Accumulator` for its sample scores
    )
    average: str = "sample"  # which average of the tally is the headline figure of a corpus
