"""What managers and participants are shown of baselines: counts and states, no text of anybody."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from baseline.models import Baseline, Participation, State, TaskState
from baseline.protocol import Step
from config.accounts.models import Team, User


def by_code(code: str) -> Baseline | None:
    """The open baseline of an invitation link."""
    if "\0" in code:  # which PostgreSQL cannot be asked for
        return None
    rows = Baseline.objects.select_related("team").filter(code=code, is_link_open=True, state=State.OPEN)
    return rows.first()


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """One line of a person's own list."""

    uuid: str
    name: str
    has_begun: bool
    is_over: bool
    is_open: bool


def sessions_of(person: User) -> list[SessionSummary]:
    """The person's sessions, newest first, without those of drafts."""
    rows = (
        Participation.objects.filter(person=person)
        .exclude(baseline__state=State.DRAFT)
        .select_related("baseline")
        .order_by("-pk")
    )
    return [
        SessionSummary(
            str(row.uuid),
            row.baseline.name,
            row.step != Step.CONSENT,
            row.finished_at is not None or row.withdrawn_at is not None,
            row.baseline.state == State.OPEN,
        )
        for row in rows
    ]


def baselines_of(team: Team) -> QuerySet[Baseline]:
    """A team's baselines, newest first, with how many take part and have finished."""
    return (
        Baseline.objects.filter(team=team)
        .select_related("release")
        .annotate(
            n_people=Count("participations", filter=Q(participations__withdrawn_at=None)),
            n_finished=Count("participations", filter=Q(participations__finished_at__isnull=False)),
        )
    )


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one person is."""

    participation: Participation
    n_tasks: int
    n_done: int
    n_void: int
    n_timed_out: int
    n_cannot_read: int
    n_refused: int  # times a second tab or device was turned away
    n_pasted: int


def progress_of(baseline: Baseline) -> list[Progress]:
    """Everybody's progress, by number."""
    rows = baseline.participations.select_related("person").annotate(
        n_tasks=Count("tasks", distinct=True),
        n_done=Count("tasks", filter=Q(tasks__state=TaskState.DONE), distinct=True),
        n_void=Count("tasks", filter=Q(tasks__state=TaskState.VOID), distinct=True),
        n_timed_out=Count("tasks", filter=Q(tasks__response__is_timed_out=True), distinct=True),
        n_cannot_read=Count("tasks", filter=Q(tasks__response__kind="cannot_read"), distinct=True),
    )
    refused = dict(_events(baseline, "refused"))
    pasted = dict(_events(baseline, "paste"))
    return [
        Progress(
            row,
            row.n_tasks,
            row.n_done,
            row.n_void,
            row.n_timed_out,
            row.n_cannot_read,
            refused.get(row.pk, 0),
            pasted.get(row.pk, 0),
        )
        for row in rows
    ]


def _events(baseline: Baseline, kind: str) -> list[tuple[int, int]]:
    rows = Participation.objects.filter(baseline=baseline, events__kind=kind)
    return list(rows.annotate(n=Count("events", filter=Q(events__kind=kind))).values_list("pk", "n"))
