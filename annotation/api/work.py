"""Your own work: claim the next sample, read its worksheet, save, submit, release."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.responses.work import (
    AssignmentResponse,
    LeaseResponse,
    NextSampleResponse,
    SavedDraftResponse,
    SubmittedResponse,
    assignment_response,
)
from annotation.models import Assignment
from annotation.models.kinds import EvidenceKind
from annotation.permissions import project_for
from annotation.selectors.project_tasks import tasks_by_project
from annotation.selectors.work_queue import ROLE_OF_STAGE, next_work_at
from annotation.services.claim_work import claim_work
from annotation.services.flag_sample import flag_sample
from annotation.services.record_evidence import record_evidence, record_note, record_suggestion_use
from annotation.services.renew_lease import renew_lease
from annotation.services.return_work import release_assignment, return_to_annotator, skip_sample
from annotation.services.save_draft import save_draft
from annotation.services.submit_label import mark_end_reached, submit_label
from annotation.stages import Stage
from annotation.visibility.labels import (
    assignment_for,
    assignment_state_of,
    label_sheet,
    mask_sheets,
    verify_sheet,
)
from annotation.worksheets import AssignmentState, LabelSheet, VerifySheet
from config.api.errors import invalid
from config.api.requests import make_once, person_of, read_body, read_key, read_query
from config.api.responses import PageQuery, respond, respond_page, serializer_for
from config.api.schema import described, key_parameter
from config.api.serializers import BaseSerializer

MAX_INTEGER = 2**31 - 1
SHEET = PolymorphicProxySerializer(
    component_name="Worksheet",
    serializers=[serializer_for(LabelSheet), serializer_for(VerifySheet)],
    resource_type_field_name=None,
)


class DraftBody(BaseSerializer):
    """A transcription (text and masks), the draft version it is based on, and the image it was made for."""

    text = serializers.CharField(trim_whitespace=False, allow_blank=True)
    masks = serializers.ListField(
        child=serializers.DictField(),
        required=False,
        help_text="Illegible areas: {id, shape: box | polygon | brush, points, width (of a brush), reason}."
        " If omitted, the stored masks are kept.",
    )
    base_version = serializers.IntegerField(min_value=0, max_value=MAX_INTEGER)
    image_hash = serializers.CharField(max_length=64)


class SubmitBody(DraftBody):
    """A transcription to submit."""

    mask_reason = serializers.CharField(
        max_length=300,
        allow_blank=True,
        default="",
        help_text="Required if a mask has no mark in the text, or a mark has no mask: the reason.",
    )


class ReasonBody(BaseSerializer):
    reason = serializers.CharField(max_length=2000)


class SkipBody(BaseSerializer):
    reason = serializers.CharField(max_length=300, allow_blank=True, default="")


class FlagBody(BaseSerializer):
    message = serializers.CharField(max_length=2000)


class NoteBody(BaseSerializer):
    text = serializers.CharField(max_length=5000)


class EvidenceBody(BaseSerializer):
    """A source that was consulted: a link, a summary, or both."""

    kind = serializers.ChoiceField(choices=[kind.value for kind in EvidenceKind])
    link = serializers.URLField(max_length=1000, allow_blank=True, default="")
    note = serializers.CharField(max_length=5000, allow_blank=True, default="")


class UsedSuggestionBody(BaseSerializer):
    """The suggestion that was used, whether whole or in part, and the text as used."""

    suggestion = serializers.IntegerField(min_value=0, max_value=MAX_INTEGER)
    how = serializers.ChoiceField(choices=["whole", "line", "cell", "region"])
    line = serializers.IntegerField(min_value=0, max_value=MAX_INTEGER, required=False, allow_null=True)
    text = serializers.CharField(trim_whitespace=False, allow_blank=True)


class WorkListView(APIView):
    @described("work_list", gives=AssignmentResponse, is_list=True)
    def get(self, request: Request) -> Response:
        """The samples you hold, and the discussions you take part in."""
        assignments = []
        for tasks in tasks_by_project(person_of(request)):
            held = [queue.held for queue in tasks.queues if queue.held]
            assignments += [
                assignment_response(assignment, tasks.project, is_discussion=False) for assignment in held
            ]
            assignments += [
                assignment_response(assignment, tasks.project, is_discussion=True)
                for assignment in tasks.disputes
            ]
        return respond_page(
            request,
            assignments,
            len(assignments),
            lambda assignment: assignment,
            **read_query(request, PageQuery),
        )


class NextSampleView(APIView):
    @described("work_next", gives=NextSampleResponse)
    def post(self, request: Request, slug: str, stage: str) -> Response:
        """Claim the next sample of a queue (`label`, `verify`, `adjudicate`), or get the one you already hold."""
        if stage not in ROLE_OF_STAGE:
            raise Http404
        wanted = Stage(stage)
        person = person_of(request)
        project = project_for(person, slug, ROLE_OF_STAGE[wanted])
        assignment = claim_work(person=person, project=project, stage=wanted)
        free_at = None if assignment else next_work_at(project, wanted)
        return respond(NextSampleResponse(assignment.uuid if assignment else None, wanted, free_at))


class AssignmentAPIView(APIView):
    """Base of the views of one of your assignments; `stages` are those in which the view exists, empty for all."""

    stages: tuple[Stage, ...] = (Stage.LABEL, Stage.VERIFY)

    def assignment(self, request: Request, assignment_uuid: uuid.UUID) -> Assignment:
        return assignment_for(person_of(request), assignment_uuid, *self.stages)


class WorkDetailView(AssignmentAPIView):
    @described("work_read", gives=SHEET)
    def get(self, request: Request, assignment_uuid: uuid.UUID) -> Response:
        """The worksheet, all this assignment may see: a LabelSheet for annotators, a VerifySheet for reviewers."""
        assignment = self.assignment(request, assignment_uuid)
        return respond(
            label_sheet(assignment) if assignment.stage == Stage.LABEL else verify_sheet(assignment)
        )


class WorkDraftView(AssignmentAPIView):
    @described("work_save", gives=SavedDraftResponse, takes=DraftBody, refuses=[409])
    def put(self, request: Request, assignment_uuid: uuid.UUID) -> Response:
        """Save the draft and renew the lease. 409 `newer_version` returns the stored text with the one you sent."""
        saved = save_draft(
            assignment=self.assignment(request, assignment_uuid), **read_body(request, DraftBody)
        )
        return respond(SavedDraftResponse(saved.version, saved.saved_at))


class WorkHeartbeatView(AssignmentAPIView):
    stages = ()

    @described("work_heartbeat", gives=LeaseResponse, refuses=[409])
    def post(self, request: Request, assignment_uuid: uuid.UUID) -> Response:
        """Renew the lease."""
        return respond(LeaseResponse(renew_lease(assignment=self.assignment(request, assignment_uuid))))


class WorkSubmitView(AssignmentAPIView):
    @described(
        "work_submit",
        gives=SubmittedResponse,
        takes=SubmitBody,
        also=[key_parameter(is_required=True)],
        refuses=[409],
    )
    def post(self, request: Request, assignment_uuid: uuid.UUID) -> Response:
        """Submit. Repeating an `Idempotency-Key` returns the first submission and changes nothing."""
        assignment = self.assignment(request, assignment_uuid)
        key = read_key(request, is_required=True)
        label = submit_label(assignment=assignment, idempotency_key=key, **read_body(request, SubmitBody))
        return respond(
            SubmittedResponse(assignment.uuid, label.text, mask_sheets(label.masks), label.created_at)
        )


class WorkReachedEndView(AssignmentAPIView):
    stages = (Stage.VERIFY,)

    @described("work_reached_end")
    def post(self, request: Request, assignment_uuid: uuid.UUID) -> Response:
        """Confirm that you have read the transcription to the end, as required before submitting a review."""
        mark_end_reached(assignment=self.assignment(request, assignment_uuid))
        return Response(status=204)


class WorkReleaseView(AssignmentAPIView):
    stages = ()

    @described("work_put_back", refuses=[409])
    def post(self, request: Request, assignment_uuid: uuid.UUID) -> Response:
        """Release the sample to the queue; the draft is kept."""
        release_assignment(assignment=self.assignment(request, assignment_uuid))
        return Response(status=204)


class WorkSkipView(AssignmentAPIView):
    @described("work_skip", takes=SkipBody, refuses=[409])
    def post(self, request: Request, assignment_uuid: uuid.UUID) -> Response:
        """Skip the sample permanently. It leaves your queue only."""
        assignment = self.assignment(request, assignment_uuid)
        skip_sample(assignment=assignment, reason=read_body(request, SkipBody)["reason"])
        return Response(status=204)


class WorkFlagView(AssignmentAPIView):
    stages = ()

    @described("work_flag", takes=FlagBody)
    def post(self, request: Request, assignment_uuid: uuid.UUID) -> Response:
        """Report a problem with the sample to the managers; you keep the sample."""
        assignment = self.assignment(request, assignment_uuid)
        flag_sample(assignment=assignment, message=read_body(request, FlagBody)["message"])
        return Response(status=204)


class WorkReturnView(AssignmentAPIView):
    stages = (Stage.VERIFY,)

    @described("work_return", takes=ReasonBody, refuses=[409])
    def post(self, request: Request, assignment_uuid: uuid.UUID) -> Response:
        """Second review: return the sample to the annotator, with a reason."""
        assignment = self.assignment(request, assignment_uuid)
        return_to_annotator(assignment=assignment, reason=read_body(request, ReasonBody)["reason"])
        return Response(status=204)


class WorkNotesView(AssignmentAPIView):
    stages = ()

    @described(
        "work_note", gives=AssignmentState, takes=NoteBody, also=[key_parameter()], status=201, refuses=[409]
    )
    def post(self, request: Request, assignment_uuid: uuid.UUID) -> Response:
        """Add a private note; others see it only if you disclose it in a discussion."""
        assignment = self.assignment(request, assignment_uuid)
        body = read_body(request, NoteBody)
        return _write(request, assignment, body, lambda: record_note(assignment=assignment, **body).pk)


class WorkEvidenceView(AssignmentAPIView):
    stages = ()

    @described(
        "work_evidence",
        gives=AssignmentState,
        takes=EvidenceBody,
        also=[key_parameter()],
        status=201,
        refuses=[409],
    )
    def post(self, request: Request, assignment_uuid: uuid.UUID) -> Response:
        """Log something you consulted."""
        assignment = self.assignment(request, assignment_uuid)
        body = read_body(request, EvidenceBody)
        if not body["link"] and not body["note"]:
            raise invalid(note=_("Give a link, or describe what you learned."))
        return _write(request, assignment, body, lambda: record_evidence(assignment=assignment, **body).pk)


def _write(
    request: Request, assignment: Assignment, body: dict[str, object], make: Callable[[], int]
) -> Response:
    make_once(request, body, lambda: str(make()))
    return respond(assignment_state_of(assignment), status=201)


class WorkTakenView(AssignmentAPIView):
    stages = (Stage.LABEL,)

    @described("work_taken", takes=UsedSuggestionBody, refuses=[409])
    def post(self, request: Request, assignment_uuid: uuid.UUID) -> Response:
        """Record that a suggestion went into your text."""
        assignment = self.assignment(request, assignment_uuid)
        body = read_body(request, UsedSuggestionBody)
        record_suggestion_use(
            assignment=assignment,
            suggestion_id=body["suggestion"],
            how=body["how"],
            line=body.get("line"),
            text=body["text"],
        )
        return Response(status=204)
