"""The protocol of a session: which page comes when, what the clock allows, and how long a sample took.

Pure: no database, no site. The server asks here and nowhere else, so that pages, API, export and analysis agree.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

GRACE_SECONDS = 3
"""How long after the deadline the last keystrokes may still arrive. What arrives in it is kept as `timed_out`, with
the delay; what arrives later is not taken, and the text that was last received stands."""

SILENCE_SECONDS = 90
"""After so long without a sign of life from the page, another device may take the session over."""


class Step(StrEnum):
    """The step a participant is at; it only moves forwards."""

    CONSENT = "consent"
    ABOUT = "about"
    BRIEF = "brief"
    PRACTICE = "practice"
    ITEMS = "items"
    DEBRIEF = "debrief"
    OVER = "over"
    WITHDRAWN = "withdrawn"


class SessionPage(StrEnum):
    """The page a participant is on."""

    CONSENT = "consent"
    ABOUT = "about"
    BRIEF = "brief"
    PRACTICE = "practice"
    FEEDBACK = "feedback"
    READY = "ready"  # before the image: the clock does not run
    ITEM = "item"  # the clock runs
    BREAK = "break"
    DEBRIEF = "debrief"
    OVER = "over"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """What a baseline holds for one person."""

    has_questions: bool
    n_practice: int
    n_items: int
    break_every: int = 0  # 0 = no breaks


@dataclass(frozen=True, slots=True)
class SessionPosition:
    """Where one person is. `position` counts practice or items from 0; `rested_at` is where the last break ended."""

    step: Step
    position: int = 0
    is_feedback: bool = False
    is_shown: bool = False
    rested_at: int = 0


def page_of(plan: SessionPlan, position: SessionPosition) -> SessionPage:
    """The page a person is on.

    >>> page_of(SessionPlan(False, 0, 2), SessionPosition(Step.ITEMS, is_shown=True))
    <SessionPage.ITEM: 'item'>
    """
    if position.step == Step.PRACTICE:
        return SessionPage.FEEDBACK if position.is_feedback else SessionPage.PRACTICE
    if position.step != Step.ITEMS:
        return SessionPage(position.step.value)
    if position.is_shown:
        return SessionPage.ITEM
    return SessionPage.BREAK if is_break_due(plan, position) else SessionPage.READY


def is_break_due(plan: SessionPlan, position: SessionPosition) -> bool:
    """True at each multiple of `break_every` items that a person has not rested at yet."""
    return (
        bool(plan.break_every)
        and position.position > position.rested_at
        and position.position % plan.break_every == 0
    )


def step_after(plan: SessionPlan, step: Step) -> Step:
    """The next step that has something in it.

    >>> step_after(SessionPlan(has_questions=False, n_practice=0, n_items=3), Step.CONSENT)
    <Step.BRIEF: 'brief'>
    """
    order = [Step.CONSENT, Step.ABOUT, Step.BRIEF, Step.PRACTICE, Step.ITEMS, Step.DEBRIEF, Step.OVER]
    empty = {
        Step.ABOUT: not plan.has_questions,
        Step.PRACTICE: not plan.n_practice,
        Step.ITEMS: not plan.n_items,
    }
    return next(later for later in order[order.index(step) + 1 :] if not empty.get(later))


# -- the clock ---------------------------------------------------------------------------------------------------


class Arrival(StrEnum):
    """When a text came, by the server's clock."""

    IN_TIME = "in_time"
    IN_GRACE = "in_grace"
    LATE = "late"


def arrival(now: datetime, deadline: datetime | None) -> Arrival:
    """Whether what comes now is in time, within the grace, or too late. Without a deadline all is in time."""
    if deadline is None or now <= deadline:
        return Arrival.IN_TIME
    return Arrival.IN_GRACE if now <= deadline + timedelta(seconds=GRACE_SECONDS) else Arrival.LATE


def is_void_after(silence: timedelta, gap_minutes: int) -> bool:
    """The gap rule: a page without a sign of life for longer than this voids the sample. 0 = never."""
    return bool(gap_minutes) and silence > timedelta(minutes=gap_minutes)


