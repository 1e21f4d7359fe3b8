"""Who has seen which image, in which role (append-only), who is still to see it, and which images are shut."""

from __future__ import annotations

from enum import StrEnum

from django.conf import settings
from django.db import models
from django.utils import timezone

from config.accounts.models import Team


class RestrictedImage(models.Model):
    """An image that a team's people must not get, whatever token they hold, except its managers and screeners."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    blob = models.CharField(max_length=64)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "blob"], name="shut_once_per_team")]


class Exposure(models.Model):
    """One person saw one image (by the hash of its pixels) in one role; what else the page showed is `saw`."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="exposures")
    image_hash = models.CharField(max_length=64)
    role = models.CharField(max_length=20)
    saw = models.CharField(max_length=20)  # of SeenContent
    place = models.CharField(max_length=60)  # the page or call that showed it
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "image_hash", "role", "saw", "place"], name="one_row_per_first_sight"
            )
        ]
        indexes = [models.Index(fields=["image_hash", "saw"])]


class ReservedContent(StrEnum):
    """What stays closed to a person while a study holds a reservation of theirs."""

    GOLD = "gold"  # ground truth and figures: they are to see the image for the first time
    FIGURES = "figures"  # scores, which would tell which metric is which


class Reservation(models.Model):
    """Somebody takes part in a study of this image that is spoilt by what other pages show of it.

    Until the study releases it, pages with that content of the image are closed to that person.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reservations")
    image_hash = models.CharField(max_length=64)  # or the key of a release, for all that is in it
    holder = models.CharField(max_length=60)  # the study that reserved it
    content = models.CharField(max_length=10)  # of ReservedContent

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "image_hash", "holder"], name="one_reservation_per_holder"
            )
        ]


class SeenContent(StrEnum):
    """How much a person saw of a sample."""

    IMAGE = "image"
    WORK = "work"  # label content in the work the person was given: suggestions, as `verify`, in a discussion
    LABEL = "label"  # somebody's label content, outside the work the person was given
    GOLD = "gold"  # released ground truth
