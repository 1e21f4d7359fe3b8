"""Ask the recognisers for suggestions: one request for each sample and recogniser.

Replies and failures are stored as received. A sample goes to the annotators when all its requests have ended, even
if they failed. Failed requests can be repeated later; their suggestions then appear beside the editor.
"""

from __future__ import annotations

from collections.abc import Iterable

from annotation.models import Project, RecogniserSetting, Sample, Suggestion, SuggestionRequest, Work
from annotation.selectors.recognisers import recogniser_record_of
from annotation.services.build_gold_record import make_image_for_models
from annotation.services.move_work import StaleWork, make_move
from annotation.stages import Actor, IllegalMove, Intake, Stage, Status, Verb
from config.blobs import blob_hash, read_blob
from config.jobs.models import JobState
from config.jobs.queue import enqueue_all
from config.jobs.services import Claim
from evaluation.errors import LocalizedError
from evaluation.errors import gettext_noop as _
from evaluation.model_clients.recognisers.base import RecognisedPage, RecogniserFailed
from evaluation.services.build_recogniser import build_recogniser


def request_suggestions(*, project: Project, samples: Iterable[Sample] | None = None) -> int:
    """Queue the missing requests of samples that are ready (by default, all of the project). Returns their number.

    Requests that failed or were cancelled are queued again; those that succeeded never are. In a project without
    recognisers the samples go straight to the annotators.
    """
    recognisers = list(project.recognisers.filter(retired_at=None))
    ready = Sample.objects.filter(project=project, intake=Intake.READY)
    if samples is not None:
        ready = ready.filter(pk__in=[sample.pk for sample in samples])
    ready = ready.exclude(work__stage=Stage.DONE).exclude(work__status=Status.WITHDRAWN)
    queued = sum(_queue(recogniser, ready) for recogniser in recognisers)
    if not recognisers:
        for sample in ready.filter(work__stage=Stage.PREANNOTATE):
            finish_preannotation(sample=sample)
    if queued:
        enqueue_all(SuggestionRequest)
    return queued


def _queue(recogniser: RecogniserSetting, ready: Iterable[Sample]) -> int:
    existing = set(
        SuggestionRequest.objects.filter(recogniser=recogniser).values_list("sample_id", flat=True)
    )
    new = [
        SuggestionRequest(sample=sample, recogniser=recogniser)
        for sample in ready
        if sample.pk not in existing
    ]
    SuggestionRequest.objects.bulk_create(new, batch_size=500, ignore_conflicts=True)
    again = SuggestionRequest.objects.filter(
        recogniser=recogniser, state__in=[JobState.FAILED, JobState.CANCELLED], sample__in=ready
    )
    return len(new) + again.update(state=JobState.QUEUED, attempts=0, error="", cancel_requested_at=None)


class NoSuggestion(LocalizedError):
    """The recogniser gave no suggestion; the message says why."""


def run_suggestion_request(request: SuggestionRequest, *, claim: Claim) -> None:
    """Send the released image to a recogniser, once, and store its reply. Raises NoSuggestion on a failure.

    A request that has a suggestion already (its worker died after storing it) only moves the sample on.
    """
    try:
        if not request.answers.filter(failure="").exists():
            claim.heartbeat(done=0, total=1)
            with claim.kept():
                _ask(request)
    finally:
        finish_preannotation(sample=request.sample)


def _ask(request: SuggestionRequest) -> None:
    setting = request.recogniser
    image = read_blob(make_image_for_models(sample=request.sample).blob)
    try:
        reading = build_recogniser(recogniser_record_of(setting), request.sample.structure).recognise(image)
    except RecogniserFailed as failure:  # the only thing a recogniser may raise
        Suggestion.objects.create(
            request=request,
            failure=failure.kind,
            message=str(failure.reason),
            message_parts=failure.reason.as_json(),
            raw=failure.raw,
            image_hash=blob_hash(image),
            provenance=_provenance(request)
            | {
                "attempts": failure.attempts,
                "parameters": failure.parameters,
                "dropped_parameters": list(failure.dropped_parameters),
            },
        )
        raise NoSuggestion.from_error(failure.reason) from failure
    _store(request, reading, blob_hash(image))


def _store(request: SuggestionRequest, reading: RecognisedPage, image_hash: str) -> None:
    if not Sample.objects.filter(pk=request.sample_id, released_blob=image_hash).exists():
        raise NoSuggestion(_("the image was redacted in the meantime; it is being read again"))
    Suggestion.objects.create(
        request=request,
        text=reading.text,
        lines=[
            {
                "text": line.text,
                "box": list(line.box) if line.box else None,
                "confidence": line.confidence,
            }
            for line in reading.lines
        ],
        raw=reading.raw,
        latency_seconds=reading.latency_s,
        image_hash=image_hash,
        provenance=_provenance(request)
        | {
            "model": reading.model,
            "version": reading.version,
            "attempts": reading.attempts,
            "parameters": dict(reading.parameters),
            "dropped_parameters": list(reading.dropped_parameters),
            "is_cut_off": reading.is_cut_off,
            "left_out": reading.left_out,
        },
    )


def _provenance(request: SuggestionRequest) -> dict[str, object]:
    setting, structure = request.recogniser, request.sample.structure
    return recogniser_record_of(setting).provenance(structure) | {
        "setting": setting.pk,
        "structure": structure,
    }


def finish_preannotation(*, sample: Sample) -> None:
    """Give the sample to the annotators once every request for it has a suggestion or a failure.

    This looks at the stored suggestions and not at the requests' states: of two requests that end together each sees
    the other's suggestion, so one of them is sure to move the sample.
    """
    pending = SuggestionRequest.objects.filter(
        sample=sample,
        recogniser__retired_at=None,
        answers=None,
        state__in=[JobState.QUEUED, JobState.RUNNING],
    )
    work = Work.objects.filter(sample=sample, stage=Stage.PREANNOTATE, status=Status.OPEN).first()
    if work is None or pending.exists():
        return
    try:
        make_move(work=work, verb=Verb.SUGGESTED, actor=None, role=Actor.SYSTEM)
    except (StaleWork, IllegalMove):
        return  # another request of the same sample has just moved it
