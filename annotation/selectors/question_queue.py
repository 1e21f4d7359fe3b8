"""Questions that wait for a domain expert: which ones a person may answer, and which one they hold."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Min, Q, QuerySet
from django.utils import timezone

from annotation.models import Assignment, Project, Question
from annotation.stages import Intake
from config.accounts.models import Role, User
from config.accounts.selectors import has_role
from config.exposure.models import SeenContent
from config.exposure.reservations import reserved_for
from config.exposure.selectors import exposures_of


def eligible_questions(person: User, project: Project) -> QuerySet[Question]:
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


def count_waiting_questions(person: User, project: Project) -> int:
    """How many questions this person could take now, without the one in hand; 0 without the role."""
    if not has_role(person, project.team, Role.DOMAIN_EXPERT):
        return 0
    return eligible_questions(person, project).exclude(expert=person).count()


def held_question(person: User, project: Project) -> Question | None:
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
