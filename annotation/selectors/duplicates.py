"""What the duplicates pages show of pairs and of their two pages."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet

from annotation.models import DuplicatePair, Project, Sample
from annotation.models.sample import DuplicateDecision
from annotation.selectors.samples import state_of
from annotation.stages import Intake, SampleState


@dataclass(frozen=True, slots=True)
class DuplicateSide:
    """One page of a pair, as the person who decides needs to know it."""

    sample: Sample
    state: SampleState
    is_worked_on: bool


def side_of(sample: Sample) -> DuplicateSide:
    return DuplicateSide(sample, state_of(sample), is_worked_on(sample))


def waiting_pairs(project: Project) -> QuerySet[DuplicatePair]:
    """Undecided pairs, surest first: the same file, the same image, then by likeness."""
    return _pairs(project).filter(decision=DuplicateDecision.PENDING).order_by("distance", "pk")


def settled_pairs(project: Project) -> QuerySet[DuplicatePair]:
    """Decided pairs, newest first; not those that another decision made pointless."""
    undecided = [DuplicateDecision.PENDING, DuplicateDecision.MOOT]
    return _pairs(project).exclude(decision__in=undecided).order_by("-decided_at")


def _pairs(project: Project) -> QuerySet[DuplicatePair]:
    """Not those with a page that is being screened: it is not shown before."""
    return (
        project.duplicates.exclude(first__intake=Intake.SCREENING)
        .exclude(second__intake=Intake.SCREENING)
        .select_related("first__work", "second__work", "decided_by")
    )


def is_worked_on(sample: Sample) -> bool:
    """True when a person has taken the page up: an assignment was opened on it."""
    return sample.assignments.exists()


def suggested_decision(pair: DuplicatePair) -> DuplicateDecision:
    """What the page offers first: the one people worked on survives, then the larger image, then the older one."""

    def worth(sample: Sample) -> tuple[bool, int]:
        return is_worked_on(sample), sample.full_width * sample.full_height

    is_second = worth(pair.second) > worth(pair.first)
    return DuplicateDecision.KEEP_SECOND if is_second else DuplicateDecision.KEEP_FIRST
