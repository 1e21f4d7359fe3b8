"""The discussion of two differing versions: choose a version, post, disclose, escalate, decide."""

from __future__ import annotations

import uuid

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.work import AssignmentAPIView, ReasonBody
from annotation.models import Assignment
from annotation.services.resolve_dispute import (
    NotOwnReasoning,
    decide_dispute,
    disclose_reasoning,
    escalate_discussion,
    post_message,
    sign_field,
)
from annotation.stages import Stage
from annotation.visibility.labels import consensus_sheet
from annotation.worksheets import ConsensusSheet
from config.api.requests import make_once, read_body
from config.api.responses import respond
from config.api.schema import described, key_parameter
from config.api.serializers import BaseSerializer

PARTICIPANT_STAGES = (Stage.LABEL, Stage.VERIFY, Stage.ADJUDICATE)
MAX_INTEGER = 2**31 - 1


class FieldChoiceBody(BaseSerializer):
    """The version you choose for one field, written as its kind requires; null leaves the field out."""

    text = serializers.CharField(trim_whitespace=False, allow_blank=True, allow_null=True)


class MessageBody(BaseSerializer):
    text = serializers.CharField(max_length=5000)


class DecidedField(FieldChoiceBody):
    position = serializers.IntegerField(min_value=0, max_value=MAX_INTEGER)


class DecisionBody(BaseSerializer):
    """A value for every field that is still open."""

    texts = DecidedField(many=True)


class DiscussionAPIView(AssignmentAPIView):
    """Base of the views of a discussion you take part in."""

    stages: tuple[Stage, ...] = PARTICIPANT_STAGES

    def check_position(self, assignment: Assignment, position: int) -> None:
        """Raises Http404 unless the discussion has a field at this position."""
        if all(field.position != position for field in consensus_sheet(assignment).fields):
            raise Http404

    def sheet(self, assignment: Assignment, status: int = 200) -> Response:
        return respond(consensus_sheet(assignment), status=status)


class ConsensusView(DiscussionAPIView):
    @described("consensus_read", gives=ConsensusSheet)
    def get(self, request: Request, assignment_uuid: uuid.UUID) -> Response:
        """Both frozen versions and the discussion, as visible to your assignment."""
        return self.sheet(self.assignment(request, assignment_uuid))


class ConsensusSignView(DiscussionAPIView):
    stages = (Stage.LABEL, Stage.VERIFY)

    @described("consensus_sign", gives=ConsensusSheet, takes=FieldChoiceBody, refuses=[409])
    def post(self, request: Request, assignment_uuid: uuid.UUID, position: int) -> Response:
        """Choose one value for one field. The field is settled once both people have chosen the same value."""
        assignment = self.assignment(request, assignment_uuid)
        self.check_position(assignment, position)
        sign_field(assignment=assignment, position=position, **read_body(request, FieldChoiceBody))
        return self.sheet(assignment)


class ConsensusSayView(DiscussionAPIView):
    @described(
        "consensus_say",
        gives=ConsensusSheet,
        takes=MessageBody,
        also=[key_parameter()],
        status=201,
        refuses=[409],
    )
    def post(self, request: Request, assignment_uuid: uuid.UUID, position: int) -> Response:
        """Post to the thread of one field under your assignment's pseudonym."""
        assignment = self.assignment(request, assignment_uuid)
        self.check_position(assignment, position)
        body = read_body(request, MessageBody)
        make_once(
            request, body, lambda: str(post_message(assignment=assignment, position=position, **body).pk)
        )
        return self.sheet(assignment, status=201)


class ConsensusShowView(DiscussionAPIView):
    stages = (Stage.LABEL, Stage.VERIFY)

    @described(
        "consensus_show",
        gives=ConsensusSheet,
        takes=MessageBody,
        also=[key_parameter()],
        status=201,
        refuses=[409],
    )
    def post(self, request: Request, assignment_uuid: uuid.UUID) -> Response:
        """Show one of your own notes or evidence entries to the other person, exactly as listed in `disclosable`."""
        assignment = self.assignment(request, assignment_uuid)
        body = read_body(request, MessageBody)
        if body["text"] not in consensus_sheet(assignment).disclosable:
            raise NotOwnReasoning
        make_once(request, body, lambda: str(disclose_reasoning(assignment=assignment, **body).pk))
        return self.sheet(assignment, status=201)


class ConsensusEscalateView(DiscussionAPIView):
    stages = (Stage.LABEL, Stage.VERIFY)

    @described("consensus_escalate", gives=ConsensusSheet, takes=ReasonBody, refuses=[409])
    def post(self, request: Request, assignment_uuid: uuid.UUID) -> Response:
        """Pass the open fields to an adjudicator, with a reason."""
        assignment = self.assignment(request, assignment_uuid)
        escalate_discussion(assignment=assignment, **read_body(request, ReasonBody))
        return self.sheet(assignment)


class ConsensusDecideView(DiscussionAPIView):
    stages = (Stage.ADJUDICATE,)

    @described("consensus_decide", gives=ConsensusSheet, takes=DecisionBody, refuses=[409])
    def post(self, request: Request, assignment_uuid: uuid.UUID) -> Response:
        """The adjudicator settles all open fields at once."""
        assignment = self.assignment(request, assignment_uuid)
        fields = read_body(request, DecisionBody)["texts"]
        decide_dispute(assignment=assignment, texts={field["position"]: field["text"] for field in fields})
        return self.sheet(assignment)
