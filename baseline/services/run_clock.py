"""The clock of a sample, which is the server's: it starts when the page is shown, and time alone may end it.

`settle_session` applies the deadline and the gap rule. It is called before anything is shown or stored, and its result
does not depend on when it is called.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from baseline.models import Baseline, Event, Participation, Response, ResponseKind, Task, TaskState
from baseline.protocol import Arrival, EventKind, SessionPage, Step, arrival, is_void_after
from baseline.responses import is_blank, parse_response
from baseline.selectors.formats import format_of
from baseline.selectors.sessions import open_task
from baseline.services.assign_samples import holder_of
from baseline.services.move_session import advance_step, lock_session, record_seen, update_session
from config.exposure.models import SeenContent
from config.exposure.reservations import release_reservations
from config.exposure.selectors import exposures_of, has_seen
from evaluation.payloads.text import BadText


def end_break(*, participation: Participation, version: int) -> None:
    with transaction.atomic():
        row = lock_session(participation, version=version, page=SessionPage.BREAK)
        update_session(row, rested_at=row.position)


def show_sample(*, participation: Participation, version: int) -> None:
    """Start the clock of the next sample, which is void if the participant has seen its image elsewhere since."""
    now = timezone.now()
    with transaction.atomic():
        row = lock_session(participation, version=version, page=SessionPage.READY)
        task = row.tasks.select_related("item").get(position=row.position)
        if task.item.pixel_hash and has_seen(row.person, task.item.pixel_hash):
            close_task(row, task, now, TaskState.VOID, void_reason="seen")
            advance_task(row)
            return
        limit = row.baseline.time_limit_seconds
        deadline = now + timedelta(seconds=limit) if limit else None
        Task.objects.filter(pk=task.pk).update(state=TaskState.OPEN, shown_at=now, deadline=deadline)
        Event.objects.create(participation=row, task=task, kind=EventKind.SHOWN, at=now)
        if task.item.pixel_hash:
            record_seen(row, task.item, SeenContent.IMAGE, holder_of(row.baseline))
        update_session(row, tab_token="", seen_at=now)


def settle_session(participation: Participation) -> bool:
    """Apply the deadline and the gap rule to the running task; True when that ended it.

    Past the deadline and its grace the text as last received is the answer, `timed_out`; none received is missing.
    A silence longer than the gap rule allows voids the sample, and so does having opened it elsewhere meanwhile.
    """
    with transaction.atomic():
        row = (
            Participation.objects.select_for_update()
            .select_related("baseline", "person")
            .get(pk=participation.pk)
        )
        is_over = settle_locked_session(row, timezone.now())
    participation.refresh_from_db()
    return is_over


def settle_open_tasks(baseline: Baseline) -> None:
    """The same for everybody who has not come back."""
    rows = Participation.objects.filter(baseline=baseline, tasks__state=TaskState.OPEN).distinct()
    for row in rows:
        settle_session(row)


def settle_locked_session(row: Participation, now: datetime) -> bool:
    task = open_task(row)
    if task is None:
        return False
    if _seen_elsewhere(row, task):
        close_task(row, task, now, TaskState.VOID, void_reason="seen")
        advance_task(row)
        return True
    silent_until = min(now, task.deadline) if task.deadline else now
    last_sign = row.seen_at or task.shown_at
    if last_sign and is_void_after(silent_until - last_sign, row.baseline.gap_minutes):
        close_task(row, task, now, TaskState.VOID, void_reason="gap")
        advance_task(row)
        return True
    if arrival(now, task.deadline) == Arrival.LATE:
        after = (task.saved_at - task.deadline) if task.saved_at and task.deadline else timedelta(0)
        late = int(after.total_seconds() * 1000) if after > timedelta(0) else None
        store_response(row, task, kind_of(task, task.text), task.text, now, is_timed_out=True, late_ms=late)
        return True
    return False


def _seen_elsewhere(row: Participation, task: Task) -> bool:
    """True when the person opened the image, its label or its ground truth in another place while the clock ran."""
    rows = exposures_of(row.person).filter(image_hash=task.item.pixel_hash)
    return bool(task.item.pixel_hash) and rows.exclude(place=holder_of(row.baseline)).exists()


def kind_of(task: Task, text: str) -> ResponseKind:
    """The kind of what was received by the end: a blank or unreadable text is nothing received, so missing."""
    try:
        content = parse_response(text, format_of(task.item))
    except BadText:
        return ResponseKind.NOTHING
    return ResponseKind.NOTHING if is_blank(content) else ResponseKind.TEXT


def store_response(
    row: Participation,
    task: Task,
    kind: ResponseKind,
    text: str,
    now: datetime,
    *,
    idempotency_key: str = "",
    is_timed_out: bool = False,
    late_ms: int | None = None,
) -> None:
    Response.objects.create(
        task=task,
        kind=kind,
        text=text if kind == ResponseKind.TEXT else "",
        is_timed_out=is_timed_out,
        late_ms=late_ms,
        idempotency_key=idempotency_key,
        received_at=now,
    )
    end = task.deadline if is_timed_out and task.deadline else now
    close_task(
        row,
        task,
        end,
        TaskState.DONE,
        text=text,
        how=EventKind.TIMED_OUT if is_timed_out else EventKind.HANDED_IN,
    )
    advance_task(row)


def close_task(
    row: Participation,
    task: Task,
    moment: datetime,
    state: TaskState,
    *,
    how: EventKind = EventKind.VOIDED,
    **changes: Any,
) -> None:
    Task.objects.filter(pk=task.pk).update(state=state, closed_at=moment, **changes)
    Event.objects.create(participation=row, task=task, kind=how, at=moment)
    if task.item.pixel_hash:
        release_reservations(
            user=row.person, holder=holder_of(row.baseline), image_hashes=[task.item.pixel_hash]
        )


def advance_task(row: Participation) -> None:
    """To the next task, or past the last."""
    if row.position + 1 < row.tasks.count():
        update_session(row, position=row.position + 1, tab_token="")
    else:
        advance_step(row, Step.ITEMS, tab_token="")
