"""Tasks on a page other than transcription: screening, difficulty ratings, expert questions, evidence entries."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.work import AssignmentAPIView, EvidenceBody, ReasonBody
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
class NextTaskResponse:
    """The task you hold now. `id` is null when none is left; `free_at` then says when one may become available."""

    id: uuid.UUID | None
    free_at: datetime | None


@dataclass(frozen=True, slots=True)
class UnredactedResponse:
    """A personal token for the unredacted page, valid for one hour."""

    image: str


class RatingBody(BaseSerializer):
    """Levels from 1 to 5 by dimension."""

    scores = serializers.DictField(child=serializers.IntegerField(min_value=1, max_value=5))
    note = serializers.CharField(max_length=2000, allow_blank=True, default="")


class RatingSubmitBody(RatingBody):
    """All six levels, and the image they were chosen for."""

    image_hash = serializers.CharField(max_length=64)


class AreasBody(BaseSerializer):
    """Areas in the format of masks: id, shape (box, polygon, brush), points, width, reason."""

    areas = serializers.ListField(child=serializers.DictField())


class ScreeningBody(AreasBody):
    """The areas to redact, or none and `is_clean`; `image_hash` as given in the worksheet."""

    is_clean = serializers.BooleanField(default=False)
    withhold_evidence = serializers.BooleanField(default=False)
    image_hash = serializers.CharField(max_length=64)
    knows_copies = serializers.BooleanField(
        default=False,
        help_text="Submit although areas redacted on a copy of the page (`copies` in the worksheet) stay visible here.",
    )


class QuestionBody(BaseSerializer):
    """A question; `box` is [left, top, width, height] in image pixels, or empty."""

    text = serializers.CharField(max_length=2000)
    box = serializers.ListField(child=serializers.IntegerField(), max_length=4, required=False, default=list)


class QuestionAnswerBody(BaseSerializer):
    answer = serializers.CharField(max_length=5000)


class RatingNextView(APIView):
    @described("rating_next", gives=NextTaskResponse)
    def post(self, request: Request, slug: str) -> Response:
        """Claim the next page to rate for difficulty, or get the one you already hold."""
        person = person_of(request)
        project = project_for(person, slug, Role.DIFFICULTY_RATER)
        rating = claim_rating(person=person, project=project)
        return respond(
            NextTaskResponse(rating.uuid if rating else None, None if rating else next_rating_at(project))
        )


class RatingDetailView(APIView):
    def rating(self, request: Request, rating: uuid.UUID) -> Rating:
        return rating_for(person_of(request), rating)

    @described("rating_read", gives=RatingSheet)
    def get(self, request: Request, rating: uuid.UUID) -> Response:
        """The image and your own levels."""
        return respond(rating_sheet(self.rating(request, rating)))

    @described("rating_save", takes=RatingBody, refuses=[409])
    def put(self, request: Request, rating: uuid.UUID) -> Response:
        """Save the levels chosen so far and renew the lease."""
        save_rating(rating=self.rating(request, rating), **read_body(request, RatingBody))
        return Response(status=204)

    @described("rating_submit", takes=RatingSubmitBody, refuses=[409])
    def post(self, request: Request, rating: uuid.UUID) -> Response:
        """Submit all six levels. Repeating the same request changes nothing; other levels are refused."""
        submit_rating(rating=self.rating(request, rating), **read_body(request, RatingSubmitBody))
        return Response(status=204)


class ScreeningNextView(APIView):
    @described("screening_next", gives=NextTaskResponse)
    def post(self, request: Request, slug: str) -> Response:
        """Claim the next page to screen for names, or get the one you already hold."""
        person = person_of(request)
        project = project_for(person, slug, Role.SCREENER)
        screening = claim_screening(person=person, project=project)
        free_at = None if screening else next_screening_at(project)
        return respond(NextTaskResponse(screening.uuid if screening else None, free_at))


class ScreeningDetailView(APIView):
    def screening(self, request: Request, screening: uuid.UUID) -> Screening:
        return screening_for(person_of(request), screening)

    @described("screening_read", gives=ScreeningSheet)
    def get(self, request: Request, screening: uuid.UUID) -> Response:
        """The unredacted page and its metadata, until you submit."""
        return respond(screening_sheet(self.screening(request, screening)))

    @described("screening_save", takes=AreasBody, refuses=[409])
    def put(self, request: Request, screening: uuid.UUID) -> Response:
        """Save the areas marked so far and renew the lease."""
        save_screening(screening=self.screening(request, screening), **read_body(request, AreasBody))
        return Response(status=204)

    @described("screening_finish", takes=ScreeningBody, refuses=[409])
    def post(self, request: Request, screening: uuid.UUID) -> Response:
        """Redact permanently, or state that there is nothing to redact."""
        finish_screening(screening=self.screening(request, screening), **read_body(request, ScreeningBody))
        return Response(status=204)


class QuestionNextView(APIView):
    @described("question_next", gives=NextTaskResponse)
    def post(self, request: Request, slug: str) -> Response:
        """Claim the oldest open question, or get the one you already hold."""
        person = person_of(request)
        project = project_for(person, slug, Role.DOMAIN_EXPERT)
        question = claim_question(person=person, project=project)
        free_at = None if question else next_question_at(project)
        return respond(NextTaskResponse(question.uuid if question else None, free_at))


class QuestionDetailView(APIView):
    @described("question_read", gives=QuestionSheet)
    def get(self, request: Request, question: uuid.UUID) -> Response:
        """The image and the question, without the name of the person who asked."""
        person = person_of(request)
        return respond(question_sheet(question_for(person, question), person))

    @described("question_answer", takes=QuestionAnswerBody, refuses=[409])
    def post(self, request: Request, question: uuid.UUID) -> Response:
        """Answer once. Repeating the same answer changes nothing."""
        row = question_for(person_of(request), question)
        answer_question(question=row, text=read_body(request, QuestionAnswerBody)["answer"])
        return Response(status=204)


class WorkQuestionsView(AssignmentAPIView):
    stages = ()

    @described("work_question", gives=AssignmentState, takes=QuestionBody, status=201, refuses=[409])
    def post(self, request: Request, assignment_uuid: uuid.UUID) -> Response:
        """Ask a domain expert, who sees the image and your question. You need not wait for the answer."""
        assignment = self.assignment(request, assignment_uuid)
        ask_question(assignment=assignment, **read_body(request, QuestionBody))
        return respond(assignment_state_of(assignment), status=201)


class WorkQuestionView(AssignmentAPIView):
    stages = ()

    @described("work_question_withdraw", refuses=[409])
    def delete(self, request: Request, assignment_uuid: uuid.UUID, pk: int) -> Response:
        """Withdraw your own unanswered question."""
        withdraw_question(assignment=self.assignment(request, assignment_uuid), pk=pk)
        return Response(status=204)


class WorkEvidenceEntryView(AssignmentAPIView):
    stages = ()

    @described("work_evidence_change", gives=AssignmentState, takes=EvidenceBody, refuses=[409])
    def put(self, request: Request, assignment_uuid: uuid.UUID, pk: int) -> Response:
        """Change your own evidence entry before you submit."""
        assignment = self.assignment(request, assignment_uuid)
        change_evidence(assignment=assignment, pk=pk, **read_body(request, EvidenceBody))
        return respond(assignment_state_of(assignment))

    @described("work_evidence_remove", refuses=[409])
    def delete(self, request: Request, assignment_uuid: uuid.UUID, pk: int) -> Response:
        """Remove your own evidence entry before you submit."""
        remove_evidence(assignment=self.assignment(request, assignment_uuid), pk=pk)
        return Response(status=204)


class RatingReleaseView(APIView):
    @described("rating_put_back", refuses=[409])
    def post(self, request: Request, rating: uuid.UUID) -> Response:
        """Release the page to the queue; the levels you chose are kept."""
        release_rating(rating=rating_for(person_of(request), rating), is_skipped=False)
        return Response(status=204)


class ScreeningReleaseView(APIView):
    @described("screening_put_back", refuses=[409])
    def post(self, request: Request, screening: uuid.UUID) -> Response:
        """Release the page to the queue; the areas you marked are kept."""
        release_screening(screening=screening_for(person_of(request), screening))
        return Response(status=204)


class QuestionReleaseView(APIView):
    @described("question_give_back", refuses=[409])
    def post(self, request: Request, question: uuid.UUID) -> Response:
        """Release the question to another expert."""
        person = person_of(request)
        release_question(question=question_for(person, question), person=person)
        return Response(status=204)


class SampleScreenAgainView(APIView):
    @described("sample_screen_again", takes=ReasonBody, refuses=[409])
    def post(self, request: Request, sample: uuid.UUID) -> Response:
        """Managers: hide the page and send it back to the screeners, unless a release contains it."""
        person = person_of(request)
        row = sample_for(person, sample, Role.MANAGER)
        rescreen_sample(sample=row, manager=person, reason=read_body(request, ReasonBody)["reason"])
        return Response(status=204)


class SampleUnredactedView(APIView):
    @described("sample_unredacted", gives=UnredactedResponse)
    def post(self, request: Request, sample: uuid.UUID) -> Response:
        """Managers: open the unredacted page. The access is logged."""
        person = person_of(request)
        row = sample_for(person, sample, Role.MANAGER)
        return respond(UnredactedResponse(open_unredacted_image(sample=row, manager=person)))
