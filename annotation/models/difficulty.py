"""Difficulty ratings."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone

from annotation.models.sample import Sample


class Rating(models.Model):
    """One person's rating of one sample, once. `scores` maps dimensions (`annotation.difficulty`) to 1..5.

    `slot` (1..raters_per_sample) is the place it occupies. It is None after the place was released, or taken by
    somebody else when the lease ran out; the scores stay, and the person takes another place when they come back.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    sample = models.ForeignKey(Sample, on_delete=models.CASCADE, related_name="ratings")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="ratings")
    slot = models.PositiveSmallIntegerField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    scores = models.JSONField(default=dict)
    note = models.TextField(blank=True)
    opened_at = models.DateTimeField(default=timezone.now)
    submitted_at = models.DateTimeField(null=True, blank=True)
    skipped_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["sample", "person"], name="one_rating_per_person"),
            models.UniqueConstraint(fields=["sample", "slot"], name="one_rating_per_slot"),
        ]
        indexes = [models.Index(fields=["person", "submitted_at"])]
