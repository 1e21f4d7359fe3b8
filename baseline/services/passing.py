"""One pass, step by step. Every transition names the version it saw, so that each happens once.

The clock is the server's. `settle` draws the consequences of time alone (the deadline, the gap rule); it is called
before anything is shown or taken, and comes to the same whenever it is called.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from baseline.answers import check_answer, is_blank
from baseline.models import Answer, AnswerKind, Baseline, Event, Participation, State, Task, TaskState
from baseline.protocol import (
    Arrival,
    Kind,
    Page,
    Plan,
    Standing,
    Step,
    arrival,
    is_void_after,
    page_of,
    step_after,
)
from baseline.questions import read_answers
from baseline.services.plan import holder_of
from baseline.services.seat import open_task
from config.accounts.models import Role
from config.exposure.reservations import let_go
from config.exposure.services import Saw, has_seen, record_exposure
from evaluation.answer_forms import asks_for_regions
from evaluation.models import GoldItem
from evaluation.payloads.text import BadText, is_storable, validate_text


class Stale(Exception):
    """The transition was made from a page that is no longer the current one; nothing changed."""


class BaselineClosed(Exception):
    """The baseline is not open (any more)."""


class Blank(Exception):
    """Nothing was written. Say that it cannot be read, or write what can be."""


class NotTheSeat(Exception):
    """Another tab or device has taken the place over."""


class Unanswered(Exception):
    """Questions about the person that are still open; `places` counts from 0."""

    def __init__(self, places: list[int]) -> None:
        self.places = places
        super().__init__(places)


def plan_of(row: Participation) -> Plan:
    baseline = row.baseline
    return Plan(bool(baseline.questions), len(baseline.practice), row.tasks.count(), baseline.break_every)


def current_page(row: Participation) -> Page:
    """The page the person is on; every address of the pass leads to it."""
    is_shown = row.step == Step.ITEMS and open_task(row) is not None
    at = Standing(Step(row.step), row.position, row.is_feedback, is_shown, row.rested_at)
    return page_of(plan_of(row), at)


def lock(row: Participation, *, version: int, page: Page, seat: str | None = None) -> Participation:
    """The row, locked, if it still is on this page at this version. Raises Stale, BaselineClosed, NotTheSeat."""
    locked = Participation.objects.select_for_update().select_related("baseline", "person").get(pk=row.pk)
    if locked.version != version or current_page(locked) != page:
        raise Stale
    if locked.baseline.state != State.OPEN:
        raise BaselineClosed
    if seat is not None and locked.seat and locked.seat != seat:
        raise NotTheSeat
    return locked


def move(row: Participation, **changes: Any) -> None:
    """Write a transition. Raises Stale when another was first."""
    moved = Participation.objects.filter(pk=row.pk, version=row.version).update(
        version=F("version") + 1, **changes
    )
    if not moved:
        raise Stale


def go_on(row: Participation, step: Step, **changes: Any) -> None:
    """To the next step that has something in it."""
    following = step_after(plan_of(row), step)
    finished = {"finished_at": timezone.now()} if following == Step.OVER else {}
    move(row, step=following, position=0, is_feedback=False, **finished, **changes)


def agree(*, participation: Participation, version: int, consent: int) -> None:
    """Consent to the version of the text that was shown. Raises Stale when there is a newer one."""
    with transaction.atomic():
        row = lock(participation, version=version, page=Page.CONSENT)
        newest = row.baseline.consents.first()
        if newest is None or newest.number != consent:
            raise Stale
        go_on(row, Step.CONSENT, consent=newest, consented_at=timezone.now())


def answer_questions(*, participation: Participation, version: int, given: Mapping[str, str]) -> None:
    """Store what the person says about themself. Raises Unanswered."""
    with transaction.atomic():
        row = lock(participation, version=version, page=Page.ABOUT)
        answers, open_ones = read_answers(row.baseline.questions, given)
        if open_ones:
            raise Unanswered(open_ones)
        go_on(row, Step.ABOUT, about=answers)


def finish_brief(*, participation: Participation, version: int) -> None:
    with transaction.atomic():
        row = lock(participation, version=version, page=Page.BRIEF)
        go_on(row, Step.BRIEF)


def practice_item(row: Participation) -> GoldItem | None:
    """The practice sample in hand."""
    numbers = row.baseline.practice
    if row.step != Step.PRACTICE or row.position >= len(numbers):
        return None
    return GoldItem.objects.filter(release=row.baseline.release_id, number=numbers[row.position]).first()


def hand_in_practice(*, participation: Participation, version: int, text: str) -> None:
    """Take a practice text; the ground truth is shown beside it then. Raises BadText."""
    validate_text(text)
    with transaction.atomic():
        row = lock(participation, version=version, page=Page.PRACTICE)
        item = practice_item(row)
        if item is None:
            raise Stale
        if item.pixel_hash:
            let_go(user=row.person, holder=holder_of(row.baseline), image_hashes=[item.pixel_hash])
            _note_seen(row, item, Saw.GOLD, "baseline practice")
        move(row, is_feedback=True, practice_texts={**row.practice_texts, item.sample_id: text})


def finish_feedback(*, participation: Participation, version: int) -> None:
    with transaction.atomic():
        row = lock(participation, version=version, page=Page.FEEDBACK)
        if row.position + 1 < len(row.baseline.practice):
            move(row, position=row.position + 1, is_feedback=False)
        else:
            go_on(row, Step.PRACTICE)


def end_break(*, participation: Participation, version: int) -> None:
    with transaction.atomic():
        row = lock(participation, version=version, page=Page.BREAK)
        move(row, rested_at=row.position)


def show(*, participation: Participation, version: int) -> None:
    """Start the clock of the next sample. One whose picture the person has meanwhile seen elsewhere is void."""
    now = timezone.now()
    with transaction.atomic():
        row = lock(participation, version=version, page=Page.READY)
        task = row.tasks.select_related("item").get(position=row.position)
        if task.item.pixel_hash and has_seen(row.person, task.item.pixel_hash):
            _close(row, task, now, TaskState.VOID, void_reason="seen")
            _advance(row)
            return
        limit = row.baseline.time_limit_seconds
        deadline = now + timedelta(seconds=limit) if limit else None
        Task.objects.filter(pk=task.pk).update(state=TaskState.OPEN, shown_at=now, deadline=deadline)
        Event.objects.create(participation=row, task=task, kind=Kind.SHOWN, at=now)
        if task.item.pixel_hash:
            _note_seen(row, task.item, Saw.IMAGE, holder_of(row.baseline))
        move(row, seat="", seen_at=now)


def _note_seen(row: Participation, item: GoldItem, saw: Saw, place: str) -> None:
    record_exposure(user=row.person, image_hash=item.pixel_hash, role=Role.PARTICIPANT, saw=saw, place=place)


def save_text(
    *, participation: Participation, seat: str, key: str, text: str, base_version: int
) -> tuple[int, datetime]:
    """Keep what is being typed; its version and time. Raises Stale (another task, or its time is over), NotTheSeat,
    BadText."""
    validate_text(text)
    settle(participation)
    now = timezone.now()
    with transaction.atomic():
        row = Participation.objects.select_for_update().select_related("baseline").get(pk=participation.pk)
        task = open_task(row)
        if task is None or key_of(task) != key or row.baseline.state != State.OPEN:
            raise Stale
        if row.seat != seat:
            raise NotTheSeat
        if task.text != text:
            # One seat writes, so an unequal version is this page's own earlier save whose answer was lost.
            Task.objects.filter(pk=task.pk).update(text=text, version=F("version") + 1, saved_at=now)
            task.refresh_from_db()
        Participation.objects.filter(pk=row.pk).update(seen_at=now)
    return task.version, task.saved_at or now


def key_of(task: Task) -> str:
    """Names a task towards its page, so that a text typed for one picture never lands at another."""
    return f"{task.participation.uuid.hex}-{task.position}"


def hand_in(
    *,
    participation: Participation,
    seat: str,
    key: str,
    text: str,
    cannot_read: bool,
    idempotency_key: str,
) -> None:
    """Take the answer of the running task, once and for good, and go on.

    The same `idempotency_key` again changes nothing. In time a blank text is refused (Blank), within the grace
    after the deadline the text is kept as `timed_out`; later the last received text stands. Raises Stale,
    NotTheSeat, BadText, Blank, BaselineClosed; nothing is lost then.
    """
    now = timezone.now()
    with transaction.atomic():
        row = (
            Participation.objects.select_for_update()
            .select_related("baseline", "person")
            .get(pk=participation.pk)
        )
        if Answer.objects.filter(task__participation=row, idempotency_key=idempotency_key).exists():
            return
        if row.baseline.state != State.OPEN:
            raise BaselineClosed
        task = open_task(row)
        if task is None or key_of(task) != key:
            if is_late_for(row, key):
                return
            raise Stale
        if row.seat != seat:
            raise NotTheSeat
        if _settle_locked(row, now):
            Event.objects.create(participation=row, task=task, kind=Kind.LATE, detail={"size": len(text)})
            return
        when = arrival(now, task.deadline)
        if when == Arrival.IN_GRACE:
            _take_at_the_bell(row, task, text, cannot_read, idempotency_key, now)
            return
        numbers = region_numbers(task.item)
        check_answer(text, numbers)
        if not cannot_read and is_blank(text, numbers):
            raise Blank
        kind = AnswerKind.CANNOT_READ if cannot_read else AnswerKind.TEXT
        _take(row, task, kind, text, now, idempotency_key=idempotency_key)


def is_late_for(row: Participation, key: str) -> bool:
    """True for a task that its deadline has closed already: the page's own last words may cross with that."""
    closed = row.tasks.filter(answer__is_timed_out=True).order_by("-position").first()
    return closed is not None and key_of(closed) == key


