"""Let a recogniser read a whole release: its answers become a prediction set as they come."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from config.accounts.models import User
from config.blobs import read_blob
from config.jobs.queue import enqueue
from config.jobs.services import Claim
from evaluation.errors import LocalizedError
from evaluation.errors import gettext_noop as _
from evaluation.model_clients.recogniser_record import RecogniserRecord
from evaluation.model_clients.recognisers.base import RecognisedPage, Recogniser, RecogniserFailed
from evaluation.models import (
    GoldItem,
    ModelRun,
    Prediction,
    PredictionSet,
    Release,
    System,
    SystemKind,
    columns_of,
)
from evaluation.prediction_formats import asks_for_regions
from evaluation.predictions import Failed, SubmittedPrediction, Text
from evaluation.services.build_recogniser import build_recogniser
from evaluation.services.run_model_by_region import asked_by_region, read_by_region
from evaluation.services.score_predictions import request_score

NO_IMAGE = "no_image"
NOT_IN_STORE = LocalizedError(_("The released image is not in the store."))


def request_model_run(
    *, release: Release, recogniser: RecogniserRecord, by: User, system_name: str = ""
) -> ModelRun:
    """Queue a run of these settings, frozen, under the system's name (by default the recogniser's)."""
    name = system_name or recogniser.label
    with transaction.atomic():
        system, _ = System.objects.get_or_create(
            team=release.team, name=name, defaults={"kind": SystemKind.MODEL}
        )
        answers = PredictionSet.objects.create(
            release=release,
            system=system,
            origin="run",
            provenance=recogniser.provenance(),
            created_by=by,
        )
        run = ModelRun.objects.create(
            prediction_set=answers, recogniser=recogniser.as_dict(), progress_total=release.count
        )
        enqueue(run)
    return run


def run_model(run: ModelRun, *, claim: Claim) -> None:
    """Ask for every sample that has no answer yet, or whose answer failed in an earlier run; then queue the scoring.

    Each answer and failure is kept as it comes, with the raw reply: a run that was stopped or killed goes on with
    what is missing and asks nothing twice.
    """
    record = RecogniserRecord(**run.recogniser)
    readers = {form: build_recogniser(record, form) for form in ("text", "table")}
    answers = run.prediction_set
    total = answers.release.count
    done = total - _open_items(run).count()
    claim.heartbeat(done=done, total=total)
    for item in _one_by_one(run):
        with claim.kept():
            _ask(readers, record, answers, item)
        done += 1
        claim.heartbeat(done=done, total=total)
    request_score(prediction_set=answers)


def _open_items(run: ModelRun) -> QuerySet[GoldItem]:
    """Items without an answer; a failure of this very run counts as one, an older failure does not."""
    kept = Prediction.objects.filter(prediction_set=run.prediction_set_id)
    kept = kept.filter(failure="") | kept.filter(created_at__gte=run.queued_at)
    return GoldItem.objects.filter(release=run.prediction_set.release_id).exclude(pk__in=kept.values("item"))


def _one_by_one(run: ModelRun) -> Iterator[GoldItem]:
    for pk in list(_open_items(run).order_by("position").values_list("pk", flat=True)):
        yield GoldItem.objects.get(pk=pk)


def _ask(
    readers: dict[str, Recogniser], record: RecogniserRecord, answers: PredictionSet, item: GoldItem
) -> None:
    """Keep the answer or the failure; a formula page is answered in the form that its release asks for: as a page it
    is read like any text."""
    form = "table" if item.structure == "table" else "text"
    by_region = asks_for_regions(answers.release, item)
    asked = {"prompt_version": asked_by_region(record) if by_region else record.prompt_of(form)}
    prediction: SubmittedPrediction
    try:
        if by_region:
            prediction, page = read_by_region(record, item)
        else:
            page = readers[form].recognise(read_blob(item.image_blob))
            prediction = Text(page.text)
    except (FileNotFoundError, ValueError):
        _store_failure(answers, item, NO_IMAGE, NOT_IN_STORE)
    except RecogniserFailed as failure:  # the only thing a recogniser may raise
        _store_failure(
            answers,
            item,
            failure.kind,
            failure.reason,
            raw=failure.raw,
            provenance=asked
            | {
                "attempts": failure.attempts,
                "parameters": failure.parameters,
                "dropped_parameters": list(failure.dropped_parameters),
            },
        )
    else:
        _store(answers, item, prediction, raw=page.raw, provenance=asked | _provenance(page))


def _store(
    answers: PredictionSet, item: GoldItem, prediction: SubmittedPrediction, **columns: object
) -> None:
    """Store a prediction in place of the one of an earlier attempt."""
    values = {"raw": "", "provenance": {}} | columns_of(prediction) | columns | {"created_at": timezone.now()}
    Prediction.objects.update_or_create(prediction_set=answers, item=item, defaults=values)


def _store_failure(
    answers: PredictionSet, item: GoldItem, kind: str, error: LocalizedError, **columns: object
) -> None:
    _store(answers, item, Failed(str(error), kind), message_parts=error.as_json(), **columns)


def _provenance(reading: RecognisedPage) -> dict[str, object]:
    return {
        "model": reading.model,
        "version": reading.version,
        "attempts": reading.attempts,
        "latency_seconds": reading.latency_s,
        "parameters": dict(reading.parameters),
        "dropped_parameters": list(reading.dropped_parameters),
        "is_cut_off": reading.is_cut_off,
    }
