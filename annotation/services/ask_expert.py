"""Questions to a domain expert: asked from an assignment, answered once, told to that assignment alone.

The expert sees the image and the question, nothing else of the sample. Who has answered, or holds a question about a
sample, knows what its annotator was unsure of and takes no part in its second review or adjudication; of the image
they have seen no more than the image. A question without an answer holds nothing up.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Min, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from annotation.models import Assignment, Evidence, Project, Question
from annotation.models.kinds import EvidenceKind
from annotation.services.move_work import NotAllowed
from annotation.services.save_draft import AssignmentClosed, LeaseLost, check_open
from annotation.stages import Intake
from config.accounts.models import Role, User
from config.accounts.selectors import has_role
from config.exposure.reservations import reserved_for
from config.exposure.services import SeenContent, exposures_of, record_exposure
from evaluation.payloads.text import BadText, validate_text

MOST_OPEN = 10  # questions of one assignment that wait at once
_LEASE = timedelta(hours=1)  # an expert looks things up


class QuestionAnswered(AssignmentClosed):
    """The question has been answered or withdrawn."""

    msgid = gettext_noop("This question has already been answered. Answers cannot be changed.")


class QuestionLost(LeaseLost):
    """Another expert has claimed the question."""

    msgid = gettext_noop("Someone else has this question now. Nothing was saved.")


def ask_expert(*, assignment: Assignment, text: str, box: Sequence[int] = ()) -> Question:
    """Ask from an assignment that is still open. Raises BadText (empty, too many open ones, a box off the image), AssignmentClosed."""
    validate_text(text)
    if not text.strip():
        raise BadText(_("Write your question."))
    _check_box(assignment, box)
    with transaction.atomic():
        check_open(assignment)
        if assignment.questions.filter(answered_at=None, withdrawn_at=None).count() >= MOST_OPEN:
            raise BadText(_("You already have ten open questions about this sample. Withdraw one first."))
        return Question.objects.create(
            sample=assignment.sample, assignment=assignment, text=text.strip(), box=list(box)
        )


def _check_box(assignment: Assignment, box: Sequence[int]) -> None:
    if not box:
        return
    is_box = len(box) == 4 and all(type(side) is int for side in box)
    if is_box:
        left, top, width, height = box
        sample = assignment.sample
        is_box = (
            left >= 0
            and top >= 0
            and width > 0
            and height > 0
            and left + width <= sample.full_width
            and top + height <= sample.full_height
        )
    if not is_box:
        raise BadText(_("The place you ask about must be a box inside the image."))


def withdraw_question(*, assignment: Assignment, pk: int) -> None:
    """Take back an own question that nobody has answered. Raises AssignmentClosed when it is answered or gone."""
    rows = Question.objects.filter(pk=pk, assignment=assignment, answered_at=None, withdrawn_at=None)
    if not rows.update(withdrawn_at=timezone.now(), version=F("version") + 1):
        raise QuestionAnswered


def waiting_questions(person: User, project: Project) -> QuerySet[Question]:
    """Questions this expert may answer: not about samples they work on, none whose label content they know, and
    none whose image they are still to read in a baseline."""
    seen = exposures_of(person, SeenContent.LABEL, SeenContent.GOLD).values("image_hash")
    own = Assignment.objects.filter(person=person).values("sample")
    free = Q(expert=None) | Q(lease_until__lt=timezone.now())
    return (
        Question.objects.filter(
            free,
            answered_at=None,
            withdrawn_at=None,
            sample__project=project,
            sample__project__archived_at=None,
            sample__intake=Intake.READY,
        )
        .exclude(sample__in=own)
        .exclude(sample__pixel_hash__in=seen)
        .exclude(sample__pixel_hash__in=reserved_for(person))
        .order_by("asked_at", "pk")
    )


def count_to_answer(person: User, project: Project) -> int:
    """How many questions this person could take now, without the one in hand; 0 without the role."""
    if not has_role(person, project.team, Role.DOMAIN_EXPERT):
        return 0
    return waiting_questions(person, project).exclude(expert=person).count()


def question_in_hand(person: User, project: Project) -> Question | None:
    return (
        Question.objects.filter(
            expert=person,
            answered_at=None,
            withdrawn_at=None,
            sample__project=project,
            sample__intake=Intake.READY,
        )
        .select_related("sample")
        .order_by("pk")
        .first()
    )


def next_question_at(project: Project) -> datetime | None:
    """When the earliest question in an expert's hands falls free."""
    rows = Question.objects.filter(sample__project=project, answered_at=None, withdrawn_at=None)
    earliest: datetime | None = rows.exclude(expert=None).aggregate(at=Min("lease_until"))["at"]
    return earliest


def claim_question(*, person: User, project: Project) -> Question | None:
    """Give the expert the question in hand or the oldest that waits; None: nothing left.

    Raises NotAllowed without the role. Compare-and-set on the version: one question, one expert.
    """
    if not has_role(person, project.team, Role.DOMAIN_EXPERT):
        raise NotAllowed("no expert role")
    held = question_in_hand(person, project)
    if held is not None and _mine(held, person).update(lease_until=timezone.now() + _LEASE):
        return held
    for row in waiting_questions(person, project).select_related("sample").iterator():
        rows = Question.objects.filter(pk=row.pk, version=row.version, answered_at=None, withdrawn_at=None)
        if rows.update(expert=person, lease_until=timezone.now() + _LEASE, version=F("version") + 1):
            record_exposure(
                user=person,
                image_hash=row.sample.pixel_hash,
                role=Role.DOMAIN_EXPERT,
                saw=SeenContent.IMAGE,
                place="question",
            )
            return Question.objects.get(pk=row.pk)
    return None


def _mine(question: Question, person: User) -> QuerySet[Question]:
    return Question.objects.filter(pk=question.pk, expert=person, answered_at=None, withdrawn_at=None)


def answer_question(*, question: Question, text: str) -> Question:
    """Answer, once; the asking assignment finds it in its evidence log if it is still open, else beside it.

    The same answer again changes nothing. Raises BadText, AssignmentClosed (answered, withdrawn), LeaseLost.
    """
    validate_text(text)
    if not text.strip():
        raise BadText(_("Write an answer, or release the question."))
    with transaction.atomic():
        stored = Question.objects.select_for_update().select_related("assignment").get(pk=question.pk)
        if stored.answered_at is not None and (stored.expert_id, stored.answer) == (
            question.expert_id,
            text.strip(),
        ):
            return stored
        if stored.answered_at is not None or stored.withdrawn_at is not None:
            raise QuestionAnswered
        if stored.expert_id != question.expert_id:
            raise QuestionLost
        stored.answer, stored.answered_at = text.strip(), timezone.now()
        stored.save(update_fields=["answer", "answered_at"])
        _log_as_evidence(stored)
    return stored


def _log_as_evidence(question: Question) -> None:
    """Into the log of an assignment that is still at work; what comes too late was not consulted."""
    try:
        check_open(question.assignment)
    except AssignmentClosed:
        return
    Evidence.objects.create(
        assignment=question.assignment,
        kind=EvidenceKind.EXPERT,
        note=f"{question.text}\n— {question.answer}",
        question=question,
    )


def give_question_back(*, question: Question, person: User) -> None:
    """Leave the question to another expert. Raises AssignmentClosed."""
    if not _mine(question, person).update(expert=None, lease_until=None, version=F("version") + 1):
        raise QuestionAnswered
