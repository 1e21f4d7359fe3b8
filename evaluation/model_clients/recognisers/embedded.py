"""Recognisers that run in this process: loaded at the first page, kept for the life of the process."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from evaluation.model_clients.failures import FailureKind
from evaluation.model_clients.recognisers.base import Reading, RecogniserFailed
from evaluation.model_clients.recognisers.engines import Engine, package_version
from evaluation.model_clients.recognisers.images import pixels_bgr
from evaluation.model_clients.recognisers.lines import Fragment, lines_from_fragments
from evaluation.told import Told
from evaluation.told import gettext_noop as _

MIN_CONFIDENCE = 0.5  # pieces below stay in `raw` and out of the text: mostly stains and page lines

_engines: dict[str, Engine] = {}
_orphans: list[dict[str, Engine]] = []
_lock = threading.Lock()  # the models keep state between calls: one page at a time per process


def _start_afresh() -> None:
    """In a forked child: the models' threads stayed with the parent, and the lock may be held by nobody here.

    The parent's models are kept, never used: to drop one would wait for its threads for ever.
    """
    global _engines, _lock
    _orphans.append(_engines)
    _engines = {}
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_afresh)


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedRecogniser:
    """A text model out of a Python package, run offline on the processor."""

    key: str
    model: str
    distribution: str
    modules: tuple[str, ...]
    mend: str
    load: Callable[[], Engine]

    def missing(self) -> Told | None:
        """What is not installed and how to mend it; None when the recogniser can run. Loads nothing."""
        absent = [name for name in self.modules if find_spec(name) is None]
        if not absent:
            return None
        return Told(_("%(names)s is not installed; run: %(mend)s"), names=", ".join(absent), mend=self.mend)

    def read(self, image_png: bytes) -> Reading:
        pixels = pixels_bgr(image_png)
        with _lock:
            engine = self._engine()
            started = time.monotonic()
            try:
                fragments = engine.find_fragments(pixels)
            except Exception as error:  # whatever a model's own code raises is one page's failure
                raise RecogniserFailed(
                    FailureKind.SERVER_ERROR,
                    Told(
                        _("%(model)s broke on this page: %(why)s"),
                        model=self.model,
                        why=f"{type(error).__name__}: {error}",
                    ),
                    attempts=1,
                    parameters=engine.parameters,
                ) from error
            latency_s = time.monotonic() - started
        return self._reading(engine, fragments, latency_s)

    def find_pieces(self, pixels: Any) -> list[Fragment]:
        """The pieces of one more picture (height x width x 3, blue, green, red), as sure as those of a page."""
        with _lock:
            pieces = self._engine().find_fragments(pixels)
        return [piece for piece in pieces if piece.confidence >= MIN_CONFIDENCE]

    def _engine(self) -> Engine:
        engine = _engines.get(self.key)
        if engine is None:
            if missing := self.missing():
                raise RecogniserFailed(FailureKind.NOT_INSTALLED, missing)
            try:
                engine = _engines[self.key] = self.load()
            except Exception as error:  # a missing system library or model file shows itself only here
                raise RecogniserFailed(
                    FailureKind.NOT_INSTALLED,
                    Told(
                        _("%(model)s cannot be loaded (%(why)s); run: %(mend)s"),
                        model=self.model,
                        why=f"{type(error).__name__}: {error}",
                        mend=self.mend,
                    ),
                ) from error
        return engine

    def _reading(self, engine: Engine, fragments: list[Fragment], latency_s: float) -> Reading:
        raw = json.dumps(
            [{"text": item.text, "score": item.confidence, "box": item.corners} for item in fragments],
            ensure_ascii=False,
        )
        parameters = engine.parameters | {"min_confidence": MIN_CONFIDENCE}
        lines = lines_from_fragments(item for item in fragments if item.confidence >= MIN_CONFIDENCE)
        if not lines:
            raise RecogniserFailed(
                FailureKind.EMPTY,
                Told(_("%(model)s found no text on this page"), model=self.model),
                raw=raw,
                attempts=1,
                parameters=parameters,
            )
        return Reading(
            text="\n".join(line.text for line in lines),
            lines=lines,
            raw=raw,
            model=self.model,
            version=f"{self.distribution} {package_version(self.distribution)}",
            parameters=parameters,
            latency_s=round(latency_s, 3),
        )
