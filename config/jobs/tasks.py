"""The Celery tasks: look at one job, at all jobs of a kind, and for forgotten ones."""

from __future__ import annotations

import logging
import time
from datetime import timedelta
from typing import Any

from celery import shared_task
from django.conf import settings
from kombu.exceptions import OperationalError

from config.accounts.credential_limits import forget_ended_windows
from config.jobs.brokers import Queue
from config.jobs.models import Job
from config.jobs.registry import model_named
from config.jobs.services import claim_job, next_waiting, run_claimed, waiting_kinds

log = logging.getLogger(__name__)
DRAIN_SECONDS = 10


@shared_task  # type: ignore[untyped-decorator]  # celery ships no types
def run_job(label: str, pk: int) -> None:
    """Claim the job if it is still there to be taken, and do it."""
    claim = claim_job(model_named(label), pk)
    if claim is not None:
        run_claimed(claim)


@shared_task  # type: ignore[untyped-decorator]
def drain(label: str, queue: str) -> None:
    """Do waiting jobs of one kind and queue for a few seconds, then go to the back of the queue if some are left.

    One message stands for any number of rows, and no kind of work keeps a worker from the others for long.
    """
    model = model_named(label)
    until = time.monotonic() + DRAIN_SECONDS
    while (pk := next_waiting(model, Queue(queue))) is not None:
        claim = claim_job(model, pk)
        if claim is not None:
            run_claimed(claim)
        if time.monotonic() > until:
            nudge_all(model, Queue(queue))
            return


@shared_task  # type: ignore[untyped-decorator]
def sweep() -> None:
    """Nudge again for jobs whose message was lost or whose worker died, and forget attempts that no longer count."""
    forget_ended_windows()
    for model, queue in waiting_kinds(older_than=timedelta(seconds=settings.JOB_SWEEP_SECONDS)):
        nudge_all(model, queue)


def nudge(model: type[Job], pk: int) -> None:
    """Ask a worker of its queue to look at one job."""
    rows = model._default_manager.filter(pk=pk)
    asks = model.asks_endpoint is not None and rows.filter(model.waits_in(Queue.ENDPOINTS)).exists()
    _send(run_job, Queue.ENDPOINTS if asks else Queue.HERE, model._meta.label_lower, pk)


def nudge_all(model: type[Job], queue: Queue) -> None:
    """Ask a worker of this queue to look at all waiting jobs of a kind."""
    _send(drain, queue, model._meta.label_lower, str(queue))


def _send(task: Any, queue: Queue, *args: object) -> None:
    """A broker that is away is logged, not raised, because the rows are already safe."""
    try:
        task.apply_async(args, queue=str(queue))
    except (OperationalError, OSError):
        log.warning("The broker did not take a nudge for %s; the sweep will.", args, exc_info=True)
