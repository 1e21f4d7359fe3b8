"""The two Celery tasks: look at one job, and look for forgotten ones."""

from __future__ import annotations

import logging
from datetime import timedelta

from celery import shared_task
from kombu.exceptions import OperationalError

from config.jobs.registry import model_named
from config.jobs.services import claim_job, find_waiting, run_claimed

log = logging.getLogger(__name__)


@shared_task  # type: ignore[untyped-decorator]  # celery ships no types
def run_job(label: str, pk: int) -> None:
    """Claim the job if it is still there to be taken, and do it."""
    claim = claim_job(model_named(label), pk)
    if claim is not None:
        run_claimed(claim)


@shared_task  # type: ignore[untyped-decorator]  # celery ships no types
def sweep() -> None:
    """Nudge again for jobs whose message was lost or whose worker died."""
    for model, pk in find_waiting(older_than=timedelta(seconds=30)):
        nudge(model._meta.label_lower, pk)


def nudge(label: str, pk: int) -> None:
    """Send the message. A broker that is away is logged, not raised, because the row is already safe."""
    try:
        run_job.delay(label, pk)
    except (OperationalError, OSError):
        log.warning("The broker did not take a nudge for %s %s; the sweep will.", label, pk, exc_info=True)
