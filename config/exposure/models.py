"""Who has seen which picture, in which role (append-only), and which pictures are shut."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from config.accounts.models import Team


class ShutPicture(models.Model):
    """A picture that a team's people must not get, whatever token they hold, except its managers and screeners."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    blob = models.CharField(max_length=64)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "blob"], name="shut_once_per_team")]


class Exposure(models.Model):
    """One person saw one picture (by the hash of its pixels) in one role; what else the page showed is `saw`."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="exposures")
    image_hash = models.CharField(max_length=64)
    role = models.CharField(max_length=20)
    saw = models.CharField(max_length=20)  # "image", "label", "gold"
    place = models.CharField(max_length=60)  # the page or call that showed it
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "image_hash", "role", "saw", "place"], name="one_row_per_first_sight"
            )
        ]
        indexes = [models.Index(fields=["image_hash", "saw"])]
