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
from evaluation.models import GoldItem, ModelRun, Prediction, PredictionSet, Release, System, SystemKind
from evaluation.prediction_formats import asks_for_regions
from evaluation.services.build_recogniser import build_recogniser
from evaluation.services.run_model_by_region import asked_by_region, read_regions
from evaluation.services.score_predictions import request_score

NO_PICTURE = "no_image"
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
    regions = None
    form = "table" if item.structure == "table" else "text"
    by_region = asks_for_regions(answers.release, item)
    asked = {"prompt_version": asked_by_region(record) if by_region else record.prompt_of(form)}
    try:
        if by_region:
            regions, reading = read_regions(record, item)
        else:
            reading = readers[form].read(read_blob(item.image_blob))
    except (FileNotFoundError, ValueError):
        _keep(answers, item, failure=NO_PICTURE, **_words(NOT_IN_STORE))
    except RecogniserFailed as failure:  # the only thing a recogniser may raise
        _keep(
            answers,
            item,
            failure=failure.kind,
            **_words(failure.reason),
            raw=failure.raw,
            provenance=asked
            | {
                "attempts": failure.attempts,
                "parameters": failure.parameters,
                "dropped_parameters": list(failure.dropped_parameters),
            },
        )
    else:
        _keep(
            answers,
            item,
            text="" if regions is not None else reading.text,
            regions=regions,
            raw=reading.raw,
            provenance=asked | _provenance(reading),
        )


def _keep(answers: PredictionSet, item: GoldItem, **columns: object) -> None:
    """Put an answer or a failure in place of what stood there from an earlier attempt."""
    blank: dict[str, object] = {
        "text": "",
        "regions": None,
        "failure": "",
        "message": "",
        "message_parts": [],
        "raw": "",
        "provenance": {},
    }
    Prediction.objects.update_or_create(
        prediction_set=answers, item=item, defaults=blank | columns | {"created_at": timezone.now()}
    )


def _words(told: LocalizedError) -> dict[str, object]:
    return {"message": str(told), "message_parts": told.as_json()}


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
