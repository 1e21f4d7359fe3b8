"""Submissions to check: the same text for several pages, implausibly fast ones, masks without their mark.

A misplaced text (typed for one image, stored for another) shows up as one of the first two. Only counts and sample
numbers; samples that are hidden from a manager who also works blind are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, DurationField, ExpressionWrapper, F, Q, QuerySet
from django.db.models.functions import Length

from annotation.models import Assignment, Label, Project, Sample
from annotation.selectors.blind_manager import hidden_samples
from annotation.stages import Stage
from config.accounts.models import User
from evaluation.payloads.mask_mark import MASK_MARK

MIN_CHARACTERS = 12  # short texts may repeat
MIN_SECONDS = 3
MAX_ROWS = 200


@dataclass(frozen=True, slots=True)
class SameText:
    """One person submitted the same text for these samples."""

    person: str
    characters: int
    samples: tuple[Sample, ...]


@dataclass(frozen=True, slots=True)
class TooFast:
    """An assignment that was submitted `seconds` after it was opened."""

    person: str
    stage: str
    seconds: float
    sample: Sample


def same_texts(project: Project, viewer: User) -> list[SameText]:
    """Groups of two or more samples with the same text by one annotator, largest first."""
    shown = Label.objects.filter(sample__in=_shown(project, viewer), stage=Stage.LABEL)
    groups = (
        shown.alias(length=Length("text"))
        .filter(length__gte=MIN_CHARACTERS)
        .values("assignment__person", "text")
        .annotate(n=Count("sample", distinct=True))
        .filter(n__gt=1)
        .order_by("-n")[:MAX_ROWS]
    )
    groups_found = []
    for group in groups:
        labels = (
            shown.filter(assignment__person=group["assignment__person"], text=group["text"])
            .select_related("sample", "assignment__person")
            .order_by("sample__number")
        )
        samples = {label.sample.pk: label.sample for label in labels}
        assignment = labels[0].assignment
        name = assignment.person.display_name if assignment else ""
        groups_found.append(SameText(name, len(group["text"]), tuple(samples.values())))
    return groups_found


def too_fast(project: Project, viewer: User) -> list[TooFast]:
    """Transcriptions and reviews submitted within MIN_SECONDS of being opened, newest first."""
    assignments = (
        Assignment.objects.filter(sample__in=_shown(project, viewer), stage__in=[Stage.LABEL, Stage.VERIFY])
        .exclude(submitted_at=None)
        .annotate(took=ExpressionWrapper(F("submitted_at") - F("opened_at"), output_field=DurationField()))
        .filter(took__lt=timedelta(seconds=MIN_SECONDS))
        .select_related("sample", "person")
        .order_by("-submitted_at")[:MAX_ROWS]
    )
    return [
        TooFast(row.person.display_name, row.stage, row.took.total_seconds(), row.sample)
        for row in assignments
    ]


def unmarked(project: Project, viewer: User) -> list[Sample]:
    """Samples whose agreed label has a mask but no mark in its text, or a mark but no mask, by number.

    Submitting one needs a reason (a mask over a stain needs no mark), but a discussion can also end that way.
    """
    is_marked = Q(text__contains=MASK_MARK)
    labels = Label.objects.filter(
        sample__in=_shown(project, viewer), stage=Stage.DONE, sample__work__stage=Stage.DONE
    )
    unmatched = labels.filter(
        Q(masks=[]) & is_marked | ~Q(masks=[]) & ~is_marked, round=F("sample__work__round")
    )
    return list(Sample.objects.filter(pk__in=unmatched.values("sample")).order_by("number")[:MAX_ROWS])


def _shown(project: Project, viewer: User) -> QuerySet[Sample]:
    return Sample.objects.filter(project=project).exclude(hidden_samples(viewer, project))
