"""One device and one tab at a time: who may act in a session, and what the page reports."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from baseline.models import Event, Participation, Task
from baseline.protocol import FROM_PAGE, SILENCE_SECONDS, EventKind, Step
from baseline.selectors.sessions import open_task
from config.errors import ApplicationError

AWAY_AFTER = timedelta(seconds=75)
"""A longer silence is time away. Browsers let a page in the background speak once a minute."""
MAX_EVENTS = 200  # of one report
MAX_DELAY = timedelta(minutes=10)  # between an event in the page and its report


class DeviceLocked(ApplicationError):
    """The session is open in another tab or on another device; free again in `seconds` if that stays silent."""

    kind = "lease_lost"
    msgid = gettext_noop(
        "This page is open in another tab or on another device. Continue there; nothing is saved here."
    )

    def __init__(self, seconds: int) -> None:
        super().__init__()
        self.seconds = seconds


def device_mark(cookie: str) -> str:
    """What is stored of a device's cookie."""
    return hashlib.sha256(cookie.encode()).hexdigest() if cookie else ""


def is_elsewhere(participation: Participation, device: str) -> bool:
    """True while another device is in the middle of a sample."""
    return (
        participation.step == Step.ITEMS
        and bool(participation.tab_token)
        and participation.device != device
        and _silence(participation) <= timedelta(seconds=SILENCE_SECONDS)
    )


def acquire_device_lock(
    *, participation: Participation, device: str, tab_token: str, is_alone: bool = False
) -> None:
    """Make this tab the one that acts, or note that it still is. Raises DeviceLocked, and writes that down.

    A free place is anybody's. A taken one goes to another tab only when it was silent for SILENCE_SECONDS, or when
    the same browser vouches that no other of its tabs is open (`is_alone`: after a reload or a crash).
    """
    now = timezone.now()
    with transaction.atomic():
        row = Participation.objects.select_for_update().get(pk=participation.pk)
        silence = _silence(row)
        is_same = row.tab_token == tab_token and row.device == device
        is_free = not row.tab_token or silence > timedelta(seconds=SILENCE_SECONDS)
        is_granted = bool(tab_token) and (is_same or is_free or (is_alone and row.device == device))
        task = open_task(row)
        if is_granted:
            if task is not None and row.seen_at is not None and (row.tab_token or silence > AWAY_AFTER):
                _note_return(row, task, is_same, silence)
            Participation.objects.filter(pk=row.pk).update(device=device, tab_token=tab_token, seen_at=now)
        else:
            Event.objects.create(participation=row, task=task, kind=EventKind.REFUSED)
    participation.refresh_from_db()
    if not is_granted:
        raise DeviceLocked(max(1, round(SILENCE_SECONDS - silence.total_seconds())))


def _note_return(row: Participation, task: Task, is_same: bool, silence: timedelta) -> None:
    if is_same and silence <= AWAY_AFTER:
        return
    away = {"away_since": row.seen_at.isoformat()} if row.seen_at and silence > AWAY_AFTER else {}
    Event.objects.create(participation=row, task=task, kind=EventKind.RESUMED, detail=away)


def _silence(row: Participation) -> timedelta:
    return timezone.now() - row.seen_at if row.seen_at else timedelta.max


def report_events(*, participation: Participation, events: Iterable[Mapping[str, Any]]) -> None:
    """Store what the page noticed in the running task, each key once. An event's time is the server's, less the
    milliseconds since it that the page counted; what is not an event is left out."""
    task = open_task(participation)
    if task is None or task.shown_at is None:
        return
    now = timezone.now()
    rows = [
        row
        for event in list(events)[:MAX_EVENTS]
        if (row := _event(participation, task, event, task.shown_at, now)) is not None
    ]
    Event.objects.bulk_create(rows, ignore_conflicts=True)


def _event(
    participation: Participation, task: Task, event: Any, earliest: datetime, now: datetime
) -> Event | None:
    if not isinstance(event, Mapping):
        return None
    kind, key = event.get("kind"), event.get("key")
    if kind not in FROM_PAGE or not isinstance(key, str) or not key.isalnum() or len(key) > 40:
        return None
    ago, size = event.get("ago_ms"), event.get("size")
    if not isinstance(ago, int) or isinstance(ago, bool) or ago < 0:
        ago = 0
    moment = max(now - min(timedelta(milliseconds=min(ago, 10**9)), MAX_DELAY), earliest)
    has_size = isinstance(size, int) and not isinstance(size, bool) and 0 <= size < 10**9
    return Event(
        participation=participation,
        task=task,
        kind=EventKind(kind),
        at=moment,
        key=key,
        detail={"size": size} if has_size else {},
    )
