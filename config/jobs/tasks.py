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
from config.jobs.models import Job
from config.jobs.registry import model_named
from config.jobs.services import claim_job, kinds_waiting, next_waiting, run_claimed

log = logging.getLogger(__name__)
DRAIN_SECONDS = 10


@shared_task  # type: ignore[untyped-decorator]  # celery ships no types
def run_job(label: str, pk: int) -> None:
    """Claim the job if it is still there to be taken, and do it."""
    claim = claim_job(model_named(label), pk)
    if claim is not None:
        run_claimed(claim)


@shared_task  # type: ignore[untyped-decorator]
def drain(label: str) -> None:
    """Do waiting jobs of one kind for a few seconds, then go to the back of the queue if some are left.

    One message stands for any number of rows, and no kind of work keeps a worker from the others for long.
    """
    model = model_named(label)
    until = time.monotonic() + DRAIN_SECONDS
    while (pk := next_waiting(model)) is not None:
        claim = claim_job(model, pk)
        if claim is not None:
            run_claimed(claim)
        if time.monotonic() > until:
            nudge_all(model)
            return


@shared_task  # type: ignore[untyped-decorator]
def sweep() -> None:
    """Nudge again for jobs whose message was lost or whose worker died, and forget attempts that no longer count."""
    forget_ended_windows()
    for model in kinds_waiting(older_than=timedelta(seconds=settings.JOB_SWEEP_SECONDS)):
        nudge_all(model)


def nudge(label: str, pk: int) -> None:
    """Ask a worker to look at one job."""
    _send(run_job, label, pk)


def nudge_all(model: type[Job]) -> None:
    """Ask a worker to look at all waiting jobs of a kind."""
    _send(drain, model._meta.label_lower)


def _send(task: Any, *args: object) -> None:
    """A broker that is away is logged, not raised, because the rows are already safe."""
    try:
        task.delay(*args)
    except (OperationalError, OSError):
        log.warning("The broker did not take a nudge for %s; the sweep will.", args, exc_info=True)
