"""Questions to domain experts as their project's managers see them: states and times, never the text or a name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import (
    BooleanField,
    Case,
    CharField,
    Count,
    Exists,
    ExpressionWrapper,
    OuterRef,
    Q,
    QuerySet,
    TextChoices,
    Value,
    When,
)
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import pgettext_lazy

from annotation.models import Project, Question, Sample
from annotation.selectors.blind_manager import hidden_samples
from config.accounts.models import User


class QuestionState(TextChoices):
    """Where a question is."""

    WAITING = "waiting", pgettext_lazy("question", "Waiting for an expert")
    HELD = "held", pgettext_lazy("question", "With an expert")
    ANSWERED = "answered", pgettext_lazy("question", "Answered")
    WITHDRAWN = "withdrawn", pgettext_lazy("question", "Withdrawn by the annotator")


_OPEN = Q(answered_at=None, withdrawn_at=None)


def open_questions(project: Project) -> QuerySet[Question]:
    """Questions that have neither an answer nor been withdrawn, oldest first."""
    return Question.objects.filter(_OPEN, sample__project=project).order_by("asked_at", "pk")


@dataclass(frozen=True, slots=True)
class ListedQuestion:
    """One row of the list. `number` and `sample` (its UUID) are None where the viewer may not know the sample."""

    state: QuestionState
    asked_at: datetime
    closed_at: datetime | None
    number: int | None
    sample: UUID | None


def questions_of(project: Project, viewer: User) -> QuerySet[Any, Any]:
    """The project's questions for `listed`, open ones first and the oldest of them on top."""
    hidden = Sample.objects.filter(hidden_samples(viewer, project), pk=OuterRef("sample"))
    return (
        Question.objects.filter(sample__project=project)
        .annotate(
            state=_state(),
            is_open=ExpressionWrapper(_OPEN, output_field=BooleanField()),
            closed_at=Coalesce("withdrawn_at", "answered_at"),
            is_hidden=Exists(hidden),
        )
        .order_by("-is_open", "asked_at", "pk")
        .values("state", "asked_at", "closed_at", "is_hidden", "sample__number", "sample__uuid")
    )


def listed(rows: Iterable[dict[str, Any]]) -> list[ListedQuestion]:
    """The rows of `questions_of` without the samples that are hidden from its viewer."""
    return [
        ListedQuestion(
            state=QuestionState(row["state"]),
            asked_at=row["asked_at"],
            closed_at=row["closed_at"],
            number=None if row["is_hidden"] else row["sample__number"],
            sample=None if row["is_hidden"] else row["sample__uuid"],
        )
        for row in rows
    ]


@dataclass(frozen=True, slots=True)
class QuestionCounts:
    """How many questions are in each state, and since when the oldest open one waits."""

    by_state: dict[QuestionState, int]
    oldest: datetime | None

    @property
    def total(self) -> int:
        return sum(self.by_state.values())


def count_questions(project: Project) -> QuestionCounts:
    """Two queries."""
    rows = Question.objects.filter(sample__project=project).annotate(state=_state())
    counts = dict(rows.values("state").annotate(n=Count("pk")).values_list("state", "n").order_by())
    oldest = open_questions(project).values_list("asked_at", flat=True).first()
    return QuestionCounts({state: counts.get(state, 0) for state in QuestionState}, oldest)


def _state() -> Case:
    return Case(
        When(withdrawn_at__isnull=False, then=Value(QuestionState.WITHDRAWN)),
        When(answered_at__isnull=False, then=Value(QuestionState.ANSWERED)),
        When(expert__isnull=False, lease_until__gte=timezone.now(), then=Value(QuestionState.HELD)),
        default=Value(QuestionState.WAITING),
        output_field=CharField(),
    )
