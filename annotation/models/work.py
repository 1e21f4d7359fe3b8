"""The position of a sample's work, and people's assignments."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone

from annotation.models.project import VerificationMode
from annotation.models.sample import Sample
from annotation.stages import Stage, Status


class Work(models.Model):
    """The position of one sample in the stage machine. Only `services/move_work.py` writes it.

    `version` grows with every move, and a writer names the version it read. `reserved_for` keeps a returned sample for
    its annotator. `round` counts how often labelling has started (it restarts with a return or a reopening).
    """

    sample = models.OneToOneField(Sample, on_delete=models.CASCADE, related_name="work")
    stage = models.CharField(
        max_length=12, choices=[(s.value, s.value) for s in Stage], default=Stage.PREANNOTATE
    )
    status = models.CharField(
        max_length=10, choices=[(s.value, s.value) for s in Status], default=Status.OPEN
    )
    version = models.PositiveIntegerField(default=0)
    round = models.PositiveIntegerField(default=1)
    holder = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="held_work"
    )
    lease_until = models.DateTimeField(null=True, blank=True)
    reserved_for = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    is_released = models.BooleanField(default=False)
    changed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [
            models.Index(fields=["stage", "status", "lease_until"]),
            models.Index(fields=["holder", "stage"]),
        ]


class Assignment(models.Model):
    """One person's work at one stage of one sample in one round. Worksheets and work pages are bound to it.

    It stays when the work moves on, as the record of who has worked on what. Addresses name it by `uuid` only.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    sample = models.ForeignKey(Sample, on_delete=models.CASCADE, related_name="assignments")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="assignments")
    stage = models.CharField(max_length=12, choices=[(s.value, s.value) for s in Stage])
    round = models.PositiveIntegerField()
    mode = models.CharField(
        max_length=12, choices=VerificationMode
    )  # the project's when the sample was claimed
    opened_at = models.DateTimeField(default=timezone.now)
    submitted_at = models.DateTimeField(null=True, blank=True)
    reached_end_at = models.DateTimeField(
        null=True, blank=True
    )  # second review: when the end of the text was reached

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["sample", "person", "stage", "round"], name="one_assignment_per_person_stage_round"
            )
        ]
        indexes = [models.Index(fields=["person", "submitted_at"])]


class Draft(models.Model):
    """The unsubmitted text and masks of one assignment.

    `version` grows with every save that changes them; a save names the version it is based on.
    """

    assignment = models.OneToOneField(Assignment, on_delete=models.CASCADE, related_name="draft")
    text = models.TextField(blank=True)
    masks = models.JSONField(default=list)  # as evaluation.payloads.masks writes them
    version = models.PositiveIntegerField(default=0)
    saved_at = models.DateTimeField(default=timezone.now)


class Skip(models.Model):
    """A person skipped a sample, which removes it from their own queue only."""

    sample = models.ForeignKey(Sample, on_delete=models.CASCADE, related_name="skips")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    stage = models.CharField(max_length=12, choices=[(s.value, s.value) for s in Stage])
    reason = models.CharField(max_length=300, blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["sample", "person", "stage"], name="one_skip_per_person_stage")
        ]


class Flag(models.Model):
    """A report to the managers that something is wrong with a sample."""

    sample = models.ForeignKey(Sample, on_delete=models.CASCADE, related_name="flags")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    stage = models.CharField(max_length=12, choices=[(s.value, s.value) for s in Stage])
    message = models.TextField()
    at = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(null=True, blank=True)
