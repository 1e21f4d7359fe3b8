"""Labels, and all related content that must be hidden during blind work."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.models.kinds import EvidenceKind
from annotation.models.project import Guideline, RecogniserKind, RecogniserSetting
from annotation.models.question import Question
from annotation.models.sample import Sample
from annotation.models.work import Assignment
from annotation.stages import Stage
from config.jobs.models import Job


class Label(models.Model):
    """One immutable version of a sample's label. Rows are added, never changed.

    `stage` tells its kind: LABEL the primary's, VERIFY the second reviewer's, DONE the agreed one. `text` is in the
    payload's canonical form. `origins` (DONE only) has an `Origin` for every field of the text, in the payload's order,
    and then for every mask.
    """

    sample = models.ForeignKey(Sample, on_delete=models.CASCADE, related_name="labels")
    assignment = models.ForeignKey(
        Assignment, null=True, blank=True, on_delete=models.PROTECT, related_name="labels"
    )
    stage = models.CharField(max_length=12, choices=[(s.value, s.value) for s in Stage])
    round = models.PositiveIntegerField()
    text = models.TextField(blank=True)
    masks = models.JSONField(default=list)  # as evaluation.payloads.masks writes them
    origins = models.JSONField(default=list)
    parent = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="children"
    )
    guideline = models.ForeignKey(
        Guideline, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    idempotency_key = models.CharField(max_length=64, blank=True)
    image_hash = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "idempotency_key"],
                condition=~models.Q(idempotency_key=""),
                name="one_label_per_submit",
            ),
            models.UniqueConstraint(
                fields=["sample", "stage", "round"], name="one_label_per_stage_and_round"
            ),
        ]


class SuggestionRequest(Job):
    """The job of asking one recogniser about one sample. Only requests without a suggestion are repeated."""

    sample = models.ForeignKey(Sample, on_delete=models.CASCADE, related_name="suggestion_requests")
    recogniser = models.ForeignKey(RecogniserSetting, on_delete=models.PROTECT, related_name="requests")

    asks_endpoint = models.Q(recogniser__kind=RecogniserKind.ENDPOINT)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["sample", "recogniser"], name="one_request_per_recogniser")
        ]


class Suggestion(models.Model):
    """One recogniser's reply to one request, as received (`raw`), and what was read from it.

    A failure is stored too: `failure` is its kind, `message` describes it, and `text` is empty.
    """

    request = models.ForeignKey(SuggestionRequest, on_delete=models.CASCADE, related_name="answers")
    text = models.TextField(blank=True)
    lines = models.JSONField(
        default=list
    )  # [{"text", "box": [x0, y0, x1, y1] px of the released image, "confidence"}]
    raw = models.TextField(blank=True)
    failure = models.CharField(max_length=20, blank=True)
    message = models.TextField(blank=True)
    message_parts = models.JSONField(
        default=list, blank=True
    )  # the same for `config.error_messages.render_message`
    provenance = models.JSONField(
        default=dict
    )  # model, version, prompt version, parameters sent and dropped, ...
    latency_seconds = models.FloatField(default=0)
    image_hash = models.CharField(max_length=64)  # of the bytes that were sent
    created_at = models.DateTimeField(default=timezone.now)


class SuggestionUse(models.Model):
    """An annotator copied a suggestion, or a line, cell or region of it, into their label.

    `line` is the number of the piece among its kind.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="suggestion_uses")
    suggestion = models.ForeignKey(Suggestion, on_delete=models.PROTECT, related_name="uses")
    how = models.CharField(max_length=6, choices=[(how, how) for how in ("whole", "line", "cell", "region")])
    line = models.PositiveIntegerField(null=True, blank=True)
    text = models.TextField()
    at = models.DateTimeField(default=timezone.now)


class Evidence(models.Model):
    """Something an annotator consulted. It is part of their reasoning, which the other person never sees."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="evidence")
    kind = models.CharField(max_length=12, choices=EvidenceKind)
    link = models.URLField(blank=True, max_length=1000)
    note = models.TextField(blank=True)
    question = models.OneToOneField(  # set for an expert's answer, which cannot be changed
        Question, null=True, blank=True, on_delete=models.CASCADE, related_name="evidence"
    )
    at = models.DateTimeField(default=timezone.now)


class Note(models.Model):
    """A private note of a person on a sample."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="notes")
    text = models.TextField()
    at = models.DateTimeField(default=timezone.now)


