"""Let a recogniser answer a formula page region by region.

An endpoint gets the page with its numbered outlines and is asked for one JSON object. A built-in recogniser, which
reads images and follows no instruction, gets each region cut out by itself; one it finds nothing in is left out.
"""

from __future__ import annotations

from dataclasses import replace

from config.blobs import read_blob
from evaluation.errors import LocalizedError
from evaluation.errors import gettext_noop as _
from evaluation.metrics.edge_cases import TooLarge
from evaluation.metrics.matching import UnreadablePrediction, read_region_predictions
from evaluation.model_clients.failures import FailureKind
from evaluation.model_clients.prompts import load_prompt
from evaluation.model_clients.recogniser_record import EMBEDDED, RecogniserRecord
from evaluation.model_clients.recognisers.base import RecognisedPage, RecogniserFailed
from evaluation.models import GoldItem
from evaluation.predictions import Regions
from evaluation.rendering.region_images import crop_region
from evaluation.services.build_recogniser import build_recogniser

PROMPT = "formula_regions"


def asked_by_region(record: RecogniserRecord) -> str:
    """The name and version of the instruction that asks for regions; "" for a recogniser that is asked nothing."""
    return "" if record.kind == EMBEDDED else load_prompt(PROMPT).label


def read_by_region(record: RecogniserRecord, item: GoldItem) -> tuple[Regions, RecognisedPage]:
    """LaTeX by region number, and the recognised page it comes from (of cut-out regions, the last).

    Raises RecogniserFailed, also for an answer that holds no regions, and FileNotFoundError without an image.
    """
    return _cut_out(record, item) if record.kind == EMBEDDED else _outlined(record, item)


def _outlined(record: RecogniserRecord, item: GoldItem) -> tuple[Regions, RecognisedPage]:
    prompt = load_prompt(PROMPT)
    asked = replace(record, prompt=prompt.text, prompt_version=prompt.label)
    reading = build_recogniser(asked).recognise(read_blob(item.outlines_blob or item.image_blob))
    known = {str(region["number"]) for region in item.record["regions"]}
    try:
        answers = read_region_predictions(reading.text)
    except (UnreadablePrediction, TooLarge) as fault:
        message = fault if isinstance(fault, LocalizedError) else LocalizedError(_("the reply is too long"))
        raise RecogniserFailed(
            FailureKind.GARBAGE,
            message.within(_("No prediction by region")),
            raw=reading.raw,
            attempts=reading.attempts,
        ) from None
    return Regions({number: latex for number, latex in answers.items() if number in known}), reading


def _cut_out(record: RecogniserRecord, item: GoldItem) -> tuple[Regions, RecognisedPage]:
    recogniser = build_recogniser(record)
    page = read_blob(item.image_blob)
    answers: dict[str, str] = {}
    last: RecognisedPage | None = None
    failed: RecogniserFailed | None = None
    for region in item.gold.regions:
        try:
            last = recogniser.recognise(crop_region(page, region))
        except RecogniserFailed as fault:
            failed = fault
        else:
            answers[str(region.number)] = last.text
    if last is None:
        raise failed or RecogniserFailed(FailureKind.GARBAGE, LocalizedError(_("The page has no regions.")))
    return Regions(answers), last
