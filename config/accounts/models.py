"""People, the teams they work in, and what they may do there.

A team is the people of one project. It lives here, below every app, because annotation, evaluation and baseline
all ask the same question (may this person?) and must get the same answer.
"""

from __future__ import annotations

import secrets

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Role(models.TextChoices):
    """What a person may do in one team. A person can have several; blindness then follows the strictest."""

    MANAGER = "manager", _("Manager")
    ANNOTATOR = "annotator", _("Annotator")
    REVIEWER = "reviewer", _("Second reviewer")
    ADJUDICATOR = "adjudicator", _("Adjudicator")
    SCREENER = "screener", _("Screener")
    DIFFICULTY_RATER = "difficulty_rater", _("Difficulty rater")
    DOMAIN_EXPERT = "domain_expert", _("Domain expert")
    PARTICIPANT = "participant", _("Participant")
    STUDY_EXPERT = "study_expert", _("Study expert")


class Theme(models.TextChoices):
    AUTO = "auto", _("Same as system")
    LIGHT = "light", _("Light")
    DARK = "dark", _("Dark")


class User(AbstractUser):
    """An account. Preferences that only the browser needs (key map, divider, font size) are in `preferences`."""

    language = models.CharField(max_length=10, blank=True, choices=settings.LANGUAGES)
    theme = models.CharField(max_length=5, choices=Theme, default=Theme.AUTO)
    preferences = models.JSONField(default=dict, blank=True)
    password_set_at = models.DateTimeField(null=True, blank=True, editable=False)

    @property
    def display_name(self) -> str:
        return self.get_full_name() or self.username

    def set_password(self, raw_password: str | None) -> None:
        """API tokens made before are void from now on, whoever does it: a form, the admin site or a command.

        Not when a hash is only made anew at sign-in, since `check_password` then saves the password alone.
        """
        super().set_password(raw_password)
        self.password_set_at = timezone.now()


class Team(models.Model):
    """The people of one project."""

    slug = models.SlugField(unique=True, max_length=60)
    name = models.CharField(max_length=200)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """One role of one person in one team."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role)
    added_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "user", "role"], name="one_row_per_role")]


def make_invitation_token() -> str:
    return secrets.token_urlsafe(24)


class Invitation(models.Model):
    """A link that gives its bearer roles in a team, until it expires, is used up or is revoked."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="invitations")
    token = models.CharField(max_length=64, unique=True, default=make_invitation_token)
    roles = models.JSONField(default=list)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    max_uses = models.PositiveIntegerField(default=1)
    uses = models.PositiveIntegerField(default=0)
    revoked_at = models.DateTimeField(null=True, blank=True)

    def is_open(self) -> bool:
        return self.revoked_at is None and self.uses < self.max_uses and timezone.now() < self.expires_at


class AttemptCount(models.Model):
    """How many attempts at credentials one counter of `credential_limits` has seen in its window."""

    key = models.CharField(max_length=64, unique=True)  # HMAC-SHA-256 of what is counted
    count = models.PositiveIntegerField(default=0)
    ends_at = models.DateTimeField(db_index=True)


class SharedCacheEntry(models.Model):
    """The table of Django's database cache, in which the sign-in library counts mails and sign-ups."""

    cache_key = models.CharField(max_length=255, primary_key=True)
    value = models.TextField()
    expires = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "accounts_shared_cache"
