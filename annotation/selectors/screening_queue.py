"""Pages that wait for a screener: which ones a person may screen, and which one they hold."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Min, Q, QuerySet
from django.utils import timezone

from annotation.models import Project, Sample, Screening
from annotation.selectors.releases import was_released
from annotation.stages import Intake
from config.accounts.models import Role, User
from config.accounts.selectors import has_role
from config.exposure.reservations import reserved_for


def is_free() -> Q:
    """Screenings that nobody holds, or whose lease ran out."""
    return Q(person=None) | Q(lease_until__lt=timezone.now())


def _waiting_screenings(project: Project) -> QuerySet[Screening]:
    """Free screenings in the order of the samples' numbers."""
    return Screening.objects.filter(
        is_free(),
        done_at=None,
        sample__project=project,
        sample__project__archived_at=None,
        sample__intake=Intake.SCREENING,
    ).order_by("sample__number")


def eligible_screenings(person: User, project: Project) -> QuerySet[Screening]:
    """Free screenings, except of images that the person is still to read in a baseline (redacted or not)."""
    reserved = reserved_for(person)
    return _waiting_screenings(project).exclude(
        Q(sample__pixel_hash__in=reserved) | Q(sample__unredacted_pixel_hash__in=reserved)
    )


def count_waiting_screenings(person: User, project: Project) -> int:
    """How many pages this person could screen now besides the one they hold; 0 without the role."""
    if not has_role(person, project.team, Role.SCREENER):
        return 0
    return eligible_screenings(person, project).exclude(person=person).count()


def held_screening(person: User, project: Project) -> Screening | None:
    """The screening the person holds, even after its lease ran out."""
    return (
        Screening.objects.filter(
            person=person, done_at=None, sample__project=project, sample__intake=Intake.SCREENING
        )
        .select_related("sample")
        .order_by("sample__number")
        .first()
    )


def next_screening_at(project: Project) -> datetime | None:
    """When the first held page becomes free."""
    rows = Screening.objects.filter(sample__project=project, done_at=None).exclude(person=None)
    earliest: datetime | None = rows.aggregate(at=Min("lease_until"))["at"]
    return earliest


def may_be_screened_again(sample: Sample) -> bool:
    """True for a sample that has passed screening, is not excluded, and is in no release."""
    return sample.intake in (Intake.READY, Intake.DUPLICATE) and not was_released(sample)
