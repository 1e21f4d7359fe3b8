"""Samples, their imports, and pairs of possible duplicates."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.models.project import Project
from annotation.stages import Intake
from config.jobs.models import Job
from evaluation.records import UNVERIFIED, VERIFIED_ELSEWHERE


class Structure(models.TextChoices):
    TEXT = "text", _("Free text")
    TABLE = "table", _("Table")
    FORMULA = "formula", _("Formulas")


class Source(models.TextChoices):
    OFFLINE = "offline", _("Offline manuscript")
    INTERNET = "internet", _("Collected online")


class GoldStatus(models.TextChoices):
    """The stated verification of imported ground truth, as in records."""

    UNVERIFIED = UNVERIFIED, _("Unverified")
    ELSEWHERE = VERIFIED_ELSEWHERE, _("Verified elsewhere")


class ImportRun(Job):
    """One import: files that one person uploaded, processed in the background."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="imports")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    origin = models.CharField(max_length=12)  # "browser", "command", "demo"
    defaults = models.JSONField(default=dict)  # sample fields for every file the manifest does not name
    # page name -> {"line", "fields", "faults"}, as `annotation.manifest` reads it
    manifest = models.JSONField(default=dict)
    is_receiving = models.BooleanField(default=False)  # files are still being received, so it must not start

    may_start = models.Q(is_receiving=False)


class ImportOutcome(models.TextChoices):
    PENDING = "pending", _("Waiting")
    IMPORTED = "imported", _("Imported")
    PARTLY = "partly", _("Partly imported")
    ALREADY = "already", _("Already imported")
    READ = "read", _("Read")  # an archive or a manifest, which has no pages of its own
    FAILED = "failed", _("Not imported")


class ImportFile(models.Model):
    """One file of an import and its outcome.

    `problem` is a stable key and `facts` its parameters; `evaluation.import_messages` turns them into a message in
    the reader's language. A member of an archive has the archive as `parent`, its place in it as `position`, and a
    blob once it was unpacked.
    """

    run = models.ForeignKey(ImportRun, on_delete=models.CASCADE, related_name="files")
    name = models.CharField(max_length=500)
    parent = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.CASCADE, related_name="members"
    )
    position = models.PositiveIntegerField(default=0)
    blob = models.CharField(max_length=64, blank=True)
    size = models.PositiveBigIntegerField()
    outcome = models.CharField(max_length=10, choices=ImportOutcome, default=ImportOutcome.PENDING)
    problem = models.CharField(max_length=40, blank=True)
    facts = models.JSONField(default=dict)
    pages = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "name"], name="one_row_per_imported_name")]
        indexes = [models.Index(fields=["run", "outcome"])]


