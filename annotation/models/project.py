"""Projects, their guidelines and their recognisers."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from config.accounts.models import Team


class VerificationMode(models.TextChoices):
    VERIFY = "verify", _("Verify: a second person checks the transcription")
    DOUBLE_BLIND = "double_blind", _("Double-blind: a second person transcribes independently")


def default_languages() -> list[str]:
    return ["zh-Hans", "en", "zh-Hant", "zh-en-mix"]


def default_scenarios() -> list[str]:
    """The keys of the nine scenarios of WildHandBench (table 4)."""
    return [
        "literary_essays",
        "letters_notes",
        "medical_health",
        "education_learning",
        "business_documents",
        "math_science_formulas",
        "classical_poetry_calligraphy",
        "daily_life_notes",
        "historical_archives",
    ]


class Project(models.Model):
    """A benchmark in preparation. Its people are the members of its team."""

    team = models.OneToOneField(Team, on_delete=models.PROTECT, related_name="project")
    slug = models.SlugField(unique=True, max_length=60)
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    languages = models.JSONField(default=default_languages)  # BCP 47 tags
    scenarios = models.JSONField(default=default_scenarios)
    file_prefix = models.CharField(
        max_length=30, default="page", validators=[RegexValidator(r"^[a-z0-9][a-z0-9-]*$")]
    )
    image_cap_bytes = models.PositiveIntegerField(null=True, blank=True, default=1_000_000)
    image_max_side = models.PositiveIntegerField(
        default=4000, validators=[MinValueValidator(256), MaxValueValidator(20_000)]
    )
    verification_mode = models.CharField(
        max_length=12, choices=VerificationMode, default=VerificationMode.VERIFY
    )
    # Intersection over union from which two outlines are the same region or mask, and from which they agree.
    region_pair_iou = models.FloatField(
        default=0.5, validators=[MinValueValidator(0.1), MaxValueValidator(1.0)]
    )
    region_agree_iou = models.FloatField(
        default=0.9, validators=[MinValueValidator(0.1), MaxValueValidator(1.0)]
    )
    lease_minutes = models.PositiveIntegerField(default=15, validators=[MinValueValidator(1)])
    requires_screening = models.BooleanField(default=False)
    raters_per_sample = models.PositiveSmallIntegerField(
        default=5, validators=[MinValueValidator(1), MaxValueValidator(20)]
    )
    release_needs_ratings = models.BooleanField(default=False)
    queue_seed = models.PositiveIntegerField(default=0)
    next_number = models.PositiveIntegerField(default=1)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    archived_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name


class Guideline(models.Model):
    """One version of the guideline for annotators (Markdown). The newest is current; old ones stay readable."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="guidelines")
    number = models.PositiveIntegerField()
    text = models.TextField()
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["project", "number"], name="one_guideline_per_number")]


class RecogniserKind(models.TextChoices):
    EMBEDDED = "embedded", _("Built in (works offline)")
    ENDPOINT = "endpoint", _("OpenAI-compatible endpoint")


class RecogniserSetting(models.Model):
    """The settings of one of a project's recognisers.

    A change retires the row and adds another, so that every suggestion refers to the settings that made it.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="recognisers")
    slot = models.PositiveSmallIntegerField(validators=[MinValueValidator(1), MaxValueValidator(3)])
    kind = models.CharField(max_length=10, choices=RecogniserKind)
    label = models.CharField(max_length=60)
    engine = models.CharField(max_length=60, blank=True)  # embedded: registry key
    base_url = models.URLField(blank=True, max_length=500)
    model = models.CharField(max_length=200, blank=True)
    prompt = models.TextField(blank=True)
    prompt_version = models.CharField(max_length=40, blank=True)
    # For the other structures; empty: the newest of our own.
    table_prompt = models.TextField(blank=True)
    table_prompt_version = models.CharField(max_length=40, blank=True)
    formula_prompt = models.TextField(blank=True)
    formula_prompt_version = models.CharField(max_length=40, blank=True)
    parameters = models.JSONField(default=dict, blank=True)
    api_key_variable = models.CharField(
        max_length=80, blank=True, validators=[RegexValidator(r"^[A-Z][A-Z0-9_]*$")]
    )
    timeout_seconds = models.PositiveIntegerField(default=180)
    created_at = models.DateTimeField(default=timezone.now)
    retired_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["slot"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "slot"],
                condition=models.Q(retired_at=None),
                name="one_recogniser_in_force_per_slot",
            )
        ]
