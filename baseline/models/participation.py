"""One participant's session: its position, its tasks, its responses, its events."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone

from baseline.models.setup import Baseline, ConsentText
from baseline.protocol import EventKind, Step
from evaluation.models import GoldItem


class Participation(models.Model):
    """One person in one baseline. `uuid` is its only name in addresses; `number` is what results call the person.

    `version` grows with every transition, and a transition names the one it saw. `device` and `tab_token` name the
    browser and the tab that may act; `seen_at` is their last sign of life.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    baseline = models.ForeignKey(Baseline, on_delete=models.CASCADE, related_name="participations")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="participations"
    )
    number = models.PositiveIntegerField()
    step = models.CharField(max_length=10, choices=[(s.value, s.value) for s in Step], default=Step.CONSENT)
    position = models.PositiveIntegerField(default=0)
    is_feedback = models.BooleanField(default=False)
    rested_at = models.PositiveIntegerField(default=0)
    version = models.PositiveIntegerField(default=0)
    device = models.CharField(max_length=64, blank=True)
    tab_token = models.CharField(max_length=64, blank=True)
    seen_at = models.DateTimeField(null=True, blank=True)
    consent = models.ForeignKey(
        ConsentText, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    consented_at = models.DateTimeField(null=True, blank=True)
    about = models.JSONField(default=dict, blank=True)
    practice_texts = models.JSONField(default=dict, blank=True)  # sample id -> text; never scored
    debrief = models.TextField(blank=True)
    joined_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["baseline", "person"], name="one_pass_per_person"),
            models.UniqueConstraint(fields=["baseline", "number"], name="one_person_per_number"),
        ]


class TaskState(models.TextChoices):
    WAITING = "waiting", "waiting"
    OPEN = "open", "open"
    DONE = "done", "done"
    VOID = "void", "void"


class Task(models.Model):
    """One sample for one person. `text` is what was last received while the clock runs."""

    participation = models.ForeignKey(Participation, on_delete=models.CASCADE, related_name="tasks")
    item = models.ForeignKey(GoldItem, on_delete=models.PROTECT, related_name="baseline_tasks")
    position = models.PositiveIntegerField()
    state = models.CharField(max_length=8, choices=TaskState, default=TaskState.WAITING)
    shown_at = models.DateTimeField(null=True, blank=True)
    deadline = models.DateTimeField(null=True, blank=True)
    text = models.TextField(blank=True)
    version = models.PositiveIntegerField(default=0)
    saved_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    void_reason = models.CharField(max_length=20, blank=True)  # gap, seen

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["participation", "item"], name="one_task_per_person_and_item"),
            models.UniqueConstraint(fields=["participation", "position"], name="one_task_per_position"),
        ]


class ResponseKind(models.TextChoices):
    TEXT = "text", "text"
    CANNOT_READ = "cannot_read", "cannot_read"
    NOTHING = "nothing", "nothing"  # the time ran out with no text received: missing, never empty


class Response(models.Model):
    """What was submitted for one task, once and for good."""

    task = models.OneToOneField(Task, on_delete=models.CASCADE, related_name="response")
    kind = models.CharField(max_length=12, choices=ResponseKind)
    text = models.TextField(blank=True)
    is_timed_out = models.BooleanField(default=False)
    late_ms = models.PositiveIntegerField(null=True, blank=True)  # after the deadline, within the grace
    idempotency_key = models.CharField(max_length=64, blank=True)
    received_at = models.DateTimeField(default=timezone.now)


class Event(models.Model):
    """One raw event, stored once: `key` is the page's own for what a page reports. `at` is the server's clock."""

    participation = models.ForeignKey(Participation, on_delete=models.CASCADE, related_name="events")
    task = models.ForeignKey(Task, null=True, blank=True, on_delete=models.CASCADE, related_name="events")
    kind = models.CharField(max_length=12, choices=[(k.value, k.value) for k in EventKind])
    at = models.DateTimeField(default=timezone.now)
    key = models.CharField(max_length=64, default=uuid.uuid4)
    detail = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["at", "pk"]
        constraints = [models.UniqueConstraint(fields=["participation", "key"], name="one_event_per_key")]