class Sample(models.Model):
    """One page image and what is known about it before transcription.

    The image has three forms, each by content hash: `original_blob` (the imported bytes, private), `full_blob`
    (upright, without metadata, lossless; what annotators see) and `released_blob` (PNG within the project's limits;
    what models and baseline participants get). `pixel_hash` identifies the pixels of the full image.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="samples")
    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    number = models.PositiveIntegerField()
    intake = models.CharField(
        max_length=12, choices=[(i.value, i.value) for i in Intake], default=Intake.IMPORTED.value
    )
    excluded_reason = models.CharField(max_length=300, blank=True)

    structure = models.CharField(max_length=8, choices=Structure, default=Structure.TEXT)
    language = models.CharField(max_length=35)
    scenario = models.CharField(max_length=60, blank=True)
    source = models.CharField(max_length=10, choices=Source, default=Source.OFFLINE)

    original_name = models.CharField(max_length=500)
    page_number = models.PositiveIntegerField(default=1)
    original_blob = models.CharField(max_length=64)
    full_blob = models.CharField(max_length=64)
    full_width = models.PositiveIntegerField()
    full_height = models.PositiveIntegerField()
    released_blob = models.CharField(max_length=64)
    released_name = models.CharField(max_length=120, unique=True)
    released_width = models.PositiveIntegerField()
    released_height = models.PositiveIntegerField()
    released_bytes = models.PositiveIntegerField()
    image_steps = models.JSONField(default=list)  # how the released form was made, in order
    pixel_hash = models.CharField(max_length=64, db_index=True)
    # the full image before names were redacted, and its pixel hash; empty without redactions
    unredacted_blob = models.CharField(max_length=64, blank=True)
    unredacted_pixel_hash = models.CharField(max_length=64, blank=True, db_index=True)
    is_evidence_withheld = models.BooleanField(default=False)

    # evidence given at import, shown in both annotation stages unless a screener withholds it
    transcript = models.TextField(blank=True)
    source_url = models.URLField(blank=True, max_length=1000)
    licence = models.CharField(max_length=200, blank=True)
    discussion_links = models.JSONField(default=list, blank=True)
    consent = models.CharField(max_length=300, blank=True)

    # for other benchmarks (PINK, SketchJudge, OmniHandwritingOCR)
    problem = models.TextField(blank=True)
    reference_answer = models.TextField(blank=True)
    subtask = models.CharField(max_length=40, blank=True)
    writer_id = models.CharField(max_length=120, blank=True)
    split = models.CharField(max_length=40, blank=True)
    group = models.CharField(max_length=120, blank=True)
    perturbation = models.TextField(blank=True)
    gold_status = models.CharField(max_length=20, choices=GoldStatus, blank=True)  # of imported ground truth

    import_file = models.ForeignKey(
        ImportFile, null=True, blank=True, on_delete=models.SET_NULL, related_name="samples"
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["project", "number"]
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="one_number_per_project"),
            models.UniqueConstraint(
                fields=["import_file", "page_number"], name="one_sample_per_imported_page"
            ),
        ]
        indexes = [
            models.Index(fields=["project", "intake", "created_at"]),  # covers the board's columns
            models.Index(
                fields=["project", "structure", "language", "scenario", "intake"]
            ),  # covers its tables
            models.Index(fields=["project", "original_blob"]),
        ]


class SampleFingerprint(models.Model):
    """The fingerprint of a page (`annotation.images.fingerprint`): its corners and their descriptors."""

    sample = models.OneToOneField(
        Sample, primary_key=True, on_delete=models.CASCADE, related_name="fingerprint"
    )
    version = models.PositiveSmallIntegerField()
    shape = models.BinaryField()


class FingerprintWord(models.Model):
    """The fingerprint index, one row for each corner. Only pages that share words are compared."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    sample = models.ForeignKey(Sample, on_delete=models.CASCADE, related_name="+")
    word = models.IntegerField()

    class Meta:
        indexes = [models.Index(fields=["project", "word"])]


class DuplicateKind(models.TextChoices):
    BYTES = "bytes", _("Same file")
    PIXELS = "pixels", _("Same image in another file")
    NEAR = "near", _("Looks alike")


class DuplicateDecision(models.TextChoices):
    PENDING = "pending", _("Waiting for a decision")
    KEEP_BOTH = "keep_both", _("Different pages: keep both")
    KEEP_FIRST = "keep_first", _("Same page: keep the first")
    KEEP_SECOND = "keep_second", _("Same page: keep the second")
    MOOT = "moot", _("Resolved by another decision")


class DuplicatePair(models.Model):
    """Two samples that look alike, and the decision about them. `first` is the older one."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="duplicates")
    first = models.ForeignKey(Sample, on_delete=models.CASCADE, related_name="duplicates_as_first")
    second = models.ForeignKey(Sample, on_delete=models.CASCADE, related_name="duplicates_as_second")
    kind = models.CharField(max_length=8, choices=DuplicateKind)
    distance = models.FloatField(default=0)
    decision = models.CharField(max_length=12, choices=DuplicateDecision, default=DuplicateDecision.PENDING)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["first", "second"], name="one_row_per_pair"),
            models.CheckConstraint(
                condition=~models.Q(first=models.F("second")), name="a_sample_is_not_its_own_duplicate"
            ),
        ]
