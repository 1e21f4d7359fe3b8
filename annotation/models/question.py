"""A question to a domain expert."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone

from annotation.models.sample import Sample
from annotation.models.work import Assignment


class Question(models.Model):
    """Asked from one assignment, answered once by one expert, and shown to that assignment only.

    `box` is the area in question: [left, top, width, height] in pixels of the full image, or empty for the whole page.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    sample = models.ForeignKey(Sample, on_delete=models.CASCADE, related_name="questions")
    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="questions")
    text = models.TextField()
    box = models.JSONField(default=list, blank=True)
    asked_at = models.DateTimeField(default=timezone.now)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    expert = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="questions"
    )
    lease_until = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=0)
    answer = models.TextField(blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["sample", "answered_at"])]
