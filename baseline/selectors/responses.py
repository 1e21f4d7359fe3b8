"""A participant's response as a prediction record, and in the form in which responses are compared."""

from __future__ import annotations

import json

from baseline.models import Response, ResponseKind, Task
from baseline.response_formats import comparable, regions_in
from baseline.selectors.sessions import format_of
from evaluation.metrics.normalise import normalise
from evaluation.prediction_formats import asks_for_regions
from evaluation.predictions import Failed, Regions, Text
from evaluation.records import PredictionRecord

CANNOT_READ = "cannot_read"


def record_of(task: Task) -> PredictionRecord | None:
    """One answer as it crosses to the scorer; None where nothing was received (missing, never empty)."""
    answer = task.answer
    about = {"timed_out": answer.is_timed_out, "received_at": answer.received_at.isoformat()}
    if answer.kind == ResponseKind.NOTHING:
        return None
    if answer.kind == ResponseKind.CANNOT_READ:
        return PredictionRecord(task.item.sample_id, Failed(CANNOT_READ), provenance=about)
    if asks_for_regions(task.item.release, task.item):
        return PredictionRecord(task.item.sample_id, Regions(_regions(answer)), provenance=about)
    return PredictionRecord(task.item.sample_id, Text(answer.text), raw=answer.text, provenance=about)


def _regions(answer: Response) -> dict[str, str]:
    numbers = [region["number"] for region in answer.task.item.record["regions"]]
    return regions_in(answer.text, numbers)


def compared_text(task: Task) -> str | None:
    """An answer in the form in which answers are compared with each other; None for "I cannot read this"."""
    answer = task.answer
    if answer.kind == ResponseKind.CANNOT_READ:
        return None
    if asks_for_regions(task.item.release, task.item):
        return json.dumps(dict(sorted(_regions(answer).items())), ensure_ascii=False)
    if task.item.structure == "text":
        return normalise(answer.text)
    return comparable(answer.text, format_of(task.item))
