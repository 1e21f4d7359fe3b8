"""The interface of a recogniser: a PNG in, a RecognisedPage out, or a RecogniserFailed that says why not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from evaluation.model_clients.failures import ModelCallFailed

Box = tuple[float, float, float, float]  # left, top, right, bottom


class RecogniserFailed(ModelCallFailed):
    """A recogniser recognised nothing on the page; there is only this failure to show."""


@dataclass(frozen=True, slots=True)
class RecognisedLine:
    """One line of the page: its text, its box in pixels of the image that was sent, and the recogniser's own confidence
    (0..1). Box and confidence are None if the recogniser gives none."""

    text: str
    box: Box | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecognisedPage:
    """What a recogniser found on a page, and the provenance of it.

    `text` is Markdown, the lines in reading order joined by newlines; it is never blank. `raw` is the unprocessed
    result. `parameters` are those of the successful request; `dropped_parameters` were rejected before it. `latency_s`
    is the time of the last request alone.
    """

    text: str
    lines: tuple[RecognisedLine, ...]
    raw: str
    model: str
    version: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    dropped_parameters: tuple[str, ...] = ()
    attempts: int = 1
    latency_s: float = 0.0
    is_cut_off: bool = False  # the reply ended at the token limit
    left_out: int = 0  # recognised lines that are not suggested: prose on a formula page


class Recogniser(Protocol):
    """Anything that recognises the text of a page."""

    def recognise(self, image_png: bytes) -> RecognisedPage:
        """Recognise the page on a PNG. Raises RecogniserFailed, and nothing else, if nothing was recognised."""
        ...
