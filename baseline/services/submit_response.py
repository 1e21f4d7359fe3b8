"""The response to a sample: saved while it is typed, then submitted once and for good."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_noop

from baseline.models import Event, Participation, Response, ResponseKind, State, Task
from baseline.protocol import Arrival, EventKind, SessionPage, Step, arrival
from baseline.responses import UNREADABLE, check_draft, check_response, is_blank, parse_response
from baseline.selectors.formats import format_of
from baseline.selectors.sessions import key_of, open_task
from baseline.services.assign_samples import holder_of
from baseline.services.move_session import (
    BaselineClosed,
    StaleSession,
    TabReplaced,
    advance_step,
    lock_session,
)
from baseline.services.run_clock import kind_of, settle_locked_session, settle_session, store_response
from config.errors import ApplicationError
from config.exposure.reservations import release_reservations
from evaluation.payloads.text import BadText, is_storable


class Blank(ApplicationError):
    """Nothing was written, and the page was not submitted as one that cannot be read."""

    status, kind = 422, "invalid"
    field = "text"
    msgid = gettext_noop("Nothing has been written. Write what you can read, or press “I cannot read this”.")


def save_draft(*, participation: Participation, tab_token: str, key: str, text: str) -> tuple[int, datetime]:
    """Save a draft; its version and time.

    Raises StaleSession (another task, or its time is over), TabReplaced, BadText.
    """
    check_draft(text)
    settle_session(participation)
    now = timezone.now()
    with transaction.atomic():
        row = Participation.objects.select_for_update().select_related("baseline").get(pk=participation.pk)
        task = open_task(row)
        if task is None or key_of(task) != key or row.baseline.state != State.OPEN:
            raise StaleSession
        if row.tab_token != tab_token:
            raise TabReplaced
        if task.text != text:
            # One tab_token writes, so an unequal version is this page's own earlier save whose answer was lost.
            Task.objects.filter(pk=task.pk).update(text=text, version=F("version") + 1, saved_at=now)
            task.refresh_from_db()
        Participation.objects.filter(pk=row.pk).update(seen_at=now)
    return task.version, task.saved_at or now


def submit_response(
    *,
    participation: Participation,
    tab_token: str,
    key: str,
    text: str,
    cannot_read: bool,
    idempotency_key: str,
    format_name: str = "",
) -> None:
    """Store the response of the running task and go on to the next.

    The same `idempotency_key` again changes nothing. In time a blank text is refused (Blank), within the grace
    after the deadline the text is kept as `timed_out`; later the last received text stands. Raises StaleSession,
    TabReplaced, BadPayload, Blank, BaselineClosed; nothing is lost then.
    """
    now = timezone.now()
    with transaction.atomic():
        row = (
            Participation.objects.select_for_update()
            .select_related("baseline", "person")
            .get(pk=participation.pk)
        )
        given = Response.objects.filter(task__participation=row, idempotency_key=idempotency_key)
        if idempotency_key and given.exists():
            return
        if row.baseline.state != State.OPEN:
            raise BaselineClosed
        task = open_task(row)
        if task is None or key_of(task) != key:
            if is_late_for(row, key):
                return
            raise StaleSession
        if row.tab_token != tab_token:
            raise TabReplaced
        if settle_locked_session(row, now):
            Event.objects.create(
                participation=row, task=task, kind=EventKind.LATE, detail={"size": len(text)}
            )
            return
        when = arrival(now, task.deadline)
        if when == Arrival.IN_GRACE:
            _take_at_the_bell(row, task, text, cannot_read, idempotency_key, now)
            return
        check_draft(text)
        form = format_of(task.item)
        if format_name not in ("", form.name):
            raise BadText(UNREADABLE)
        if not cannot_read:
            content = parse_response(text, form)
            check_response(content)
            if is_blank(content):
                raise Blank
        kind = ResponseKind.CANNOT_READ if cannot_read else ResponseKind.TEXT
        store_response(row, task, kind, text, now, idempotency_key=idempotency_key)


def is_late_for(row: Participation, key: str) -> bool:
    """True for a task that its deadline has just closed: the last submission of its page may arrive afterwards."""
    closed = row.tasks.filter(response__is_timed_out=True).order_by("-position").first()
    return closed is not None and key_of(closed) == key


def _take_at_the_bell(
    row: Participation, task: Task, text: str, cannot_read: bool, idempotency_key: str, now: datetime
) -> None:
    """Store the last keystrokes as received, or the last draft where they cannot be stored."""
    try:
        check_draft(text)
    except BadText:
        text = task.text if not is_storable(text) else text
    late = int((now - task.deadline).total_seconds() * 1000) if task.deadline else 0
    kind = ResponseKind.CANNOT_READ if cannot_read else kind_of(task, text)
    store_response(
        row, task, kind, text, now, idempotency_key=idempotency_key, is_timed_out=True, late_ms=late
    )


def finish_session(*, participation: Participation, version: int, words: str) -> None:
    """The debrief: what the person wants to say, and the end. Raises BadText."""
    check_draft(words)
    with transaction.atomic():
        row = lock_session(participation, version=version, page=SessionPage.DEBRIEF)
        advance_step(row, Step.DEBRIEF, debrief=words[:10_000])
        release_reservations(user=row.person, holder=holder_of(row.baseline))
