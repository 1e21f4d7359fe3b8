"""What waits for a project's managers: counts and where to go, never content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.models import Flag, Project, SuggestionRequest
from annotation.selectors.duplicates import undecided_pairs
from annotation.selectors.overview import Column
from annotation.selectors.questions import open_questions
from annotation.stages import SampleState
from config.accounts.models import Membership, Role
from config.jobs.models import JobState


@dataclass(frozen=True, slots=True)
class ManagerCounts:
    """Pairs to decide on and flags to look at."""

    duplicates: int
    flags: int


def count_for_managers(project: Project) -> ManagerCounts:
    """One query."""
    pairs = undecided_pairs().filter(project=OuterRef("pk"))
    flags = Flag.objects.filter(sample__project=OuterRef("pk"), closed_at=None)
    row = (
        Project.objects.filter(pk=project.pk)
        .values_list(_count(pairs, "project"), _count(flags, "sample__project"))
        .get()
    )
    return ManagerCounts(*row)


def _count(rows: QuerySet, column: str) -> Coalesce:  # type: ignore[type-arg]
    counted = rows.order_by().values(column).annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


class TaskKind(StrEnum):
    DUPLICATES = "duplicates"
    FLAGS = "flags"
    UNSTAFFED = "unstaffed"  # samples or questions wait and nobody has the role
    STUCK = "stuck"
    FAILED_SUGGESTIONS = "failed_suggestions"


@dataclass(frozen=True, slots=True)
class ManagerTask:
    """One thing a manager should act on. `state` is the samples' (none for questions), `role` the one nobody has."""

    kind: TaskKind
    count: int
    state: SampleState | None = None
    oldest: datetime | None = None
    role: Role | None = None


# States in which samples wait for people of one role.
_ROLE_OF_STATE = {
    SampleState.SCREENING: Role.SCREENER,
    SampleState.LABELLING: Role.ANNOTATOR,
    SampleState.VERIFYING: Role.REVIEWER,
}


def tasks_for_managers(
    project: Project, counts: ManagerCounts, columns: Mapping[SampleState, Column]
) -> list[ManagerTask]:
    """What needs a manager, most urgent first; `columns` are the project's states. Three queries."""
    present = set(Membership.objects.filter(team=project.team_id).values_list("role", flat=True).distinct())
    tasks = [
        ManagerTask(TaskKind.UNSTAFFED, columns[state].count, state=state, role=role)
        for state, role in _ROLE_OF_STATE.items()
        if columns[state].count and role not in present
    ]
    if Role.DOMAIN_EXPERT not in present and (questions := open_questions(project).count()):
        tasks.append(ManagerTask(TaskKind.UNSTAFFED, questions, role=Role.DOMAIN_EXPERT))
    if counts.duplicates:
        oldest = columns[SampleState.DUPLICATE].oldest
        tasks.append(ManagerTask(TaskKind.DUPLICATES, counts.duplicates, SampleState.DUPLICATE, oldest))
    if counts.flags:
        tasks.append(ManagerTask(TaskKind.FLAGS, counts.flags))
    explained = {task.state for task in tasks}
    tasks += [
        ManagerTask(TaskKind.STUCK, column.count, state=state, oldest=column.oldest)
        for state, column in columns.items()
        if column.is_stuck and state not in explained
    ]
    if failed := _count_failed_suggestions(project):
        tasks.append(ManagerTask(TaskKind.FAILED_SUGGESTIONS, failed))
    return tasks


def _count_failed_suggestions(project: Project) -> int:
    """Requests of the recognisers in force that ended without a suggestion."""
    return SuggestionRequest.objects.filter(
        recogniser__project=project, recogniser__retired_at=None, state=JobState.FAILED
    ).count()
