"""The sample that bundles score."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ScoringSample:
    """A prediction and its reference; prediction None = missing, `Failed(reason)` = failed.

    `structure` is `text`, `table`, `formula` or `grade`; `subtask` one of OmniHandwritingOCR's six, or empty; `page`
    is what page averages group by (empty: the sample's id). `strata` are groups (`scenario:letters`) that get corpus
    scores in addition to the bundle's own groups.
    """

    id: str
    structure: str
    prediction: str | None
    reference: str | None
    language: str = ""
    subtask: str = ""
    page: str = ""
    strata: tuple[str, ...] = ()
