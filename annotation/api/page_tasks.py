"""Work on a page beside its labels: screening, rating difficulty, questions to a domain expert, own evidence."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.service_errors import View
from annotation.api.work import AssignmentView, EvidenceBody, ReasonBody
from annotation.models import Rating, Screening
from annotation.permissions import project_for, sample_for
from annotation.selectors.question_queue import next_question_at
from annotation.selectors.rating_queue import next_rating_at
from annotation.selectors.screening_queue import next_screening_at
from annotation.services.ask_question import (
    answer_question,
    ask_question,
    claim_question,
    release_question,
    withdraw_question,
)
from annotation.services.open_sample import open_unredacted_image
from annotation.services.rate_difficulty import claim_rating, release_rating, save_rating, submit_rating
from annotation.services.record_evidence import change_evidence, remove_evidence
from annotation.services.request_screening import rescreen_sample
from annotation.services.screen_page import (
    claim_screening,
    finish_screening,
    release_screening,
    save_screening,
)
from annotation.visibility.labels import assignment_state_of
from annotation.visibility.page_tasks import (
    question_for,
    question_sheet,
    rating_for,
    rating_sheet,
    screening_for,
    screening_sheet,
)
from annotation.worksheets import AssignmentState, QuestionSheet, RatingSheet, ScreeningSheet
from config.accounts.models import Role
from config.api.requests import person_of, read_body
from config.api.responses import respond
from config.api.schema import described
from config.api.serializers import BaseSerializer


@dataclass(frozen=True, slots=True)
class NextPageAnswer:
    """What you hold now; null when nothing is left, and then when the earliest may fall free."""

    id: uuid.UUID | None
    free_at: datetime | None


@dataclass(frozen=True, slots=True)
class UnredactedAnswer:
    """A private token for the page as it came, good for an hour and for you alone."""

    image: str


class RatingBody(BaseSerializer):
    """Levels from 1 to 5 by dimension."""

    scores = serializers.DictField(child=serializers.IntegerField(min_value=1, max_value=5))
    note = serializers.CharField(max_length=2000, allow_blank=True, default="")


class RatingSubmitBody(RatingBody):
    """All six levels, and the image they were chosen for."""

    image_hash = serializers.CharField(max_length=64)


class AreasBody(BaseSerializer):
    """Areas in the shape of masks: id, shape (box, polygon, brush), points, width, reason."""

    areas = serializers.ListField(child=serializers.DictField())


class ScreeningBody(AreasBody):
    """The areas to redact, or `is_clean` and none, for the image whose hash the worksheet gave."""

    is_clean = serializers.BooleanField(default=False)
    withhold_evidence = serializers.BooleanField(default=False)
    image_hash = serializers.CharField(max_length=64)
    knows_copies = serializers.BooleanField(
        default=False,
        help_text="Hand in although a copy was redacted where this page stays open (`copies` of the worksheet).",
    )


class QuestionBody(BaseSerializer):
    """A question; `box` is left, top, width, height in pixels of the image, or empty."""

    text = serializers.CharField(max_length=2000)
    box = serializers.ListField(child=serializers.IntegerField(), max_length=4, required=False, default=list)


class ExpertBody(BaseSerializer):
    answer = serializers.CharField(max_length=5000)


class NextRating(View):
    @described("rating_next", gives=NextPageAnswer)
    def post(self, request: Request, slug: str) -> Response:
        """Take the next page to rate for difficulty, or the one you already have in hand."""
        person = person_of(request)
        project = project_for(person, slug, Role.DIFFICULTY_RATER)
        found = claim_rating(person=person, project=project)
        return respond(
            NextPageAnswer(found.uuid if found else None, None if found else next_rating_at(project))
        )


class RatingItem(View):
    def rating(self, request: Request, rating: uuid.UUID) -> Rating:
        return rating_for(person_of(request), rating)

    @described("rating_read", gives=RatingSheet)
    def get(self, request: Request, rating: uuid.UUID) -> Response:
        """The image and your own choices; nobody else's."""
        return respond(rating_sheet(self.rating(request, rating)))

    @described("rating_save", takes=RatingBody, refuses=[409])
    def put(self, request: Request, rating: uuid.UUID) -> Response:
        """Keep what you have chosen so far, and renew the lease."""
        save_rating(rating=self.rating(request, rating), **read_body(request, RatingBody))
        return Response(status=204)

    @described("rating_submit", takes=RatingSubmitBody, refuses=[409])
    def post(self, request: Request, rating: uuid.UUID) -> Response:
        """Hand in all six levels. The same again changes nothing; other levels are refused."""
        submit_rating(rating=self.rating(request, rating), **read_body(request, RatingSubmitBody))
        return Response(status=204)


class NextScreening(View):
    @described("screening_next", gives=NextPageAnswer)
    def post(self, request: Request, slug: str) -> Response:
        """Take the next page to screen for names, or the one you already have in hand."""
        person = person_of(request)
        project = project_for(person, slug, Role.SCREENER)
        found = claim_screening(person=person, project=project)
        free_at = None if found else next_screening_at(project)
        return respond(NextPageAnswer(found.uuid if found else None, free_at))


