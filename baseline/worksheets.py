"""The complete list of what each page of a session may show. Frozen, primitives only, no Django."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from baseline.protocol import SessionPage


@dataclass(frozen=True, slots=True)
class RegionComparison:
    """One region after practice: the LaTeX that was written and that of the ground truth."""

    number: int
    written: str
    gold: str


@dataclass(frozen=True, slots=True)
class WritingSheet:
    """An image and the text being written for it. `key` names image and task; `gold` is set in practice only,
    after the own text was submitted."""

    key: str
    structure: str
    format: str  # what the text field holds: text, table or regions
    language: str
    width: int
    height: int
    text: str
    text_version: int
    saved_at: str  # ISO 8601, "" before the first save
    remaining_seconds: float | None  # None = no limit
    guideline_number: int
    guideline_text: str
    regions: tuple[dict[str, Any], ...] = ()  # number and polygon, in pixels of the image
    gold: str | None = None
    compared: tuple[RegionComparison, ...] = ()  # with `gold`, where the answer is keyed by region


@dataclass(frozen=True, slots=True)
class SessionSheet:
    """One page of one session."""

    session: str
    page: SessionPage
    version: int
    name: str
    place: int  # of this item or practice sample, from 1
    total: int
    n_practice: int
    time_limit_seconds: int | None = None
    gap_minutes: int = 0
    break_every: int = 0
    consent_number: int = 0
    consent_text: str = ""
    brief: str = ""
    questions: tuple[dict[str, Any], ...] = field(default=())
    written: WritingSheet | None = None