def _take_at_the_bell(
    row: Participation, task: Task, text: str, cannot_read: bool, idempotency_key: str, now: datetime
) -> None:
    """The last keystrokes, as received; what no page can hold gives way to what was last saved."""
    try:
        check_answer(text, region_numbers(task.item))
    except BadText:
        text = task.text if not is_storable(text) else text
    late = int((now - task.deadline).total_seconds() * 1000) if task.deadline else 0
    kind = AnswerKind.CANNOT_READ if cannot_read else _kind_of(task, text)
    _take(row, task, kind, text, now, idempotency_key=idempotency_key, is_timed_out=True, late_ms=late)


def _kind_of(task: Task, text: str) -> AnswerKind:
    """What a text amounts to when the time is over: nothing received is missing, never empty."""
    try:
        return AnswerKind.NOTHING if is_blank(text, region_numbers(task.item)) else AnswerKind.TEXT
    except BadText:
        return AnswerKind.NOTHING


def region_numbers(item: GoldItem) -> list[int] | None:
    """The regions an answer to this item is keyed by; None where it is one text."""
    if not asks_for_regions(item.release, item):
        return None
    return [region["number"] for region in item.record["regions"]]


def _take(
    row: Participation,
    task: Task,
    kind: AnswerKind,
    text: str,
    now: datetime,
    *,
    idempotency_key: str = "",
    is_timed_out: bool = False,
    late_ms: int | None = None,
) -> None:
    Answer.objects.create(
        task=task,
        kind=kind,
        text=text if kind == AnswerKind.TEXT else "",
        is_timed_out=is_timed_out,
        late_ms=late_ms,
        idempotency_key=idempotency_key,
        received_at=now,
    )
    end = task.deadline if is_timed_out and task.deadline else now
    _close(row, task, end, TaskState.DONE, text=text, how=Kind.TIMED_OUT if is_timed_out else Kind.HANDED_IN)
    _advance(row)


