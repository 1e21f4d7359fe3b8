"""How long a rater took over an item, from the raw events: the one function that every page and export asks.

Pure. A trial begins when its first page is opened and ends with the vote. Time counts as work while the page is
open and its window in front, and no longer than LONGEST without a sign of life; the raw span is kept beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

OPENED, LEFT, RETURNED, PAUSED, GRADED, VOTED = "opened", "left", "returned", "paused", "graded", "voted"
PASTED, DROPPED = "pasted", "dropped"
FROM_THE_PAGE = (LEFT, RETURNED, PASTED, DROPPED)
"""What the browser may report; the rest the server knows itself."""
_AWAY = (LEFT, PAUSED)
LONGEST = 600.0
"""Seconds between two signs of life that count at most."""


@dataclass(frozen=True, slots=True)
class TimeSpent:
    """Seconds from first sight to vote (None before), of these at work, and how often the window was left."""

    seconds: float | None
    seconds_at_work: float | None
    times_left: int


def time_spent(events: Sequence[tuple[str, datetime]]) -> TimeSpent:
    """The times of one trial's (what, when) events, in any order; overlapping tabs count once.

    >>> at = [datetime(2026, 1, 1, 9, 0, second) for second in (0, 10, 40, 45)]
    >>> time_spent(list(zip(("opened", "left", "returned", "voted"), at, strict=True)))
    TimeSpent(seconds=45.0, seconds_at_work=15.0, times_left=1)
    """
    ordered = sorted(events, key=lambda event: event[1])
    times_left = sum(what == LEFT for what, _ in ordered)
    ends = [at for what, at in ordered if what == VOTED]
    starts = [at for what, at in ordered if what == OPENED]
    if not ends or not starts:
        return TimeSpent(None, None, times_left)
    start, end = starts[0], ends[0]
    inside = [(what, at) for what, at in ordered if start <= at <= end]
    at_work = sum(
        min(LONGEST, (after - before).total_seconds())
        for (what, before), (_, after) in pairwise(inside)
        if what not in _AWAY
    )
    return TimeSpent((end - start).total_seconds(), float(at_work), times_left)