class DiscussionRole(models.TextChoices):
    """The pseudonyms in a discussion, instead of names."""

    PRIMARY = "primary", _("Annotator")
    SECOND = "second", _("Second reviewer")
    ADJUDICATOR = "adjudicator", _("Adjudicator")


class Origin(models.TextChoices):
    """Where a field of the agreed label came from."""

    AGREED = "agreed", _("Agreed")
    PRIMARY = "primary", _("Annotator")
    SECOND = "second", _("Second reviewer")
    NEW = "new", _("Written in the discussion")


class Dispute(models.Model):
    """Two submitted versions of one sample that differ, until they are settled."""

    sample = models.ForeignKey(Sample, on_delete=models.CASCADE, related_name="disputes")
    round = models.PositiveIntegerField()
    primary = models.ForeignKey(Label, on_delete=models.PROTECT, related_name="+")
    second = models.ForeignKey(Label, on_delete=models.PROTECT, related_name="+")
    agreement_before = models.JSONField(default=dict)
    agreement_after = models.JSONField(default=dict)
    opened_at = models.DateTimeField(default=timezone.now)
    escalated_at = models.DateTimeField(null=True, blank=True)
    escalation_reason = models.TextField(blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["sample", "round"], name="one_dispute_per_round")]


class FieldKind(models.TextChoices):
    """The kinds of fields (`evaluation.payloads.fields.FieldKind`), with their labels."""

    LINE = "line", _("Line")
    STRUCTURE = "structure", _("Rows, spans and header cells")
    CELL = "cell", _("Cell")
    REGION = "region", _("Formula outline")
    LATEX = "latex", _("Formula LaTeX")
    ORDER = "order", _("Reading order")
    MASK = "mask", _("Mask")


class Field(models.Model):
    """One field (a line, a cell, ...) of the two versions side by side, disputed or not, in the order of the page.

    None means that the version has no such field. `text` and `origin` are set once the field is settled, and from the
    start where both versions agree. The format of a text depends on `kind` (see the payloads); `key` names the field.
    """

    dispute = models.ForeignKey(Dispute, on_delete=models.CASCADE, related_name="fields")
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=9, choices=FieldKind, default=FieldKind.LINE)
    key = models.CharField(max_length=60, blank=True)
    primary_text = models.TextField(null=True)  # noqa: DJ001 - None (no such line) differs from an empty line
    second_text = models.TextField(null=True)  # noqa: DJ001
    text = models.TextField(null=True)  # noqa: DJ001
    origin = models.CharField(max_length=8, choices=Origin, blank=True)
    is_disputed = models.BooleanField()
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["dispute", "position"], name="one_field_per_position")]


class Signature(models.Model):
    """Somebody agrees to a text for one field (None: the field is left out). The newest row of each role counts."""

    field = models.ForeignKey(Field, on_delete=models.CASCADE, related_name="signatures")
    discussion_role = models.CharField(max_length=12, choices=DiscussionRole)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    text = models.TextField(null=True)  # noqa: DJ001
    at = models.DateTimeField(default=timezone.now)


class Message(models.Model):
    """One contribution to the discussion of one field, under a pseudonym."""

    field = models.ForeignKey(Field, on_delete=models.CASCADE, related_name="messages")
    discussion_role = models.CharField(max_length=12, choices=DiscussionRole)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    text = models.TextField()
    at = models.DateTimeField(default=timezone.now)


class Disclosure(models.Model):
    """A piece of a person's reasoning (a note, an evidence entry) that they chose to show in the discussion."""

    dispute = models.ForeignKey(Dispute, on_delete=models.CASCADE, related_name="disclosures")
    discussion_role = models.CharField(max_length=12, choices=DiscussionRole)
    text = models.TextField()
    at = models.DateTimeField(default=timezone.now)
