"""Times from raw events: one function, the raw span kept, nothing counted twice."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from evaluation.preference.timing import MAX_IDLE_SECONDS, TimeSpent, time_spent

NINE = datetime(2026, 1, 5, 9, tzinfo=UTC)


def events(*pairs: tuple[str, float]) -> list[tuple[str, datetime]]:
    return [(what, NINE + timedelta(seconds=seconds)) for what, seconds in pairs]


@pytest.mark.parametrize(
    ("message", "spent"),
    [
        (events(("opened", 0), ("graded", 20), ("opened", 21), ("voted", 50)), TimeSpent(50, 50, 0)),
        (events(("opened", 0), ("left", 10), ("returned", 30), ("voted", 40)), TimeSpent(40, 20, 1)),
        # a second tab, and a reload: the span does not double
        (events(("opened", 0), ("opened", 5), ("opened", 6), ("voted", 10)), TimeSpent(10, 10, 0)),
        # left open overnight: the raw span says so, at work it counts as one longest rest
        (events(("opened", 0), ("voted", 8 * 3600)), TimeSpent(8 * 3600, MAX_IDLE_SECONDS, 0)),
        (events(("opened", 0), ("paused", 10), ("opened", 5000), ("voted", 5010)), TimeSpent(5010, 20, 0)),
        # what a slow browser tells afterwards belongs to no trial
        (events(("opened", 0), ("voted", 10), ("left", 99)), TimeSpent(10, 10, 1)),
        (events(("opened", 0), ("left", 3)), TimeSpent(None, None, 1)),
        ([], TimeSpent(None, None, 0)),
    ],
)
def test_time_spent_when_events_are_counted_then_raw_and_at_work(
    message: list[tuple[str, datetime]], spent: TimeSpent
) -> None:
    assert time_spent(message) == spent
    assert time_spent(message[::-1]) == spent
