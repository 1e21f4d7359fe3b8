"""Questions that wait for a domain expert: which ones a person may answer, and which one they hold."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Min, Q, QuerySet
from django.utils import timezone

from annotation.models import Assignment, Project, Question
from annotation.selectors.seen_content import OUTSIDE_WORK, seen_by
from annotation.stages import Intake
from config.accounts.models import Role, User
from config.accounts.selectors import has_role
from config.exposure.reservations import reserved_for


def eligible_questions(person: User, project: Project) -> QuerySet[Question]:
    """Unanswered questions that this expert may answer, oldest first.

    Excluded are questions about samples they work on, whose label content they know, or whose image they are still to
    read in a baseline.
    """
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
        .exclude(seen_by(person, *OUTSIDE_WORK, sample="sample__"))
        .exclude(sample__pixel_hash__in=reserved_for(person))
        .order_by("asked_at", "pk")
    )


def count_waiting_questions(person: User, project: Project) -> int:
    """How many questions this person could claim now besides the one they hold; 0 without the role."""
    if not has_role(person, project.team, Role.DOMAIN_EXPERT):
        return 0
    return eligible_questions(person, project).exclude(expert=person).count()


def held_question(person: User, project: Project) -> Question | None:
    """The question the expert holds, even after its lease ran out."""
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
    """When the first question that an expert holds becomes free."""
    rows = Question.objects.filter(sample__project=project, answered_at=None, withdrawn_at=None)
    earliest: datetime | None = rows.exclude(expert=None).aggregate(at=Min("lease_until"))["at"]
    return earliest
