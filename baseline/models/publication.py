"""What of a baseline was handed down to be scored."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import pgettext_lazy

from baseline.models.participation import Participation
from baseline.models.setup import Baseline
from evaluation.models import PredictionSet


class Part(models.TextChoices):
    PERSON = "person", pgettext_lazy("baseline", "one person")
    MEAN = "mean", pgettext_lazy("baseline", "all participants, pooled")
    BEST = "best", pgettext_lazy("baseline", "best participant")
    CONSENSUS = "consensus", pgettext_lazy("baseline", "consensus")


class Publication(models.Model):
    """One prediction set that a baseline handed down; publishing again removes these and makes new ones."""

    baseline = models.ForeignKey(Baseline, on_delete=models.CASCADE, related_name="publications")
    part = models.CharField(max_length=10, choices=Part)
    participation = models.OneToOneField(
        Participation, null=True, blank=True, on_delete=models.CASCADE, related_name="publication"
    )
    prediction_set = models.OneToOneField(PredictionSet, on_delete=models.CASCADE, related_name="publication")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["baseline", "part"],
                condition=models.Q(participation=None),
                name="one_publication_per_part",
            )
        ]