class ScreeningItem(View):
    def screening(self, request: Request, screening: uuid.UUID) -> Screening:
        return screening_for(person_of(request), screening)

    @described("screening_read", gives=ScreeningSheet)
    def get(self, request: Request, screening: uuid.UUID) -> Response:
        """The page as it came and what came with it, until you hand in."""
        return respond(screening_sheet(self.screening(request, screening)))

    @described("screening_save", takes=AreasBody, refuses=[409])
    def put(self, request: Request, screening: uuid.UUID) -> Response:
        """Keep the areas marked so far, and renew the lease."""
        save_screening(screening=self.screening(request, screening), **read_body(request, AreasBody))
        return Response(status=204)

    @described("screening_finish", takes=ScreeningBody, refuses=[409])
    def post(self, request: Request, screening: uuid.UUID) -> Response:
        """Redact for good, or say that there is nothing to redact."""
        finish_screening(screening=self.screening(request, screening), **read_body(request, ScreeningBody))
        return Response(status=204)


class NextQuestion(View):
    @described("question_next", gives=NextPageAnswer)
    def post(self, request: Request, slug: str) -> Response:
        """Take the oldest question to a domain expert, or the one you already have in hand."""
        person = person_of(request)
        project = project_for(person, slug, Role.DOMAIN_EXPERT)
        found = claim_question(person=person, project=project)
        free_at = None if found else next_question_at(project)
        return respond(NextPageAnswer(found.uuid if found else None, free_at))


class QuestionItem(View):
    @described("question_read", gives=QuestionSheet)
    def get(self, request: Request, question: uuid.UUID) -> Response:
        """The image and the question; not who asked."""
        person = person_of(request)
        return respond(question_sheet(question_for(person, question), person))

    @described("question_answer", takes=ExpertBody, refuses=[409])
    def post(self, request: Request, question: uuid.UUID) -> Response:
        """Answer, once. The same answer again changes nothing."""
        found = question_for(person_of(request), question)
        answer_question(question=found, text=read_body(request, ExpertBody)["answer"])
        return Response(status=204)


class Questions(AssignmentView):
    stages = ()

    @described("work_question", gives=AssignmentState, takes=QuestionBody, status=201, refuses=[409])
    def post(self, request: Request, assignment_uuid: uuid.UUID) -> Response:
        """Ask a domain expert, who sees the image and your question. Nothing waits for the answer."""
        assignment = self.assignment(request, assignment_uuid)
        ask_question(assignment=assignment, **read_body(request, QuestionBody))
        return respond(assignment_state_of(assignment), status=201)


class OwnQuestionItem(AssignmentView):
    stages = ()

    @described("work_question_withdraw", refuses=[409])
    def delete(self, request: Request, assignment_uuid: uuid.UUID, pk: int) -> Response:
        """Withdraw an own question that nobody has answered."""
        withdraw_question(assignment=self.assignment(request, assignment_uuid), pk=pk)
        return Response(status=204)


class EvidenceEntry(AssignmentView):
    stages = ()

    @described("work_evidence_change", gives=AssignmentState, takes=EvidenceBody, refuses=[409])
    def put(self, request: Request, assignment_uuid: uuid.UUID, pk: int) -> Response:
        """Mend an own entry of the evidence log until you hand in."""
        assignment = self.assignment(request, assignment_uuid)
        change_evidence(assignment=assignment, pk=pk, **read_body(request, EvidenceBody))
        return respond(assignment_state_of(assignment))

    @described("work_evidence_remove", refuses=[409])
    def delete(self, request: Request, assignment_uuid: uuid.UUID, pk: int) -> Response:
        """Take an own entry out of the evidence log until you hand in."""
        remove_evidence(assignment=self.assignment(request, assignment_uuid), pk=pk)
        return Response(status=204)


class RatingPutBack(View):
    @described("rating_put_back", refuses=[409])
    def post(self, request: Request, rating: uuid.UUID) -> Response:
        """Give the page back to the queue; what you chose is kept."""
        release_rating(rating=rating_for(person_of(request), rating), is_skipped=False)
        return Response(status=204)


class ScreeningPutBack(View):
    @described("screening_put_back", refuses=[409])
    def post(self, request: Request, screening: uuid.UUID) -> Response:
        """Give the page back to the queue; what you marked is kept."""
        release_screening(screening=screening_for(person_of(request), screening))
        return Response(status=204)


class QuestionGiveBack(View):
    @described("question_give_back", refuses=[409])
    def post(self, request: Request, question: uuid.UUID) -> Response:
        """Leave the question to another expert."""
        person = person_of(request)
        release_question(question=question_for(person, question), person=person)
        return Response(status=204)


class ScreenAgain(View):
    @described("sample_screen_again", takes=ReasonBody, refuses=[409])
    def post(self, request: Request, sample: uuid.UUID) -> Response:
        """Managers: shut the page and send it to the screeners again, until a release holds it."""
        person = person_of(request)
        found = sample_for(person, sample, Role.MANAGER)
        rescreen_sample(sample=found, manager=person, reason=read_body(request, ReasonBody)["reason"])
        return Response(status=204)


class Unredacted(View):
    @described("sample_unredacted", gives=UnredactedAnswer)
    def post(self, request: Request, sample: uuid.UUID) -> Response:
        """Managers: open the page as it came. It is written down."""
        person = person_of(request)
        found = sample_for(person, sample, Role.MANAGER)
        return respond(UnredactedAnswer(open_unredacted_image(sample=found, manager=person)))
