"""One sample as the bundles see it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ScoringSample:
    """A gold and its answer; prediction None = missing, `Failed(reason)` = failed.

    `structure` is `text`, `table` or `formula`; `subtask` one of OmniHandwritingOCR's six or empty; `page`
    names what the page average groups by and is the sample's own id where empty. `strata` are groups of the
    caller's (`scenario:letters`) whose corpus scores are wanted beside the bundle's own.
    """

    id: str
    structure: str
    prediction: str | None
    reference: str | None
    language: str = ""
    subtask: str = ""
    page: str = ""
    strata: tuple[str, ...] = ()
