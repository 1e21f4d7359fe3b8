"""How well annotators and second reviewers agree, before they talk and after. Counts of lines, no text.

What stands at the second review is never touched again: a discussion or an adjudicator adds to "after" only.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Avg, Count, Exists, FloatField, IntegerField, OuterRef, Q, Sum
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from annotation.models import Event, Field, Project, Sample, Signature
from annotation.models.label import Origin, Seat
from annotation.stages import Verb


@dataclass(frozen=True, slots=True)
class Agreement:
    """Over all second reviews. `edit` is the mean normalised edit distance between the two versions, 0..1."""

    reviews: int
    lines: int
    equal: int
    edit: float | None
    disputed: int
    open: int
    by_discussion: int
    by_adjudicator: int
    to_primary: int
    to_second: int
    to_new: int

    @property
    def share(self) -> float | None:
        """Share of lines equal at the second review, 0..1; None before there is any."""
        return self.equal / self.lines if self.lines else None

    @property
    def percent(self) -> float | None:
        return None if self.share is None else 100 * self.share

    @property
    def edit_percent(self) -> float | None:
        return None if self.edit is None else 100 * self.edit


def agreement_of(project: Project, sample: Sample | None = None) -> Agreement:
    """The figures of a project, or of one of its samples."""
    events = Event.objects.filter(sample__project=project, verb__in=[Verb.AGREE, Verb.DISPUTE])
    fields = Field.objects.filter(dispute__sample__project=project, is_disputed=True)
    if sample is not None:
        events, fields = events.filter(sample=sample), fields.filter(dispute__sample=sample)
    before = events.aggregate(
        reviews=Count("pk"),
        lines=Sum(Cast(KT("data__fields"), IntegerField())),
        equal=Sum(Cast(KT("data__equal"), IntegerField())),
        edit=Avg(Cast(KT("data__edit"), FloatField())),
    )
    decided = Signature.objects.filter(field=OuterRef("pk"), seat=Seat.ADJUDICATOR)
    after = fields.annotate(decided=Exists(decided)).aggregate(
        disputed=Count("pk"),
        open=Count("pk", filter=Q(settled_at=None, dispute__closed_at=None)),
        by_adjudicator=Count("pk", filter=Q(decided=True)),
        by_discussion=Count("pk", filter=Q(decided=False) & ~Q(settled_at=None)),
        to_primary=Count("pk", filter=Q(origin=Origin.PRIMARY)),
        to_second=Count("pk", filter=Q(origin=Origin.SECOND)),
        to_new=Count("pk", filter=Q(origin=Origin.NEW)),
    )
    return Agreement(
        reviews=before["reviews"],
        lines=before["lines"] or 0,
        equal=before["equal"] or 0,
        edit=before["edit"],
        **after,
    )
