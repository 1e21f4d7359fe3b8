"""Questions to a domain expert: asked from an assignment, answered once, shown to that assignment only.

The expert sees the image and the question, nothing else of the sample. Experts who hold or have answered a question
know what the annotator was unsure of, so they take no part in the second review or adjudication of that image. An
unanswered question holds nothing up.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from annotation.models import Assignment, Evidence, Project, Question
from annotation.models.kinds import EvidenceKind
from annotation.selectors.question_queue import eligible_questions, held_question
from annotation.services.move_work import NotAllowed
from annotation.services.renew_lease import AssignmentClosed, LeaseLost, check_open
from config.accounts.models import Role, User
from config.accounts.services import hold_role
from config.exposure.models import SeenContent
from config.exposure.services import record_exposure
from config.transactions import first_taken, locked, retries_conflicts
from evaluation.payloads.text import BadText, validate_text

MOST_OPEN = 10  # unanswered questions of one assignment
_LEASE = timedelta(hours=1)  # long enough to look things up


class QuestionAnswered(AssignmentClosed):
    """The question has been answered or withdrawn."""

    msgid = gettext_noop("This question has already been answered. Answers cannot be changed.")


class QuestionLost(LeaseLost):
    """Another expert has claimed the question."""

    msgid = gettext_noop("Someone else has this question now. Nothing was saved.")


@retries_conflicts
def ask_question(*, assignment: Assignment, text: str, box: Sequence[int] = ()) -> Question:
    """Ask a question from an open assignment.

    Raises BadText (empty, too many open questions, box outside the image) and AssignmentClosed.
    """
    validate_text(text)
    if not text.strip():
        raise BadText(_("Write your question."))
    _check_box(assignment, box)
    with transaction.atomic():
        check_open(assignment=assignment)
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
    """Withdraw an own question. Raises AssignmentClosed when it was answered or withdrawn already."""
    rows = Question.objects.filter(pk=pk, assignment=assignment, answered_at=None, withdrawn_at=None)
    if not rows.update(withdrawn_at=timezone.now(), version=F("version") + 1):
        raise QuestionAnswered


@retries_conflicts
def claim_question(*, person: User, project: Project) -> Question | None:
    """The question the expert holds, or the oldest eligible one; None when there is none.

    A compare-and-set on the version gives each question to one expert. Raises NotAllowed without the role.
    """
    with transaction.atomic():
        if not hold_role(team=project.team, user=person, role=Role.DOMAIN_EXPERT):
            raise NotAllowed("no expert role")
        held = held_question(person, project)
        if held is not None and _held_by(held, person).update(lease_until=timezone.now() + _LEASE):
            return held
        rows = eligible_questions(person, project).select_related("sample")
        row = first_taken(rows.iterator(), lambda row: _take(row, person))
        if row is None:
            return None
        record_exposure(
            user=person,
            image_hash=row.sample.pixel_hash,
            role=Role.DOMAIN_EXPERT,
            saw=SeenContent.IMAGE,
            place="question",
        )
        return Question.objects.get(pk=row.pk)


def _take(question: Question, person: User) -> bool:
    """True when nobody was faster."""
    rows = Question.objects.filter(
        pk=question.pk, version=question.version, answered_at=None, withdrawn_at=None
    )
    return bool(rows.update(expert=person, lease_until=timezone.now() + _LEASE, version=F("version") + 1))


def _held_by(question: Question, person: User) -> QuerySet[Question]:
    return Question.objects.filter(pk=question.pk, expert=person, answered_at=None, withdrawn_at=None)


@retries_conflicts
def answer_question(*, question: Question, text: str) -> Question:
    """Answer a question, once. The answer goes into the evidence log of the asking assignment while that is open.

    The same answer again changes nothing. Raises BadText, LeaseLost, and AssignmentClosed (answered or withdrawn).
    """
    validate_text(text)
    if not text.strip():
        raise BadText(_("Write an answer, or release the question."))
    with transaction.atomic():
        # Its assignment first, to which the answer is written: `check_open` locks it in the end.
        locked(Assignment.objects.filter(pk=question.assignment_id)).get()
        stored = locked(Question.objects.select_related("assignment")).get(pk=question.pk)
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
    """Only for an open assignment: an answer that comes later was not consulted."""
    try:
        check_open(assignment=question.assignment)
    except AssignmentClosed:
        return
    Evidence.objects.create(
        assignment=question.assignment,
        kind=EvidenceKind.EXPERT,
        note=f"{question.text}\n— {question.answer}",
        question=question,
    )


def release_question(*, question: Question, person: User) -> None:
    """Leave the question to another expert. Raises QuestionAnswered when the person does not hold it."""
    if not _held_by(question, person).update(expert=None, lease_until=None, version=F("version") + 1):
        raise QuestionAnswered
