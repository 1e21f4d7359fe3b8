"""Screening a page for names and identifiers before anybody else sees it."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone

from annotation.models.sample import Sample


class Screening(models.Model):
    """One screening of one sample. A manager can ask for another `round`, with a `reason`.

    `areas` to redact are in pixels of the unredacted image, stored like masks (`evaluation.payloads.masks`), and a
    draft until `done_at`. `is_clean` means that there was nothing to redact.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    sample = models.ForeignKey(Sample, on_delete=models.CASCADE, related_name="screenings")
    round = models.PositiveIntegerField(default=1)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="screenings"
    )
    lease_until = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=0)
    areas = models.JSONField(default=list)
    is_clean = models.BooleanField(default=False)
    reason = models.TextField(blank=True)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    opened_at = models.DateTimeField(default=timezone.now)
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["sample", "round"], name="one_screening_per_round"),
            models.UniqueConstraint(
                fields=["sample"], condition=models.Q(done_at=None), name="one_open_screening_per_sample"
            ),
        ]
        indexes = [models.Index(fields=["person", "done_at"])]
