"""The discussion between two versions: sign, say, show, escalate, decide."""

from __future__ import annotations

import uuid

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.work import AssignmentView, ReasonBody
from annotation.models import Assignment
from annotation.services.resolve_dispute import (
    decide_dispute,
    disclose_reasoning,
    escalate_discussion,
    post_message,
    sign_field,
)
from annotation.stages import Stage
from annotation.visibility.labels import consensus_sheet
from annotation.worksheets import ConsensusSheet
from config.api.errors import invalid
from config.api.requests import make_once, read_body
from config.api.responses import respond
from config.api.schema import described, key_parameter
from config.api.serializers import BaseSerializer

SEATS = (Stage.LABEL, Stage.VERIFY, Stage.ADJUDICATE)
MAX_INTEGER = 2**31 - 1


class LineBody(BaseSerializer):
    """What you stand behind for one field, as its kind is written; null: it is left out."""

    text = serializers.CharField(trim_whitespace=False, allow_blank=True, allow_null=True)


class MessageBody(BaseSerializer):
    text = serializers.CharField(max_length=5000)


class DecidedLine(LineBody):
    position = serializers.IntegerField(min_value=0, max_value=MAX_INTEGER)


class DecisionBody(BaseSerializer):
    """A value for every field that is still open."""

    texts = DecidedLine(many=True)


class DiscussionView(AssignmentView):
    """A view of a discussion you take part in."""

    stages: tuple[Stage, ...] = SEATS

    def line(self, assignment: Assignment, position: int) -> None:
        """Raise Http404 unless the discussion has a field there."""
        if all(field.position != position for field in consensus_sheet(assignment).fields):
            raise Http404

    def sheet(self, assignment: Assignment, status: int = 200) -> Response:
        return respond(consensus_sheet(assignment), status=status)


class Discussion(DiscussionView):
    @described("consensus_read", gives=ConsensusSheet)
    def get(self, request: Request, assignment_uuid: uuid.UUID) -> Response:
        """Both frozen versions and the discussion, as your assignment sees them."""
        return self.sheet(self.assignment(request, assignment_uuid))


class Sign(DiscussionView):
    stages = (Stage.LABEL, Stage.VERIFY)

    @described("consensus_sign", gives=ConsensusSheet, takes=LineBody, refuses=[409])
    def post(self, request: Request, assignment_uuid: uuid.UUID, position: int) -> Response:
        """Put your name to one value for one field. When both stand behind the same value the field is settled."""
        assignment = self.assignment(request, assignment_uuid)
        self.line(assignment, position)
        sign_field(assignment=assignment, position=position, **read_body(request, LineBody))
        return self.sheet(assignment)


class Say(DiscussionView):
    @described(
        "consensus_say",
        gives=ConsensusSheet,
        takes=MessageBody,
        also=[key_parameter()],
        status=201,
        refuses=[409],
    )
    def post(self, request: Request, assignment_uuid: uuid.UUID, position: int) -> Response:
        """Add to the thread of one field, under your assignment's pseudonym."""
        assignment = self.assignment(request, assignment_uuid)
        self.line(assignment, position)
        body = read_body(request, MessageBody)
        make_once(
            request, body, lambda: str(post_message(assignment=assignment, position=position, **body).pk)
        )
        return self.sheet(assignment, status=201)


class Show(DiscussionView):
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
        """Show the other side one of your own notes or entries, to the letter as `disclosable` lists it."""
        assignment = self.assignment(request, assignment_uuid)
        body = read_body(request, MessageBody)
        if body["text"] not in consensus_sheet(assignment).disclosable:
            raise invalid(text=_("Choose one of your own notes or evidence entries."))
        make_once(request, body, lambda: str(disclose_reasoning(assignment=assignment, **body).pk))
        return self.sheet(assignment, status=201)


class Escalate(DiscussionView):
    stages = (Stage.LABEL, Stage.VERIFY)

    @described("consensus_escalate", gives=ConsensusSheet, takes=ReasonBody, refuses=[409])
    def post(self, request: Request, assignment_uuid: uuid.UUID) -> Response:
        """A stalemate: hand what is open to an adjudicator, with a reason."""
        assignment = self.assignment(request, assignment_uuid)
        escalate_discussion(assignment=assignment, **read_body(request, ReasonBody))
        return self.sheet(assignment)


class Decide(DiscussionView):
    stages = (Stage.ADJUDICATE,)

    @described("consensus_decide", gives=ConsensusSheet, takes=DecisionBody, refuses=[409])
    def post(self, request: Request, assignment_uuid: uuid.UUID) -> Response:
        """The adjudicator settles every open field at once."""
        assignment = self.assignment(request, assignment_uuid)
        lines = read_body(request, DecisionBody)["texts"]
        decide_dispute(assignment=assignment, texts={line["position"]: line["text"] for line in lines})
        return self.sheet(assignment)
