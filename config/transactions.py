"""Locks in one order, and another try where the database gave up one of two transactions.

The order of locks, in every transaction that takes more than one:

1. the person's role in the team (`config.accounts.services.hold_role`): whoever claims
2. Project
3. Sample
4. Work
5. what belongs to a sample: Assignment, then Draft, Label, Question, Screening, Rating, Dispute and its fields
6. Team, for the number of a release

Rows of one table are locked by primary key (`locked`). A transaction that must try one row after another gives up the
lock of each before it waits for the next (`first_taken`). A row is locked without its key, so that rows which refer to
it can be written meanwhile.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import OperationalError, transaction
from django.db.models import Model, QuerySet

P = ParamSpec("P")
R = TypeVar("R")
M = TypeVar("M", bound=Model)

_DEADLOCK_AND_SERIALIZATION = frozenset({"40P01", "40001"})  # SQLSTATEs of PostgreSQL
_SQLITE_LOCKED = ("database is locked", "database table is locked")
_MOST_TRIES = 5
_MOST_SECONDS = 30.0  # SQLite waits for 20 s before it gives up
_FIRST_WAIT_SECONDS = 0.05


def is_conflict(error: BaseException | None) -> bool:
    """True when the error, or what it was raised from, is a transaction that the database gave up for another."""
    while error is not None:
        if getattr(error, "sqlstate", None) in _DEADLOCK_AND_SERIALIZATION:
            return True
        if isinstance(error, OperationalError) and any(text in str(error) for text in _SQLITE_LOCKED):
            return True
        error = error.__cause__ or error.__context__
    return False


def retries_conflicts(function: Callable[P, R]) -> Callable[P, R]:
    """Call a service once more, at most five times in all, when the database gave up its transaction for another.

    The waits are random, so that two that met do not meet again. Within an outer transaction nothing is repeated: the
    outermost service is, as a whole. After the last try the error is raised.
    """

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        if transaction.get_connection().in_atomic_block:
            return function(*args, **kwargs)
        until = time.monotonic() + _MOST_SECONDS
        for attempt in range(1, _MOST_TRIES):
            try:
                return function(*args, **kwargs)
            except OperationalError as error:
                if not is_conflict(error) or time.monotonic() > until:
                    raise
            time.sleep(random.uniform(0, _FIRST_WAIT_SECONDS * 2**attempt))
        return function(*args, **kwargs)

    return call


def locked(rows: QuerySet[M]) -> QuerySet[M]:
    """The rows, locked by primary key until the end of the transaction once they are read."""
    return rows.select_for_update(of=("self",), no_key=True).order_by("pk")


class _NotTaken(Exception):
    pass


def first_taken(rows: Iterable[M], take: Callable[[M], bool]) -> M | None:
    """The first of `rows` that `take` gets for the caller, or None. Within a transaction.

    A row that somebody else got first is unlocked again before the next is tried: PostgreSQL would keep it locked, and
    two people who try the same rows in different orders would wait for each other.
    """
    for row in rows:
        try:
            with transaction.atomic():
                if take(row):
                    return row
                raise _NotTaken
        except _NotTaken:
            continue
    return None
