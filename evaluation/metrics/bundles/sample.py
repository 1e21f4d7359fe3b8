"""One sample as the bundles see it."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.predictions import Content, PredictionValue


@dataclass(frozen=True, slots=True)
class ScoringSample:
    """A ground truth and its prediction; a reference of None means that the sample has no ground truth.

    `structure` is `text`, `table` or `formula`; `subtask` one of OmniHandwritingOCR's six or empty; `page`
    names what the page average groups by and is the sample's own id where empty. `strata` are groups of the
    caller's (`scenario:letters`) whose corpus scores are wanted beside the bundle's own.
    """

    id: str
    structure: str
    prediction: PredictionValue
    reference: Content | None
    language: str = ""
    subtask: str = ""
    page: str = ""
    strata: tuple[str, ...] = ()
