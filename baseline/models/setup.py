"""What a manager sets up: one baseline of one release, and the versions of its consent text."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from baseline.sampling import Method
from config.accounts.models import Team
from evaluation.models import Release


def new_seed() -> int:
    return secrets.randbelow(2**31)


def new_code() -> str:
    return secrets.token_urlsafe(16)


METHODS = [
    (Method.ALL.value, _("All samples")),
    (Method.RANDOM.value, _("A random number of samples")),
    (Method.STRATIFIED.value, _("Equal shares per stratum")),
]


class State(models.TextChoices):
    DRAFT = "draft", pgettext_lazy("baseline", "draft")
    OPEN = "open", pgettext_lazy("baseline", "open")
    CLOSED = "closed", pgettext_lazy("baseline", "closed")


class Baseline(models.Model):
    """One single-pass human baseline. What decides who reads what is fixed when it opens; `sample_ids` is the draw."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="baselines")
    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="baselines")
    name = models.CharField(max_length=120)
    system_name = models.CharField(max_length=80, default="Human")
    state = models.CharField(max_length=8, choices=State, default=State.DRAFT)
    method = models.CharField(max_length=12, choices=METHODS, default=Method.ALL.value)
    n = models.PositiveIntegerField(null=True, blank=True)
    strata = models.JSONField(default=list, blank=True)  # field names
    balance = models.CharField(max_length=60, blank=True)  # field name
    seed = models.PositiveIntegerField(default=new_seed)
    people_per_sample = models.PositiveIntegerField(null=True, blank=True)  # null = everybody reads each
    samples_per_person = models.PositiveIntegerField(null=True, blank=True)  # null = any number
    time_limit_seconds = models.PositiveIntegerField(null=True, blank=True)  # null = none
    gap_minutes = models.PositiveIntegerField(default=10)  # 0 = no silence voids a sample
    clamp_minutes = models.PositiveIntegerField(default=60)  # longest time that counts for one sample
    break_every = models.PositiveIntegerField(default=0)  # 0 = no breaks
    brief = models.TextField(blank=True)
    questions = models.JSONField(default=list, blank=True)
    practice = models.JSONField(default=list, blank=True)  # numbers of samples of the release
    sample_ids = models.JSONField(default=list, blank=True)
    code = models.CharField(max_length=40, unique=True, default=new_code)
    is_link_open = models.BooleanField(default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["release", "system_name"], name="one_baseline_per_system_name")
        ]

    def __str__(self) -> str:
        return self.name


class ConsentText(models.Model):
    """One version of what people agree to. The newest is asked for; each person keeps the one they agreed to."""

    baseline = models.ForeignKey(Baseline, on_delete=models.CASCADE, related_name="consents")
    number = models.PositiveIntegerField()
    text = models.TextField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["baseline", "number"], name="one_consent_per_number")]
