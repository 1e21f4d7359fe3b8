"""Models of an expert study: its set-up, its items, and the ratings."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from config.jobs.models import Job
from evaluation.models import GoldItem, PredictionSet, Release
from evaluation.preference.design import CardSide, Choice, TrialKind
from evaluation.preference.score_mapping import MappingKind
from evaluation.preference.vote_statistics import MORE_THAN_HALF, PLURALITY


class StudyState(models.TextChoices):
    DRAFT = "draft", pgettext_lazy("study", "Draft")
    OPEN = "open", pgettext_lazy("study", "Open")
    CLOSED = "closed", pgettext_lazy("study", "Closed")


class TieRule(models.TextChoices):
    MORE_THAN_HALF = MORE_THAN_HALF, _("More than half of all votes, including “no preference”")
    PLURALITY = PLURALITY, _("More votes than the other metric and more than “no preference”")


class Study(models.Model):
    """A comparison of two metrics by experts. Its set-up is fixed once it opens, its ratings once it closes."""

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="studies")
    prediction_sets = models.ManyToManyField(PredictionSet, related_name="studies")
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=200)
    instructions = models.TextField(blank=True)
    state = models.CharField(max_length=6, choices=StudyState, default=StudyState.DRAFT)
    seed = models.BigIntegerField()
    decimals = models.PositiveSmallIntegerField(default=1)
    tie_rule = models.CharField(max_length=14, choices=TieRule, default=TieRule.MORE_THAN_HALF)
    n_items = models.PositiveIntegerField(default=200)
    n_attention = models.PositiveIntegerField(default=4)
    n_repeats = models.PositiveIntegerField(default=10)
    n_practice = models.PositiveIntegerField(default=2)
    attention_share = models.FloatField(
        default=0.75
    )  # of the attention items; a rater who passes fewer fails
    uploads = models.JSONField(
        default=dict
    )  # {"columns": [...], "rows": [[sample, system, {column: value}]]}
    draw = models.JSONField(default=dict)  # report of the last draw; {} before it
    results = models.JSONField(default=dict)  # of analysis.analyse; {} before
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["release", "number"], name="one_study_per_number")]


class ScoreSource(models.Model):
    """One automatic score of a study: `first` and `second` are compared, `grader` is the raw grader total, others are
    additional."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="score_sources")
    position = models.PositiveSmallIntegerField()
    key = models.CharField(max_length=20)
    label = models.CharField(max_length=120)
    metric = models.CharField(max_length=40, blank=True)  # of the registry; empty = an uploaded column
    preset = models.CharField(max_length=60, blank=True)
    column = models.CharField(max_length=120, blank=True)
    is_lower_better = models.BooleanField(default=False)
    mapping = models.CharField(
        max_length=8, blank=True, choices=[(kind.value, kind.value) for kind in MappingKind]
    )
    low = models.FloatField(default=0)
    high = models.FloatField(default=1)
    signature = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["study", "key"], name="one_score_source_per_key")]


class StudyPreparation(Job):
    """The job that scores all predictions and draws the sample."""

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="preparation")


class StudyAnalysis(Job):
    """The job that computes the results of a closed study."""

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="analysis")


class StudyUnit(models.Model):
    """One prediction for one sample with its scores; together the full set from which the sample is drawn."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="units")
    gold = models.ForeignKey(GoldItem, on_delete=models.PROTECT, related_name="+")
    system = models.CharField(max_length=120)
    output = models.TextField()
    values = models.JSONField(default=dict)  # value on its own scale, by score

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "gold", "system"], name="one_unit_per_answer")
        ]


class Item(models.Model):
    """One question of a study: a prediction of the sample, a practice item, or an attention item."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="items")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=9, choices=[(kind.value, kind.value) for kind in TrialKind])
    gold = models.ForeignKey(GoldItem, on_delete=models.PROTECT, related_name="+")
    system = models.CharField(max_length=120, blank=True)  # empty for attention items
    output = models.TextField()
    values = models.JSONField(default=dict)
    shown_first = models.CharField(max_length=4)
    shown_second = models.CharField(max_length=4)
    expected = models.CharField(max_length=6, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["study", "number"], name="one_item_per_number")]


class Enrolment(models.Model):
    """A rater's participation in a study. `uuid` is the only identifier in the addresses that raters see."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="enrolments")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    uuid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    rater_number = models.PositiveSmallIntegerField()  # the pseudonym in results and exports: R1, R2, ...
    is_paused = models.BooleanField(default=False)

    class Meta:
        ordering = ["rater_number"]
        constraints = [models.UniqueConstraint(fields=["study", "user"], name="one_enrolment_per_rater")]


class Trial(models.Model):
    """One presentation of an item to a rater. `first_is` is the side of the first metric."""

    enrolment = models.ForeignKey(Enrolment, on_delete=models.CASCADE, related_name="trials")
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=9, choices=[(kind.value, kind.value) for kind in TrialKind])
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="trials")
    first_is = models.CharField(max_length=1, choices=[(side.value, side.value) for side in CardSide])

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["enrolment", "position"], name="one_trial_per_position"),
            models.UniqueConstraint(fields=["enrolment", "item", "kind"], name="one_trial_per_item_and_kind"),
        ]


class ExpertGrade(models.Model):
    """The rating of step 1. One per trial, never changed."""

    trial = models.OneToOneField(Trial, on_delete=models.CASCADE, related_name="grade")
    value = models.PositiveSmallIntegerField()
    marks = models.JSONField(default=dict)
    at = models.DateTimeField(default=timezone.now)


class PreferenceVote(models.Model):
    """The choice of step 2. One per trial, never changed; it stores the side, not the metric."""

    trial = models.OneToOneField(Trial, on_delete=models.CASCADE, related_name="vote")
    choice = models.CharField(max_length=4, choices=[(choice.value, choice.value) for choice in Choice])
    comment = models.TextField(blank=True)
    at = models.DateTimeField(default=timezone.now)


class TrialEvent(models.Model):
    """An event of a trial, as received; all times are computed from these."""

    trial = models.ForeignKey(Trial, on_delete=models.CASCADE, related_name="events")
    kind = models.CharField(max_length=8)
    at = models.DateTimeField(default=timezone.now)
