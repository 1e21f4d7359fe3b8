"""How well annotators and second reviewers agree, before a discussion and after it. Counts of fields, no text.

The figures of the second review never change: a discussion or an adjudicator adds to those afterwards only.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Avg, Count, Exists, FloatField, IntegerField, OuterRef, Q, Sum
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from annotation.models import Event, Field, Project, Sample, Signature
from annotation.models.label import DiscussionRole, FieldKind, Origin
from annotation.models.project import VerificationMode
from annotation.stages import Verb


@dataclass(frozen=True, slots=True)
class KindAgreement:
    """The fields of one kind at the second review."""

    kind: str
    name: str
    fields: int
    equal: int

    @property
    def percent(self) -> float:
        return 100 * self.equal / self.fields


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement over all second reviews.

    The distances between the two versions are means over the samples that have them, 0..1: `edit` of texts (0 = equal),
    `teds` of tables and `cdm` of formulas (1 = equal).
    """

    reviews: int
    fields: int
    equal: int
    edit: float | None
    teds: float | None
    cdm: float | None
    kinds: tuple[KindAgreement, ...]
    disputed: int
    open: int
    by_discussion: int
    by_adjudicator: int
    to_primary: int
    to_second: int
    to_new: int

    @property
    def share(self) -> float | None:
        """Share of fields equal at the second review, 0..1; None before there is any."""
        return self.equal / self.fields if self.fields else None

    @property
    def percent(self) -> float | None:
        return None if self.share is None else 100 * self.share

    @property
    def edit_percent(self) -> float | None:
        return None if self.edit is None else 100 * self.edit

    @property
    def teds_percent(self) -> float | None:
        return None if self.teds is None else 100 * self.teds

    @property
    def cdm_percent(self) -> float | None:
        return None if self.cdm is None else 100 * self.cdm


def agreement_of(project: Project, sample: Sample | None = None) -> Agreement:
    """The figures of a project, or of one of its samples."""
    events = Event.objects.filter(sample__project=project, verb__in=[Verb.AGREE, Verb.DISPUTE])
    if project.verification_mode == VerificationMode.DOUBLE_BLIND:
        # Of people who knew the first version: no second reading.
        events = events.exclude(data__mode=VerificationMode.VERIFY)
    fields = Field.objects.filter(dispute__sample__project=project, is_disputed=True)
    if sample is not None:
        events, fields = events.filter(sample=sample), fields.filter(dispute__sample=sample)
    before = events.aggregate(
        reviews=Count("pk"),
        fields=_sum("fields"),
        equal=_sum("equal"),
        **{name: Avg(Cast(KT(f"data__{name}"), FloatField())) for name in ("edit", "teds", "cdm")},
        **{
            f"{kind}_{count}": _sum(f"kinds__{kind}__{count}")
            for kind in FieldKind.values
            for count in ("fields", "equal")
        },
    )
    decided = Signature.objects.filter(field=OuterRef("pk"), discussion_role=DiscussionRole.ADJUDICATOR)
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
        fields=before["fields"] or 0,
        equal=before["equal"] or 0,
        edit=before["edit"],
        teds=before["teds"],
        cdm=before["cdm"],
        kinds=tuple(
            KindAgreement(kind, str(name), before[f"{kind}_fields"], before[f"{kind}_equal"])
            for kind, name in FieldKind.choices
            if before[f"{kind}_fields"]
        ),
        **after,
    )


def _sum(path: str) -> Sum:
    """The sum of a number in the event data of second reviews."""
    return Sum(Cast(KT(f"data__{path}"), IntegerField()))
