"""Duplicate pairs of a project, and the two pages of a pair."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet

from annotation.models import DuplicatePair, Project, Sample
from annotation.models.sample import DuplicateDecision
from annotation.selectors.samples import state_of
from annotation.stages import Intake, SampleState


@dataclass(frozen=True, slots=True)
class DuplicateSide:
    """One page of a pair, as the person who decides sees it."""

    sample: Sample
    state: SampleState
    is_worked_on: bool


def side_of(sample: Sample) -> DuplicateSide:
    return DuplicateSide(sample, state_of(sample), is_worked_on(sample))


def undecided_pairs() -> QuerySet[DuplicatePair]:
    """Pairs of any project that wait for a decision and can be shown: neither page is still being screened."""
    return _shown_pairs().filter(decision=DuplicateDecision.PENDING)


def waiting_pairs(project: Project) -> QuerySet[DuplicatePair]:
    """Undecided pairs, most similar first."""
    return _pairs(project).filter(decision=DuplicateDecision.PENDING).order_by("distance", "pk")


def settled_pairs(project: Project) -> QuerySet[DuplicatePair]:
    """Decided pairs, newest first, without those that another decision made moot."""
    undecided = [DuplicateDecision.PENDING, DuplicateDecision.MOOT]
    return _pairs(project).exclude(decision__in=undecided).order_by("-decided_at")


def _pairs(project: Project) -> QuerySet[DuplicatePair]:
    pairs = _shown_pairs().filter(project=project)
    return pairs.select_related("first__work", "second__work", "decided_by")


def _shown_pairs() -> QuerySet[DuplicatePair]:
    """Pairs without a page that is being screened, which nobody else may see yet."""
    return DuplicatePair.objects.exclude(first__intake=Intake.SCREENING).exclude(
        second__intake=Intake.SCREENING
    )


def is_worked_on(sample: Sample) -> bool:
    """True when somebody has an assignment on the page."""
    return sample.assignments.exists()


def suggested_decision(pair: DuplicatePair) -> DuplicateDecision:
    """The default choice: keep the page that people worked on, then the larger image, then the older page."""

    def worth(sample: Sample) -> tuple[bool, int]:
        return is_worked_on(sample), sample.full_width * sample.full_height

    is_second = worth(pair.second) > worth(pair.first)
    return DuplicateDecision.KEEP_SECOND if is_second else DuplicateDecision.KEEP_FIRST
