"""Claim, heartbeat, finish: compare-and-set on the job's own row."""

from __future__ import annotations

import contextlib
import logging
import secrets
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol, runtime_checkable

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop

from config.disk_full import is_disk_full
from config.jobs.brokers import Queue
from config.jobs.models import Job, JobState
from config.jobs.registry import job_models, runner_of

log = logging.getLogger(__name__)
_WORKER_DIED = gettext_noop(
    "Stopped: the worker crashed on every attempt. Check the worker's log, then run it again."
)


class JobLeaseLost(Exception):
    """Another worker has taken this job over; stop without writing."""


@runtime_checkable
class _HasMessageParts(Protocol):
    """An error whose message is translated for each reader: a `LocalizedError`."""

    def as_json(self) -> Sequence[Any]: ...


class Cancelled(Exception):
    """A person asked for the job to stop."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A worker's hold on one running job. `on_progress` hears every (done, total) that is written."""

    job: Job
    token: str
    on_progress: Callable[[int | None, int | None], None] | None = None

    def heartbeat(self, *, done: int | None = None, total: int | None = None) -> None:
        """Renew the lease and write progress. Raises JobLeaseLost or Cancelled; call it between chunks."""
        changes: dict[str, object] = {"lease_until": _lease_end()}
        if done is not None:
            changes["progress_done"] = done
        if total is not None:
            changes["progress_total"] = total
        held = self._mine().filter(cancel_requested_at=None).update(**changes)
        if held:
            if self.on_progress is not None and done is not None:
                self.on_progress(done, total)
            return
        if self._mine().exists():
            raise Cancelled
        raise JobLeaseLost

    @contextlib.contextmanager
    def kept(self) -> Iterator[None]:
        """Renew the lease from a thread while the block runs: for a call that takes long and cannot be divided.

        Without it the sweep would give the job to another worker, which would make the same call once more.
        """
        is_over = threading.Event()
        thread = threading.Thread(target=self._renew_until, args=(is_over,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            thread.join()

    def _renew_until(self, is_over: threading.Event) -> None:
        try:
            while not is_over.wait(settings.JOB_LEASE_SECONDS / 3):
                # Whether it is still ours, and whether to stop, is asked by the next heartbeat.
                with contextlib.suppress(DatabaseError):
                    self._mine().update(lease_until=_lease_end())
        finally:
            connection.close()

    def finish(self, state: JobState, error: str = "", parts: Sequence[Any] = ()) -> None:
        """Close the job, if it is still this worker's. `parts` are the error as `LocalizedError.as_json()` gives it.

        An error may quote what no database takes; a job that cannot be closed would be tried again and again.
        """
        self._mine().update(
            state=state,
            error=_storable(error),
            error_parts=[
                [_storable(text), {name: _storable(fact) for name, fact in facts.items()}]
                for text, facts in parts
            ],
            finished_at=timezone.now(),
            lease_until=None,
            worker="",
        )

    def postpone(self) -> None:
        """Give the job back, to be tried again by the next sweep; the attempt does not count."""
        self._mine().update(
            state=JobState.QUEUED,
            attempts=F("attempts") - 1,
            queued_at=timezone.now(),
            lease_until=None,
            worker="",
        )

    def _mine(self) -> QuerySet[Job]:
        return type(self.job)._default_manager.filter(
            pk=self.job.pk, worker=self.token, state=JobState.RUNNING
        )


def _storable(text: str) -> str:
    """Without NUL and halves of surrogate pairs."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


def _lease_end() -> datetime:
    return timezone.now() + timedelta(seconds=settings.JOB_LEASE_SECONDS)


def claim_job(model: type[Job], pk: int) -> Claim | None:
    """Take a job that is queued, or running with a lease that ran out; None when there is nothing to take."""
    now = timezone.now()
    token = secrets.token_hex(16)
    takeable = Q(state=JobState.QUEUED) | Q(state=JobState.RUNNING, lease_until__lt=now)
    taken = (
        model._default_manager.filter(takeable, model.may_start, pk=pk)
        .filter(attempts__lt=model.max_attempts)
        .update(
            state=JobState.RUNNING,
            worker=token,
            lease_until=_lease_end(),
            attempts=F("attempts") + 1,
            started_at=now,
            error="",
        )
    )
    if not taken:
        return None
    return Claim(job=model._default_manager.get(pk=pk), token=token)


def run_claimed(claim: Claim) -> None:
    """Do a claimed job and write its outcome. An error is kept in the row with its trace, and in parts if it is
    localized. A full disk is no outcome: the job waits until there is space, and the error is raised."""
    run = runner_of(type(claim.job))
    try:
        run(claim.job, claim=claim)
    except JobLeaseLost:
        return
    except Cancelled:
        claim.finish(JobState.CANCELLED)
    except Exception as error:
        if is_disk_full(error):
            # Where the database is on that disk, the lease runs out instead.
            with contextlib.suppress(DatabaseError):
                claim.postpone()
            raise
        log.exception("%s %s failed", claim.job._meta.label, claim.job.pk)
        parts = error.as_json() if isinstance(error, _HasMessageParts) else ()
        claim.finish(JobState.FAILED, f"{type(error).__name__}: {error}\n\n{traceback.format_exc()}", parts)
    else:
        claim.finish(JobState.DONE)


def request_cancel(job: Job) -> None:
    """Stop a job at its next heartbeat; one that never started is over at once."""
    rows = type(job)._default_manager.filter(pk=job.pk)
    now = timezone.now()
    rows.filter(state=JobState.QUEUED).update(
        state=JobState.CANCELLED, cancel_requested_at=now, finished_at=now
    )
    rows.filter(state=JobState.RUNNING, cancel_requested_at=None).update(cancel_requested_at=now)


def _waiting(model: type[Job], queue: Queue, *, older_than: timedelta) -> QuerySet[Job]:
    """Jobs nobody works on: queued for at least `older_than`, or running with a lease that ran out."""
    now = timezone.now()
    queued = Q(state=JobState.QUEUED, queued_at__lte=now - older_than)
    return model._default_manager.filter(
        queued | _expired(now), model.may_start, model.waits_in(queue), attempts__lt=model.max_attempts
    )


def _expired(now: datetime) -> Q:
    return Q(state=JobState.RUNNING, lease_until__lt=now)


def give_up_on_hopeless() -> None:
    """Close as failed, with the reason, every job whose worker died at every allowed attempt."""
    now = timezone.now()
    for model in job_models():
        spent = model._default_manager.filter(
            _expired(now) | Q(state=JobState.QUEUED), attempts__gte=model.max_attempts
        )
        spent.update(
            state=JobState.FAILED,
            finished_at=now,
            error=_WORKER_DIED,
            error_parts=[[_WORKER_DIED, {}]],
        )


def waiting_kinds(*, older_than: timedelta) -> list[tuple[type[Job], Queue]]:
    """The kinds of job, by queue, that have waited for `older_than` or lost their worker."""
    give_up_on_hopeless()
    return [
        (model, queue)
        for model in job_models()
        for queue in model.queues()
        if _waiting(model, queue, older_than=older_than).exists()
    ]


def next_waiting(model: type[Job], queue: Queue) -> int | None:
    """The job of this kind and queue that has waited longest, if any."""
    rows = _waiting(model, queue, older_than=timedelta(0)).order_by("queued_at", "pk")
    return rows.values_list("pk", flat=True).first()


def run_waiting() -> int:
    """Do every waiting job in this process; returns how many ran. For `manage.py runjobs` and tests."""
    count = 0
    while kinds := waiting_kinds(older_than=timedelta(0)):
        for model, queue in kinds:
            while (pk := next_waiting(model, queue)) is not None:
                claim = claim_job(model, pk)
                if claim is not None:
                    run_claimed(claim)
                    count += 1
    return count
