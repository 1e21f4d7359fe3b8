"""Samples that wait for difficulty ratings: which ones a person may rate, and which one they hold."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import Count, Min, Q, QuerySet
from django.utils import timezone

from annotation.models import Assignment, Project, Rating, Sample
from annotation.selectors.seen_content import OUTSIDE_WORK, seen_by
from annotation.stages import Intake, Stage, Status
from config.accounts.models import Role, User
from config.accounts.selectors import has_role
from config.exposure.reservations import reserved_for


def _is_taken() -> Q:
    """Ratings that occupy one of a sample's places: submitted, or held with a lease that has not run out."""
    return Q(ratings__slot__isnull=False) & (
        Q(ratings__submitted_at__isnull=False) | Q(ratings__lease_until__gte=timezone.now())
    )


def eligible_samples(person: User, project: Project) -> QuerySet[Any]:
    """Samples with a free place that this person may rate, each with its number of `taken` places.

    Excluded are samples they have rated or skipped, those whose label content they know (from a second review, an
    adjudication, or because they opened it), and those they are still to read in a baseline. The primary annotator may
    be one of the raters.
    """
    knows = Assignment.objects.filter(person=person, stage__in=[Stage.VERIFY, Stage.ADJUDICATE])
    finished = Rating.objects.filter(person=person).exclude(submitted_at=None, skipped_at=None)
    return (
        Sample.objects.filter(project=project, project__archived_at=None, intake=Intake.READY)
        .exclude(work__status=Status.WITHDRAWN)
        .exclude(pk__in=knows.values("sample"))
        .exclude(pk__in=finished.values("sample"))
        .exclude(seen_by(person, *OUTSIDE_WORK))
        .exclude(pixel_hash__in=reserved_for(person))
        .annotate(taken=Count("ratings", filter=_is_taken()))
        .filter(taken__lt=project.raters_per_sample)
    )


def count_waiting_ratings(person: User, project: Project) -> int:
    """How many samples this person could rate now besides the one they hold; 0 without the role."""
    if not has_role(person, project.team, Role.DIFFICULTY_RATER):
        return 0
    held = Rating.objects.filter(person=person, submitted_at=None, slot__isnull=False)
    return eligible_samples(person, project).exclude(pk__in=held.values("sample")).count()


def held_rating(person: User, project: Project) -> Rating | None:
    """The unfinished rating whose place the person still has."""
    return (
        Rating.objects.filter(
            person=person,
            sample__project=project,
            sample__intake=Intake.READY,
            submitted_at=None,
            slot__isnull=False,
        )
        .select_related("sample")
        .order_by("pk")
        .first()
    )


def next_rating_at(project: Project) -> datetime | None:
    """When the first held place becomes free."""
    rows = Rating.objects.filter(sample__project=project, submitted_at=None, slot__isnull=False)
    earliest: datetime | None = rows.aggregate(at=Min("lease_until"))["at"]
    return earliest
