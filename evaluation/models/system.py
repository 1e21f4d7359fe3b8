"""Systems (models and people), their answers, and the scores of those."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from config.accounts.models import Team
from config.jobs.models import Job
from evaluation.model_clients.recogniser_record import EMBEDDED
from evaluation.models.release import GoldItem, Release
from evaluation.predictions import Failed, Regions, SubmittedPrediction, Text

FAILURE_KIND_LENGTH = 20


class SystemKind(models.TextChoices):
    MODEL = "model", _("Model")
    HUMAN = "human", pgettext_lazy("system", "People")


class System(models.Model):
    """Something that answers samples. To the scorer a person and a model are the same thing."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="systems")
    name = models.CharField(max_length=120)
    kind = models.CharField(max_length=6, choices=SystemKind, default=SystemKind.MODEL)
    description = models.TextField(blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "name"], name="one_system_per_name")]

    def __str__(self) -> str:
        return self.name


class Pooling(models.TextChoices):
    """What a set without answers of its own stands for: its members' answers, all of them or the best member's."""

    MEAN = "mean", pgettext_lazy("system", "all participants, pooled")
    BEST = "best", pgettext_lazy("system", "best participant")


class PredictionSet(models.Model):
    """The answers of one system to one release, from one upload or one run."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="prediction_sets")
    system = models.ForeignKey(System, on_delete=models.CASCADE, related_name="prediction_sets")
    origin = models.CharField(max_length=10)  # "upload", "run", "baseline"
    provenance = models.JSONField(default=dict)
    report = models.JSONField(default=list)  # what was not taken from an upload, and why
    # Sample ids that the system was asked about; null = the whole release. Only these are scored and can be missing.
    asked = models.JSONField(null=True)
    pooling = models.CharField(max_length=4, choices=Pooling, blank=True)
    members = models.ManyToManyField("self", symmetrical=False, blank=True)  # of a pooled set: whose answers
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)


class Prediction(models.Model):
    """One stored prediction. Where a system was not asked, or gave nothing, there is no row: missing, not empty.

    `value` reads what `columns_of` wrote; no other code decides from the columns what a prediction is.
    """

    prediction_set = models.ForeignKey(PredictionSet, on_delete=models.CASCADE, related_name="predictions")
    item = models.ForeignKey(GoldItem, on_delete=models.CASCADE, related_name="predictions")
    text = models.TextField(blank=True)
    regions = models.JSONField(null=True)  # LaTeX by region number; null = not by region
    failure = models.CharField(max_length=FAILURE_KIND_LENGTH, blank=True)  # kind; empty = did not fail
    message = models.TextField(blank=True)
    message_parts = models.JSONField(
        default=list, blank=True
    )  # the message, to be translated, where it is ours
    raw = models.TextField(blank=True)
    provenance = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["prediction_set", "item"], name="one_answer_per_item")]

    @property
    def value(self) -> SubmittedPrediction:
        if self.failure:
            return Failed(self.message or self.failure, self.failure)
        return Text(self.text) if self.regions is None else Regions(self.regions)


def columns_of(prediction: SubmittedPrediction) -> dict[str, Any]:
    """The columns of a `Prediction` that hold this value, each of them, so that an older value is overwritten."""
    columns: dict[str, Any] = {"text": "", "regions": None, "failure": "", "message": "", "message_parts": []}
    match prediction:
        case Text(text):
            return columns | {"text": text}
        case Regions(latex):
            return columns | {"regions": dict(latex)}
        case Failed(reason, kind):
            return columns | {"failure": (kind or reason)[:FAILURE_KIND_LENGTH], "message": reason}


class ModelRun(Job):
    """A recogniser reading a whole release; its answers go into `prediction_set` as they come."""

    prediction_set = models.OneToOneField(PredictionSet, on_delete=models.CASCADE, related_name="model_run")
    recogniser = models.JSONField()  # the settings that are run, frozen

    asks_endpoint = ~models.Q(recogniser__kind=EMBEDDED)


class ScoreRun(Job):
    """One scoring of one prediction set with one bundle of metrics."""

    prediction_set = models.ForeignKey(PredictionSet, on_delete=models.CASCADE, related_name="score_runs")
    bundle = models.CharField(max_length=40)
    results = models.JSONField(default=dict)  # metric -> Score.as_dict() over the release
    coverage = models.FloatField(default=0)  # share of items with an answer, 0..1
    n_missing = models.PositiveIntegerField(default=0)
    n_failed_answers = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["prediction_set", "bundle"], name="one_score_run_per_bundle")
        ]


class ItemScore(models.Model):
    """One metric of one item in one score run."""

    run = models.ForeignKey(ScoreRun, on_delete=models.CASCADE, related_name="item_scores")
    item = models.ForeignKey(GoldItem, on_delete=models.CASCADE, related_name="scores")
    metric = models.CharField(max_length=40)
    value = models.FloatField(null=True)
    numerator = models.FloatField(default=0)
    denominator = models.FloatField(default=0)
    status = models.CharField(max_length=20)
    reason = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "item", "metric"], name="one_score_per_item_and_metric")
        ]
