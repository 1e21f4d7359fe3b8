"""Submissions that deserve a look: one text for several pages, handed in faster than anybody can read, masks without
their mark.

A misplaced text (typed for one image, stored for another) shows up as one or the other. Counts and numbers only;
whoever also works blind is told of no sample that is veiled from them.
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

LEAST_CHARACTERS = 12  # two pages may both say "Yours, E."
LEAST_SECONDS = 3
MOST_ROWS = 200


@dataclass(frozen=True, slots=True)
class SameText:
    """One person handed in the same text for these samples."""

    person: str
    characters: int
    samples: tuple[Sample, ...]


@dataclass(frozen=True, slots=True)
class TooFast:
    """An assignment handed in `seconds` after it was opened."""

    person: str
    stage: str
    seconds: float
    sample: Sample


def same_texts(project: Project, viewer: User) -> list[SameText]:
    """Groups of two or more samples with one and the same text by one annotator; the largest groups first."""
    shown = Label.objects.filter(sample__in=_shown(project, viewer), stage=Stage.LABEL)
    groups = (
        shown.alias(length=Length("text"))
        .filter(length__gte=LEAST_CHARACTERS)
        .values("assignment__person", "text")
        .annotate(n=Count("sample", distinct=True))
        .filter(n__gt=1)
        .order_by("-n")[:MOST_ROWS]
    )
    found = []
    for group in groups:
        labels = (
            shown.filter(assignment__person=group["assignment__person"], text=group["text"])
            .select_related("sample", "assignment__person")
            .order_by("sample__number")
        )
        samples = {label.sample.pk: label.sample for label in labels}
        assignment = labels[0].assignment
        name = assignment.person.display_name if assignment else ""
        found.append(SameText(name, len(group["text"]), tuple(samples.values())))
    return found


def too_fast(project: Project, viewer: User) -> list[TooFast]:
    """Transcriptions and reviews handed in within LEAST_SECONDS of being opened, newest first."""
    assignments = (
        Assignment.objects.filter(sample__in=_shown(project, viewer), stage__in=[Stage.LABEL, Stage.VERIFY])
        .exclude(submitted_at=None)
        .annotate(took=ExpressionWrapper(F("submitted_at") - F("opened_at"), output_field=DurationField()))
        .filter(took__lt=timedelta(seconds=LEAST_SECONDS))
        .select_related("sample", "person")
        .order_by("-submitted_at")[:MOST_ROWS]
    )
    return [TooFast(s.person.display_name, s.stage, s.took.total_seconds(), s.sample) for s in assignments]


def unmarked(project: Project, viewer: User) -> list[Sample]:
    """Samples whose agreed label has a mask and no mask mark in its text, or a mark and no mask, by number.

    Whoever handed one in said why (a mask over a stain needs no mark); a discussion can end so too.
    """
    is_marked = Q(text__contains=MASK_MARK)
    odd = Label.objects.filter(
        sample__in=_shown(project, viewer), stage=Stage.DONE, sample__work__stage=Stage.DONE
    )
    odd = odd.filter(Q(masks=[]) & is_marked | ~Q(masks=[]) & ~is_marked, round=F("sample__work__round"))
    return list(Sample.objects.filter(pk__in=odd.values("sample")).order_by("number")[:MOST_ROWS])


def _shown(project: Project, viewer: User) -> QuerySet[Sample]:
    return Sample.objects.filter(project=project).exclude(hidden_samples(viewer, project))
