"""Releases: frozen ground truth."""

from __future__ import annotations

from typing import Any, TypeVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from config.accounts.models import Team
from config.jobs.models import Job
from evaluation.records import GoldRecord, gold_from_object


class Frozen(Exception):
    """A release and its items are never changed or removed; an erratum is a new release."""


_Row = TypeVar("_Row", bound=models.Model, covariant=True)


class FrozenQuerySet(models.QuerySet[_Row]):
    """Rows that are written once: reading and adding only."""

    def update(self, **changes: Any) -> int:
        raise Frozen

    def delete(self) -> tuple[int, dict[str, int]]:
        raise Frozen

    def bulk_update(self, *args: Any, **options: Any) -> int:
        raise Frozen


class FrozenModel(models.Model):
    """A row that is written once."""

    objects = FrozenQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        if not self._state.adding:
            raise Frozen
        super().save(*args, **options)

    def delete(self, *args: Any, **options: Any) -> tuple[int, dict[str, int]]:
        raise Frozen


class Release(FrozenModel):
    """An immutable, numbered set of gold items of one team. `checksum` covers every record, in order."""

    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="releases")
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=200, blank=True)
    notes = models.TextField(blank=True)
    manifest = models.JSONField(default=dict)
    checksum = models.CharField(max_length=64)
    count = models.PositiveIntegerField(default=0)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        base_manager_name = "objects"
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["team", "number"], name="one_release_per_number")]

    def __str__(self) -> str:
        return self.title or f"{self.team} {self.number}"


class GoldItem(FrozenModel):
    """One gold record of a release, frozen. `record` is the whole of it; the columns repeat what is filtered by."""

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="items")
    position = models.PositiveIntegerField()
    sample_id = models.CharField(max_length=32)  # the sample's UUID, hex
    number = models.PositiveIntegerField(default=0)
    file_name = models.CharField(max_length=200)
    image_blob = models.CharField(max_length=64)
    outlines_blob = models.CharField(max_length=64, blank=True)  # the page with numbered regions, gold-free
    pixel_hash = models.CharField(max_length=64, db_index=True)
    structure = models.CharField(max_length=8)
    language = models.CharField(max_length=35)
    scenario = models.CharField(max_length=60, blank=True)
    record = models.JSONField()

    class Meta:
        base_manager_name = "objects"
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["release", "sample_id"], name="one_item_per_sample"),
            models.UniqueConstraint(fields=["release", "position"], name="one_item_per_position"),
        ]

    @property
    def gold(self) -> GoldRecord:
        """`record` as the record it was frozen from."""
        return gold_from_object(self.record)


class ExportFormat(models.TextChoices):
    INKBENCH = "inkbench", "InkBench JSONL + images"
    OMNIDOCBENCH = "omnidocbench", "OmniDocBench JSON"


class ExportRun(Job):
    """One archive of one release, kept by its content: `checksum` (SHA-256) names it once it is done."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="exports")
    format = models.CharField(max_length=12, choices=ExportFormat)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    size = models.PositiveBigIntegerField(default=0)
    checksum = models.CharField(max_length=64, blank=True)
