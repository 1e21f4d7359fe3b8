"""The row people see is the job: its state, its lease and its progress."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from config.error_messages import render_message
from config.jobs.brokers import Queue


class JobState(models.TextChoices):
    QUEUED = "queued", _("Waiting")
    RUNNING = "running", _("Running")
    DONE = "done", _("Done")
    FAILED = "failed", _("Failed")
    CANCELLED = "cancelled", _("Cancelled")


class Job(models.Model):
    """Base of every row that stands for long work.

    A worker owns a running job only while its `worker` token stands in the row and the lease has not run out; all
    writes of progress and outcome are conditional on that token, so a worker that was presumed dead and comes back
    cannot overwrite its successor.
    """

    state = models.CharField(max_length=10, choices=JobState, default=JobState.QUEUED, db_index=True)
    worker = models.CharField(max_length=40, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    progress_done = models.PositiveIntegerField(default=0)
    progress_total = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)  # in English, with the trace, for the operator
    error_parts = models.JSONField(
        default=list, blank=True
    )  # the same for `render_message`, if it is localized
    queued_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    cancel_requested_at = models.DateTimeField(null=True, blank=True)

    max_attempts = 5
    may_start = models.Q()  # a kind of job whose row is made before it is ready narrows this
    asks_endpoint: models.Q | None = None  # which rows ask a model endpoint; None: a kind that never does

    class Meta:
        abstract = True

    @classmethod
    def queues(cls) -> tuple[Queue, ...]:
        """Every queue in which jobs of this kind may wait."""
        return (Queue.HERE,) if cls.asks_endpoint is None else (Queue.HERE, Queue.ENDPOINTS)

    @classmethod
    def waits_in(cls, queue: Queue) -> models.Q:
        """Which jobs of this kind wait in one of their `queues`."""
        if cls.asks_endpoint is None:
            return models.Q()
        return cls.asks_endpoint if queue is Queue.ENDPOINTS else ~cls.asks_endpoint

    @property
    def is_over(self) -> bool:
        return self.state in (JobState.DONE, JobState.FAILED, JobState.CANCELLED)

    @property
    def error_message(self) -> str:
        """Why the job stopped, in the reader's language and without a trace; empty where nothing went wrong."""
        if not self.error:
            return ""
        kind = self.error.split(":", 1)[0]
        unforeseen = _(
            "An unexpected error occurred (%(kind)s). See the worker's log for details, then try again."
        )
        return render_message(self.error_parts, unforeseen % {"kind": kind})

    @property
    def percent(self) -> int:
        return 100 * self.progress_done // self.progress_total if self.progress_total else 0
