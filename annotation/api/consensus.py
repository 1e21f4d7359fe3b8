"""The discussion between two versions: sign, say, show, escalate, decide."""

from __future__ import annotations

import uuid

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.work import ReasonBody, SeatView
from annotation.models import Assignment
from annotation.services.resolve_dispute import decide, disclose, escalate_from_seat, post_message, sign
from annotation.stages import Stage
from annotation.visibility.labels import consensus_sheet
from annotation.worksheets import ConsensusSheet
from config.api.errors import invalid
from config.api.requests import make_once, read_body
from config.api.responses import answer
from config.api.schema import described, key_parameter
from config.api.serializers import Shape

SEATS = (Stage.LABEL, Stage.VERIFY, Stage.ADJUDICATE)
MAX_INTEGER = 2**31 - 1


class LineBody(Shape):
    """What you stand behind for one field, as its kind is written; null: it is left out."""

    text = serializers.CharField(trim_whitespace=False, allow_blank=True, allow_null=True)


class MessageBody(Shape):
    text = serializers.CharField(max_length=5000)


class DecidedLine(LineBody):
    position = serializers.IntegerField(min_value=0, max_value=MAX_INTEGER)


class DecisionBody(Shape):
    """A value for every field that is still open."""

    texts = DecidedLine(many=True)


class DiscussionView(SeatView):
    """A view of a discussion you take part in."""

    stages: tuple[Stage, ...] = SEATS

    def line(self, seat: Assignment, position: int) -> None:
        """Raise Http404 unless the discussion has a field there."""
        if all(field.position != position for field in consensus_sheet(seat).fields):
            raise Http404

    def sheet(self, seat: Assignment, status: int = 200) -> Response:
        return answer(consensus_sheet(seat), status=status)


class Discussion(DiscussionView):
    @described("consensus_read", gives=ConsensusSheet)
    def get(self, request: Request, seat: uuid.UUID) -> Response:
        """Both frozen versions and the discussion, as your seat sees them."""
        return self.sheet(self.seat(request, seat))


class Sign(DiscussionView):
    stages = (Stage.LABEL, Stage.VERIFY)

    @described("consensus_sign", gives=ConsensusSheet, takes=LineBody, refuses=[409])
    def post(self, request: Request, seat: uuid.UUID, position: int) -> Response:
        """Put your name to one value for one field. When both stand behind the same value the field is settled."""
        found = self.seat(request, seat)
        self.line(found, position)
        sign(assignment=found, position=position, **read_body(request, LineBody))
        return self.sheet(found)


class Say(DiscussionView):
    @described(
        "consensus_say",
        gives=ConsensusSheet,
        takes=MessageBody,
        also=[key_parameter()],
        status=201,
        refuses=[409],
    )
    def post(self, request: Request, seat: uuid.UUID, position: int) -> Response:
        """Add to the thread of one field, under your seat's pseudonym."""
        found = self.seat(request, seat)
        self.line(found, position)
        body = read_body(request, MessageBody)
        make_once(request, body, lambda: str(post_message(assignment=found, position=position, **body).pk))
        return self.sheet(found, status=201)


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
    def post(self, request: Request, seat: uuid.UUID) -> Response:
        """Show the other side one of your own notes or entries, to the letter as `disclosable` lists it."""
        found = self.seat(request, seat)
        body = read_body(request, MessageBody)
        if body["text"] not in consensus_sheet(found).disclosable:
            raise invalid(text=_("Choose one of your own notes or entries."))
        make_once(request, body, lambda: str(disclose(assignment=found, **body).pk))
        return self.sheet(found, status=201)


class Escalate(DiscussionView):
    stages = (Stage.LABEL, Stage.VERIFY)

    @described("consensus_escalate", gives=ConsensusSheet, takes=ReasonBody, refuses=[409])
    def post(self, request: Request, seat: uuid.UUID) -> Response:
        """A stalemate: hand what is open to an adjudicator, with a reason."""
        found = self.seat(request, seat)
        escalate_from_seat(assignment=found, **read_body(request, ReasonBody))
        return self.sheet(found)


class Decide(DiscussionView):
    stages = (Stage.ADJUDICATE,)

    @described("consensus_decide", gives=ConsensusSheet, takes=DecisionBody, refuses=[409])
    def post(self, request: Request, seat: uuid.UUID) -> Response:
        """The adjudicator settles every open field at once."""
        found = self.seat(request, seat)
        lines = read_body(request, DecisionBody)["texts"]
        decide(assignment=found, texts={line["position"]: line["text"] for line in lines})
        return self.sheet(found)
