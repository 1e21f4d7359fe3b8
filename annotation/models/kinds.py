"""Choices that forms offer and models store, without label content."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class EvidenceKind(models.TextChoices):
    SUGGESTION = "suggestion", _("Suggestion")
    TRANSCRIPT = "transcript", _("Writer's transcript")
    DISCUSSION = "discussion", _("Discussion")
    EXPERT = "expert", _("Expert")
    DICTIONARY = "dictionary", _("Dictionary")
    OTHER = "other", _("Other")