def _close(
    row: Participation, task: Task, at: datetime, state: TaskState, *, how: Kind = Kind.VOIDED, **changes: Any
) -> None:
    Task.objects.filter(pk=task.pk).update(state=state, closed_at=at, **changes)
    Event.objects.create(participation=row, task=task, kind=how, at=at)
    if task.item.pixel_hash:
        let_go(user=row.person, holder=holder_of(row.baseline), image_hashes=[task.item.pixel_hash])


def _advance(row: Participation) -> None:
    """To the next task, or past the last."""
    if row.position + 1 < row.tasks.count():
        move(row, position=row.position + 1, seat="")
    else:
        go_on(row, Step.ITEMS, seat="")


def settle(participation: Participation) -> bool:
    """Draw the consequences of time for the running task; True when it is over by that.

    Past the deadline and its grace the text as last received is the answer, `timed_out`; none received is missing.
    A silence longer than the gap rule allows voids the sample.
    """
    with transaction.atomic():
        row = (
            Participation.objects.select_for_update()
            .select_related("baseline", "person")
            .get(pk=participation.pk)
        )
        is_over = _settle_locked(row, timezone.now())
    participation.refresh_from_db()
    return is_over


def _settle_locked(row: Participation, now: datetime) -> bool:
    task = open_task(row)
    if task is None:
        return False
    silent_until = min(now, task.deadline) if task.deadline else now
    last_sign = row.seen_at or task.shown_at
    if last_sign and is_void_after(silent_until - last_sign, row.baseline.gap_minutes):
        _close(row, task, now, TaskState.VOID, void_reason="gap")
        _advance(row)
        return True
    if arrival(now, task.deadline) == Arrival.LATE:
        after = (task.saved_at - task.deadline) if task.saved_at and task.deadline else timedelta(0)
        late = int(after.total_seconds() * 1000) if after > timedelta(0) else None
        _take(row, task, _kind_of(task, task.text), task.text, now, is_timed_out=True, late_ms=late)
        return True
    return False


def settle_all(baseline: Baseline) -> None:
    """The same for everybody who has not come back."""
    rows = Participation.objects.filter(baseline=baseline, tasks__state=TaskState.OPEN).distinct()
    for row in rows:
        settle(row)


def finish(*, participation: Participation, version: int, words: str) -> None:
    """The debrief: what the person wants to say, and the end."""
    with transaction.atomic():
        row = lock(participation, version=version, page=Page.DEBRIEF)
        go_on(row, Step.DEBRIEF, debrief=words[:10_000])
        let_go(user=row.person, holder=holder_of(row.baseline))
