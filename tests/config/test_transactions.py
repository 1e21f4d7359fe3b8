"""What happens where the database gives up one of two transactions."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from threading import Barrier, BrokenBarrierError

import pytest
from django.db import OperationalError, transaction
from django.test import Client

from config.accounts.models import User
from config.transactions import locked, retries_conflicts
from tests.at_once import at_once
from tests.factories import make_project, make_user

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]
LOCKED = OperationalError("database is locked")


def test_service_when_two_lock_the_same_rows_in_opposite_orders_then_both_are_done() -> None:
    one, two = make_user(), make_user()
    both_hold_one = Barrier(2)

    @retries_conflicts
    def mark(first: User, second: User) -> None:
        with transaction.atomic():
            locked(User.objects.filter(pk=first.pk)).get()
            # On SQLite the second transaction has not begun; it never waits for the first one's row.
            with suppress(BrokenBarrierError):
                both_hold_one.wait(timeout=0.5)
            row = locked(User.objects.filter(pk=second.pk)).get()
            row.first_name += "x"
            row.save(update_fields=["first_name"])

    assert at_once(partial(mark, one, two), partial(mark, two, one)) == [None, None]
    assert set(User.objects.values_list("first_name", flat=True)) == {"x"}


def failing(times: int, error: Exception) -> tuple[list[int], object]:
    """A service that fails so many times, and the list of its calls."""
    calls: list[int] = []

    @retries_conflicts
    def service(*_args: object) -> str:
        calls.append(1)
        if len(calls) <= times:
            raise error
        return "done"

    return calls, service


def test_service_when_the_database_was_locked_then_it_is_called_again() -> None:
    calls, service = failing(4, LOCKED)
    assert service() == "done"
    assert len(calls) == 5


def test_service_when_the_conflict_stays_then_five_calls_and_the_error() -> None:
    calls, service = failing(99, LOCKED)
    with pytest.raises(OperationalError):
        service()
    assert len(calls) == 5


def test_service_when_it_fails_otherwise_then_one_call() -> None:
    calls, service = failing(99, OperationalError("no such table"))
    with pytest.raises(OperationalError):
        service()
    assert len(calls) == 1


def test_service_when_it_runs_in_a_transaction_of_another_then_only_that_one_is_called_again() -> None:
    calls, service = failing(99, LOCKED)
    with pytest.raises(OperationalError), transaction.atomic():
        service()
    assert len(calls) == 1


@pytest.mark.parametrize("address", ["/projects/letters/next/label/", "/api/v1/projects/letters/next/label/"])
def test_request_when_the_conflict_stays_then_busy_and_when_to_come_back(address, monkeypatch) -> None:
    project = make_project(slug="letters")
    client = Client(raise_request_exception=False)
    client.force_login(project.created_by)
    monkeypatch.setattr("annotation.views.work.project_for", failing(99, LOCKED)[1])
    monkeypatch.setattr("annotation.api.work.project_for", failing(99, LOCKED)[1])
    response = client.post(address, headers={"accept-language": "en"})
    assert response.status_code == 503
    assert response.headers["Retry-After"] == "5"
    assert "nothing was saved" in response.text