# -- how long it took --------------------------------------------------------------------------------------------


class EventKind(StrEnum):
    """Raw events; each is stored once, with the server's time."""

    SHOWN = "shown"
    FIRST_KEY = "first_key"
    BLUR = "blur"
    FOCUS = "focus"
    PASTE = "paste"
    DROP = "drop"
    BURST = "burst"  # much text in one go without a paste: dictation, a replacement tool
    RESUMED = "resumed"  # the page came back: reload, crash, another device; `away_since` in its detail
    REFUSED = "refused"  # a second tab or device was turned away
    HANDED_IN = "submitted"
    TIMED_OUT = "timed_out"
    VOIDED = "voided"
    LATE = "late"  # a text that came after the grace and was not taken


FROM_PAGE = frozenset(
    {EventKind.FIRST_KEY, EventKind.BLUR, EventKind.FOCUS, EventKind.PASTE, EventKind.DROP, EventKind.BURST}
)
"""What a page may report; everything else is the server's own."""
_ENDS = frozenset({EventKind.HANDED_IN, EventKind.TIMED_OUT, EventKind.VOIDED})


@dataclass(frozen=True, slots=True)
class ClockEvent:
    """One raw event of one sample. `away_since` only for RESUMED."""

    kind: EventKind
    at: datetime
    away_since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds from the image's showing to the submission; active = without the time away. Raw, and clamped."""

    total: float
    active: float
    total_clamped: float
    active_clamped: float


def times_of(moments: Iterable[ClockEvent], *, clamp_seconds: float) -> Times | None:
    """How long one sample took, from its raw events; None until it was shown and is over.

    Away is the union of the stretches from a blur to the next focus, and of the silences that a RESUMED closes;
    stretches that overlap count once, one that nothing closes lasts to the end. Clamped = at most `clamp_seconds`.

    >>> t = datetime(2026, 1, 1)
    >>> s = lambda n: t + timedelta(seconds=n)
    >>> kinds = [EventKind.SHOWN, EventKind.BLUR, EventKind.FOCUS, EventKind.HANDED_IN]
    >>> events = [ClockEvent(kind, s(n)) for kind, n in zip(kinds, [0, 10, 30, 60])]
    >>> times_of(events, clamp_seconds=50)
    Times(total=60.0, active=40.0, total_clamped=50, active_clamped=40.0)
    """
    ordered = sorted(moments, key=lambda moment: moment.at)
    start = next((moment.at for moment in ordered if moment.kind == EventKind.SHOWN), None)
    end = next((moment.at for moment in ordered if moment.kind in _ENDS), None)
    if start is None or end is None:
        return None
    total = max((end - start).total_seconds(), 0.0)
    away = _covered(_stretches_away(ordered, end), start, end)
    active = max(total - away, 0.0)
    return Times(total, active, min(total, clamp_seconds), min(active, clamp_seconds))


def _stretches_away(ordered: list[ClockEvent], end: datetime) -> list[tuple[datetime, datetime]]:
    stretches = []
    left: datetime | None = None
    for moment in ordered:
        if moment.kind == EventKind.BLUR and left is None:
            left = moment.at
        elif moment.kind == EventKind.FOCUS and left is not None:
            stretches.append((left, moment.at))
            left = None
        elif moment.kind == EventKind.RESUMED:
            if moment.away_since is not None:
                stretches.append((moment.away_since, moment.at))
            if left is not None:  # the page that would have reported the return is gone
                stretches.append((left, moment.at))
                left = None
    return [*stretches, (left, end)] if left is not None else stretches


def _covered(stretches: list[tuple[datetime, datetime]], start: datetime, end: datetime) -> float:
    """Seconds of [start, end] that at least one stretch covers."""
    covered, reached = 0.0, start
    for first, last in sorted(stretches):
        first, last = max(first, reached), min(last, end)
        if last > first:
            covered += (last - first).total_seconds()
            reached = last
    return covered
