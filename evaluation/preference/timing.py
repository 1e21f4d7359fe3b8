"""How long a rater took for a trial, from its events; used by all pages and exports.

Pure. A trial begins when its first page is opened and ends with the vote. Time counts as work while the page is open in
the front window, at most MAX_IDLE_SECONDS between two events; the whole span is kept too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

OPENED, LEFT, RETURNED, PAUSED, GRADED, VOTED = "opened", "left", "returned", "paused", "graded", "voted"
PASTED, DROPPED = "pasted", "dropped"
BROWSER_EVENTS = (LEFT, RETURNED, PASTED, DROPPED)
"""Events that the browser may report; the server records the others itself."""
_AWAY = (LEFT, PAUSED)
MAX_IDLE_SECONDS = 600.0
"""The longest time between two events that counts as work."""


@dataclass(frozen=True, slots=True)
class TimeSpent:
    """Seconds from opening to vote (None before the vote), those at work, and how often the window was left."""

    seconds: float | None
    seconds_at_work: float | None
    times_left: int


def time_spent(events: Sequence[tuple[str, datetime]]) -> TimeSpent:
    """The times of one trial from its (kind, time) events in any order; overlapping tabs count once.

    >>> times = [datetime(2026, 1, 1, 9, 0, second) for second in (0, 10, 40, 45)]
    >>> time_spent(list(zip(("opened", "left", "returned", "voted"), times, strict=True)))
    TimeSpent(seconds=45.0, seconds_at_work=15.0, times_left=1)
    """
    ordered = sorted(events, key=lambda event: event[1])
    times_left = sum(kind == LEFT for kind, _ in ordered)
    ends = [time for kind, time in ordered if kind == VOTED]
    starts = [time for kind, time in ordered if kind == OPENED]
    if not ends or not starts:
        return TimeSpent(None, None, times_left)
    start, end = starts[0], ends[0]
    within_trial = [(kind, time) for kind, time in ordered if start <= time <= end]
    at_work = sum(
        min(MAX_IDLE_SECONDS, (after - before).total_seconds())
        for (kind, before), (_, after) in pairwise(within_trial)
        if kind not in _AWAY
    )
    return TimeSpent((end - start).total_seconds(), float(at_work), times_left)
