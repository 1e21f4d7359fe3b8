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
from evaluation.model_clients.recognisers.images import decode_bgr
from evaluation.model_clients.recognisers.lines import Fragment, lines_from_fragments
from evaluation.model_clients.recognisers.model_loading import EmbeddedModel

MIN_CONFIDENCE = (
    0.5  # fragments below it, mostly stains and ruled lines, are kept in `raw` but not in the text
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedRecogniser(EmbeddedModel[Engine]):
    """A text model from a Python package."""

    def recognise(self, image_png: bytes) -> RecognisedPage:
        pixels = decode_bgr(image_png)
        with self.engine() as engine:
            started = time.monotonic()
            fragments = engine.detect_fragments(pixels)
            latency_s = time.monotonic() - started
        return self._to_page(engine, fragments, latency_s)

    def detect_fragments(self, pixels: Any) -> list[Fragment]:
        """The fragments of an image (uint8, height x width x 3, BGR) with at least MIN_CONFIDENCE."""
        with self.engine() as engine:
            fragments = engine.detect_fragments(pixels)
        return [fragment for fragment in fragments if fragment.confidence >= MIN_CONFIDENCE]

    def _to_page(self, engine: Engine, fragments: list[Fragment], latency_s: float) -> RecognisedPage:
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


def kept_fragments(page: RecognisedPage) -> list[Fragment]:
    """The fragments of a page by an embedded recogniser that are in its text, parsed from `raw`."""
    min_confidence = float(page.parameters["min_confidence"])
    fragments = []
    for item in json.loads(page.raw):
        first, second, third, fourth = ((x, y) for x, y in item["box"])
        fragments.append(Fragment(item["text"], (first, second, third, fourth), item["score"]))
    return [
        fragment for fragment in fragments if fragment.confidence >= min_confidence and fragment.text.strip()
    ]
