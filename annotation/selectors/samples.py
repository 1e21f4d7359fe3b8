"""Lists of samples for managers: filtered, ordered by number, three queries for each page."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import cast

from django.core.paginator import Page, Paginator
from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet

from annotation.models.project import Project
from annotation.models.sample import Sample
from annotation.models.work import Flag
from annotation.selectors.blind_manager import hidden_samples
from annotation.stages import Intake, SampleState, Stage, Status, sample_state
from config.accounts.models import User

_READY = Q(intake=Intake.READY)
_AT_WORK = _READY & ~Q(work__status=Status.WITHDRAWN)
# The same rule as `stages.sample_state`, for the database; a test holds the two together.
STATE_FILTERS: dict[SampleState, Q] = {
    SampleState.IMPORTED: Q(intake=Intake.IMPORTED),
    SampleState.SCREENING: Q(intake=Intake.SCREENING),
    SampleState.DUPLICATE: Q(intake=Intake.DUPLICATE),
    SampleState.PREANNOTATING: _AT_WORK & Q(work__stage=Stage.PREANNOTATE),
    SampleState.LABELLING: _AT_WORK & Q(work__stage=Stage.LABEL),
    SampleState.VERIFYING: _AT_WORK & Q(work__stage=Stage.VERIFY),
    SampleState.DISPUTED: _AT_WORK & Q(work__stage=Stage.ADJUDICATE),
    SampleState.VERIFIED: _AT_WORK & Q(work__stage=Stage.DONE, work__is_released=False),
    SampleState.RELEASED: _AT_WORK & Q(work__stage=Stage.DONE, work__is_released=True),
    SampleState.EXCLUDED: Q(intake=Intake.EXCLUDED) | (_READY & Q(work__status=Status.WITHDRAWN)),
}


@dataclass(frozen=True, slots=True)
class SampleFilter:
    """The filters of a list; empty values filter nothing."""

    state: str = ""
    structure: str = ""
    language: str = ""
    scenario: str = ""
    holder: str = ""  # a person's id
    flag: str = ""  # "open"
    number: str = ""

    def is_empty(self) -> bool:
        return not any(getattr(self, f.name) for f in fields(self))


def samples_of(project: Project, chosen: SampleFilter, viewer: User) -> QuerySet[Sample]:
    """The project's samples that pass `chosen`, each with its work, holder, `has_flag` and `is_hidden`.

    The holder of a hidden sample is not shown to the viewer, and filtering by holder does not find it.
    """
    rows = Sample.objects.filter(project=project).annotate(
        is_hidden=ExpressionWrapper(hidden_samples(viewer, project), output_field=BooleanField())
    )
    if chosen.state:
        rows = rows.filter(STATE_FILTERS[SampleState(chosen.state)])
    for name in ("structure", "language", "scenario"):
        if value := getattr(chosen, name):
            rows = rows.filter(**{name: value})
    if chosen.holder:
        held = rows.filter(work__holder=int(chosen.holder), work__status=Status.HELD)
        rows = held.exclude(hidden_samples(viewer, project))
    if chosen.number:
        rows = rows.filter(number=int(chosen.number))
    open_flags = Flag.objects.filter(sample=OuterRef("pk"), closed_at=None)
    if chosen.flag:
        rows = rows.filter(Exists(open_flags))
    return rows.select_related("work__holder").annotate(has_flag=Exists(open_flags)).order_by("number")


class SamplePages(Paginator):  # type: ignore[type-arg]
    """Pages of a list. Rows before a page are skipped by key alone, so late pages cost little more than the first."""

    def page(self, number: int | str) -> Page:  # type: ignore[type-arg]
        number = self.validate_number(number)
        rows = cast("QuerySet[Sample]", self.object_list)
        start = (number - 1) * self.per_page
        keys = list(rows.values_list("pk", flat=True)[start : start + self.per_page])
        return Page(rows.filter(pk__in=keys), number, self)


def state_of(sample: Sample) -> SampleState:
    """The state of a sample. Its `work` should be selected along; it is missing before the sample is ready."""
    work = getattr(sample, "work", None)
    if work is None:
        return state_of_position(sample.intake, "", "", False)
    return state_of_position(sample.intake, work.stage, work.status, work.is_released)


def state_of_position(
    intake: str, stage: str | None, status: str | None, is_released: bool | None
) -> SampleState:
    """`stages.sample_state` for stored values; a sample without work waits for suggestions."""
    return sample_state(
        intake=Intake(intake),
        stage=Stage(stage) if stage else Stage.PREANNOTATE,
        status=Status(status) if status else Status.OPEN,
        is_released=bool(is_released),
    )
