"""What a recogniser is: bytes of a page image in, a RecognisedPage out, or a RecogniserFailed that says why not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from evaluation.model_clients.failures import ModelCallFailed

Box = tuple[float, float, float, float]


class RecogniserFailed(ModelCallFailed):
    """A recogniser gave no reading of the page; there is nothing to show but this."""


@dataclass(frozen=True, slots=True)
class RecognisedLine:
    """One line of the page: its text, its box (left, top, right, bottom) in pixels of the image that was sent
    and the recogniser's own confidence from 0 to 1; None where the recogniser tells no box or confidence."""

    text: str
    box: Box | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecognisedPage:
    """What a recogniser read, with all that is needed to know later where it came from.

    `text` is Markdown, the lines joined by newlines in reading order, and never blank. `raw` is the answer
    before anything was taken out of it. `parameters` are those of the request that was answered;
    `dropped_parameters` were refused on the way there. `latency_s` is that of the last request alone.
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
    is_cut_off: bool = False  # the answer ended at the token limit, not by itself
    left_out: int = 0  # lines that were read and are not offered: words on a page of formulas


class Recogniser(Protocol):
    """Anything that reads a page."""

    def read(self, image_png: bytes) -> RecognisedPage:
        """Read a PNG; raises RecogniserFailed, and nothing else, when there is no reading."""
        ...
