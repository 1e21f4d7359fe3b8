"""The sample that bundles score."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.predictions import Content, PredictionValue


@dataclass(frozen=True, slots=True)
class ScoringSample:
    """A prediction and its reference; a reference of None means that the sample has no ground truth.

    `structure` is `text`, `table`, `formula` or `grade`; `subtask` one of OmniHandwritingOCR's six, or empty; `page`
    is what page averages group by (empty: the sample's id). `strata` are groups (`scenario:letters`) that get corpus
    scores in addition to the bundle's own groups.
    """

    id: str
    structure: str
    prediction: PredictionValue
    reference: Content | None
    language: str = ""
    subtask: str = ""
    page: str = ""
    strata: tuple[str, ...] = ()
