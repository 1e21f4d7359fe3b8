"""What the duplicates pages show of pairs and of their two pages."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet

from annotation.models import DuplicatePair, Project, Sample
from annotation.models.sample import DuplicateDecision
from annotation.selectors.samples import state_of
from annotation.services.resolve_duplicates import is_worked_on
from annotation.stages import Intake, SampleState


@dataclass(frozen=True, slots=True)
class DuplicateSide:
    """One page of a pair, as the person who decides needs to know it."""

    sample: Sample
    state: SampleState
    is_worked_on: bool


def side_of(sample: Sample) -> DuplicateSide:
    return DuplicateSide(sample, state_of(sample), is_worked_on(sample))


def undecided_pairs() -> QuerySet[DuplicatePair]:
    """Pairs of any project that wait for a decision and can be shown: neither page is still being screened."""
    return _shown_pairs().filter(decision=DuplicateDecision.PENDING)


def waiting_pairs(project: Project) -> QuerySet[DuplicatePair]:
    """Undecided pairs, surest first: the same file, the same image, then by likeness."""
    return _pairs(project).filter(decision=DuplicateDecision.PENDING).order_by("distance", "pk")


def settled_pairs(project: Project) -> QuerySet[DuplicatePair]:
    """Decided pairs, newest first; not those that another decision made pointless."""
    undecided = [DuplicateDecision.PENDING, DuplicateDecision.MOOT]
    return _pairs(project).exclude(decision__in=undecided).order_by("-decided_at")


def _pairs(project: Project) -> QuerySet[DuplicatePair]:
    pairs = _shown_pairs().filter(project=project)
    return pairs.select_related("first__work", "second__work", "decided_by")


def _shown_pairs() -> QuerySet[DuplicatePair]:
    """Not those with a page that is being screened: it is not shown before."""
    return DuplicatePair.objects.exclude(first__intake=Intake.SCREENING).exclude(
        second__intake=Intake.SCREENING
    )
