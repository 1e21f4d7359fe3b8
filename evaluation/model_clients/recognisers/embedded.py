"""Text models that run in this process."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Any

from evaluation.errors import LocalizedError
from evaluation.errors import gettext_noop as _
from evaluation.model_clients.failures import FailureKind
from evaluation.model_clients.recognisers.base import RecognisedPage, RecogniserFailed
from evaluation.model_clients.recognisers.engines import Engine
from evaluation.model_clients.recognisers.images import pixels_bgr
from evaluation.model_clients.recognisers.lines import Fragment, lines_from_fragments
from evaluation.model_clients.recognisers.model_loading import EmbeddedModel

MIN_CONFIDENCE = 0.5  # pieces below stay in `raw` and out of the text: mostly stains and page lines


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedRecogniser(EmbeddedModel[Engine]):
    """A text model out of a Python package."""

    def read(self, image_png: bytes) -> RecognisedPage:
        pixels = pixels_bgr(image_png)
        with self.engine() as engine:
            started = time.monotonic()
            fragments = engine.find_fragments(pixels)
            latency_s = time.monotonic() - started
        return self._reading(engine, fragments, latency_s)

    def find_pieces(self, pixels: Any) -> list[Fragment]:
        """The pieces of one more image (height x width x 3, blue, green, red), as sure as those of a page."""
        with self.engine() as engine:
            pieces = engine.find_fragments(pixels)
        return [piece for piece in pieces if piece.confidence >= MIN_CONFIDENCE]

    def _reading(self, engine: Engine, fragments: list[Fragment], latency_s: float) -> RecognisedPage:
        raw = json.dumps(
            [{"text": item.text, "score": item.confidence, "box": item.corners} for item in fragments],
            ensure_ascii=False,
        )
        parameters = engine.parameters | {"min_confidence": MIN_CONFIDENCE}
        lines = lines_from_fragments(item for item in fragments if item.confidence >= MIN_CONFIDENCE)
        if not lines:
            raise RecogniserFailed(
                FailureKind.EMPTY,
                LocalizedError(_("%(model)s found no text on this page"), model=self.model),
                raw=raw,
                attempts=1,
                parameters=parameters,
            )
        return RecognisedPage(
            text="\n".join(line.text for line in lines),
            lines=lines,
            raw=raw,
            model=self.model,
            version=self.version,
            parameters=parameters,
            latency_s=round(latency_s, 3),
        )


def fragments_of(reading: RecognisedPage) -> list[Fragment]:
    """The pieces of a page that an embedded recogniser read and kept."""
    least = float(reading.parameters["min_confidence"])
    pieces = []
    for item in json.loads(reading.raw):
        first, second, third, fourth = ((x, y) for x, y in item["box"])
        pieces.append(Fragment(item["text"], (first, second, third, fourth), item["score"]))
    return [piece for piece in pieces if piece.confidence >= least and piece.text.strip()]
