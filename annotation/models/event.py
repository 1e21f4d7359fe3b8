"""The append-only history of samples."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from annotation.models.sample import Sample


class Event(models.Model):
    """One event of a sample. Services add rows; rows are never changed or removed."""

    sample = models.ForeignKey(Sample, on_delete=models.CASCADE, related_name="events")
    verb = models.CharField(max_length=30)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    from_stage = models.CharField(max_length=12, blank=True)
    from_status = models.CharField(max_length=10, blank=True)
    to_stage = models.CharField(max_length=12, blank=True)
    to_status = models.CharField(max_length=10, blank=True)
    version = models.PositiveIntegerField(default=0)
    reason = models.TextField(blank=True)
    data = models.JSONField(default=dict)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
