"""Put jobs in front of a worker."""

from __future__ import annotations

from functools import partial
from typing import Any, TypeVar

from django.db import transaction
from django.utils import timezone

from config.jobs.models import Job, JobState
from config.jobs.tasks import nudge, nudge_all

AJob = TypeVar("AJob", bound=Job)


def enqueue(job: Job) -> None:
    """Nudge a worker to look at a saved, queued job, once the surrounding transaction is committed.

    Losing the nudge loses nothing: the sweep finds the row.
    """
    model, pk = type(job), job.pk
    transaction.on_commit(lambda: nudge(model, pk))


def enqueue_all(model: type[Job]) -> None:
    """The same for any number of saved, queued jobs of one kind: one message for all of them in a queue."""
    for queue in model.queues():
        transaction.on_commit(partial(nudge_all, model, queue))


def requeue(job: Job) -> None:
    """Run a job that is over again; what it already did is kept, so it does what is missing."""
    over = [JobState.DONE, JobState.FAILED, JobState.CANCELLED]
    changed = (
        type(job)
        ._default_manager.filter(pk=job.pk, state__in=over)
        .update(
            state=JobState.QUEUED,
            attempts=0,
            error="",
            finished_at=None,
            cancel_requested_at=None,
            queued_at=timezone.now(),
        )
    )
    if changed:
        enqueue(job)


def request_one(model: type[AJob], **of: Any) -> AJob:
    """The one job of its kind for these: made where there is none, run again where it is over."""
    with transaction.atomic():
        job, is_new = model._default_manager.get_or_create(**of)
        if is_new:
            enqueue(job)
        else:
            requeue(job)
    job.refresh_from_db()
    return job
