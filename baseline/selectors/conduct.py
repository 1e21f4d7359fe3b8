"""How people went about it: times and conduct by sample and by person, and what they say of themselves.

No transcription of anybody.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from baseline.analysis import middle
from baseline.models import Baseline, Event, Task
from baseline.protocol import ClockEvent, EventKind, Times, times_of


@dataclass(frozen=True, slots=True)
class Conduct:
    """One answer's facts without its text: for the export, and for the table of times."""

    person: str
    sample: str
    number: int
    position: int
    state: str
    kind: str
    timed_out: bool
    late_ms: int | None
    total_seconds: float | None
    active_seconds: float | None
    total_clamped: float | None
    active_clamped: float | None
    blurs: int
    pastes: int
    pasted_characters: int
    resumed: int
    refused: int


def conduct_of(baseline: Baseline) -> list[Conduct]:
    """Every sample that was shown to somebody who did not withdraw, in the order each person met them."""
    events: dict[int, list[Event]] = defaultdict(list)
    rows = Event.objects.filter(participation__baseline=baseline, task__isnull=False)
    for event in rows.order_by("at", "pk"):
        if event.task_id is not None:
            events[event.task_id].append(event)
    tasks = (
        Task.objects.filter(
            participation__baseline=baseline, participation__withdrawn_at=None, shown_at__isnull=False
        )
        .select_related("participation", "item", "response")
        .order_by("participation__number", "position")
    )
    return [_conduct(task, events[task.pk], baseline) for task in tasks]


def times_of_task(events: Iterable[Event], baseline: Baseline) -> Times | None:
    """The one way from stored events to seconds."""
    moments = [ClockEvent(EventKind(event.kind), event.at, _away_since(event)) for event in events]
    return times_of(moments, clamp_seconds=60.0 * baseline.clamp_minutes)


def _away_since(event: Event) -> datetime | None:
    since = event.detail.get("away_since")
    return datetime.fromisoformat(since) if since else None


def _conduct(task: Task, events: list[Event], baseline: Baseline) -> Conduct:
    response = getattr(task, "response", None)
    times = times_of_task(events, baseline)
    kinds = [event.kind for event in events]
    return Conduct(
        person=f"P{task.participation.number:02d}",
        sample=task.item.sample_id,
        number=task.item.number,
        position=task.position + 1,
        state=task.state if not task.void_reason else f"{task.state}: {task.void_reason}",
        kind=response.kind if response else "",
        timed_out=bool(response and response.is_timed_out),
        late_ms=response.late_ms if response else None,
        total_seconds=times.total if times else None,
        active_seconds=times.active if times else None,
        total_clamped=times.total_clamped if times else None,
        active_clamped=times.active_clamped if times else None,
        blurs=kinds.count(EventKind.BLUR),
        pastes=kinds.count(EventKind.PASTE) + kinds.count(EventKind.DROP) + kinds.count(EventKind.BURST),
        pasted_characters=sum(event.detail.get("size", 0) for event in events),
        resumed=kinds.count(EventKind.RESUMED),
        refused=kinds.count(EventKind.REFUSED),
    )


@dataclass(frozen=True, slots=True)
class Pace:
    """How one person went about it."""

    person: str
    n: int
    median_active: float | None
    median_total: float | None
    pastes: int
    blurs: int


def pace_of(conduct: Iterable[Conduct]) -> list[Pace]:
    """By person, over what they submitted; clamped seconds."""
    by_person: dict[str, list[Conduct]] = defaultdict(list)
    for page in conduct:
        if page.kind:
            by_person[page.person].append(page)
    return [
        Pace(
            person,
            len(rows),
            middle([row.active_clamped for row in rows if row.active_clamped is not None]),
            middle([row.total_clamped for row in rows if row.total_clamped is not None]),
            sum(row.pastes for row in rows),
            sum(row.blurs for row in rows),
        )
        for person, rows in by_person.items()
    ]


@dataclass(frozen=True, slots=True)
class ParticipantRecord:
    """What one person agreed to and says of themself."""

    person: str
    consent_version: int | None
    consented_at: str | None
    about: dict[str, str]
    debrief: str


def people_of(baseline: Baseline) -> list[dict[str, Any]]:
    """Everybody who did not withdraw, by code and without names."""
    rows = baseline.participations.filter(withdrawn_at=None).select_related("consent")
    return [
        asdict(
            ParticipantRecord(
                f"P{row.number:02d}",
                row.consent.number if row.consent else None,
                row.consented_at.isoformat() if row.consented_at else None,
                row.about,
                row.debrief,
            )
        )
        for row in rows
    ]
