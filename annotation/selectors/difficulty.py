"""Difficulty ratings for managers: figures by sample and dimension, without names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from annotation.difficulty import Dimension, Summary, agreement_on, summarise
from annotation.models.difficulty import Rating
from annotation.models.project import Project
from annotation.models.sample import Sample
from annotation.stages import Intake, Status
from config.accounts.models import Role, User
from config.accounts.selectors import has_role
from evaluation.metrics.base import Score


@dataclass(frozen=True, slots=True)
class DimensionFigures:
    """One dimension over a project: the mean and spread of the samples' means, and whether raters agree."""

    dimension: Dimension
    over_samples: Summary | None
    alpha: Score


@dataclass(frozen=True, slots=True)
class ProjectDifficulty:
    """`rated` samples have all their ratings, `begun` some; `figures` cover the ratings the viewer may see."""

    samples: int
    rated: int
    begun: int
    hidden: int
    figures: tuple[DimensionFigures, ...]


def hidden_from(viewer: User, project: Project) -> Q:
    """Samples whose ratings are hidden from a manager who also rates: those they may still rate."""
    if not has_role(viewer, project.team, Role.DIFFICULTY_RATER):
        return Q(pk__in=[])
    own = Rating.objects.filter(sample=OuterRef("pk"), person=viewer).exclude(submitted_at=None)
    return ~Q(Exists(own)) & Q(submitted__lt=project.raters_per_sample)


def rated_samples(project: Project) -> QuerySet[Any]:  # samples with an annotation
    """The samples in the flow, each with `submitted`, the number of its ratings."""
    return (
        Sample.objects.filter(project=project, intake=Intake.READY)
        .exclude(work__status=Status.WITHDRAWN)
        .annotate(submitted=Count("ratings", filter=Q(ratings__submitted_at__isnull=False)))
    )


def difficulty_in(project: Project, viewer: User) -> ProjectDifficulty:
    """The figures of a project over the ratings that the viewer may see."""
    rows = rated_samples(project)
    counts = dict(rows.values_list("pk", "submitted"))
    shown = set(rows.exclude(hidden_from(viewer, project)).values_list("pk", flat=True))
    ratings = {
        (rating.person_id, rating.sample_id): rating.scores
        for rating in Rating.objects.filter(sample__in=shown).exclude(submitted_at=None)
    }
    by_sample: dict[int, list[dict[str, int]]] = {}
    for (_person, sample), scores in ratings.items():
        by_sample.setdefault(sample, []).append(scores)
    sample_means = [
        {name: summary.mean for name, summary in summarise(levels).items()} for levels in by_sample.values()
    ]
    project_summary = summarise(sample_means)
    return ProjectDifficulty(
        samples=len(counts),
        rated=sum(n >= project.raters_per_sample for n in counts.values()),
        begun=sum(0 < n < project.raters_per_sample for n in counts.values()),
        hidden=sum(1 for pk, n in counts.items() if n and pk not in shown),
        figures=tuple(
            DimensionFigures(dimension, project_summary.get(dimension), agreement_on(dimension, ratings))
            for dimension in Dimension
        ),
    )


@dataclass(frozen=True, slots=True)
class SampleDifficulty:
    """The ratings of one sample: `submitted` of `wanted`, and a summary of each dimension; hidden from its raters."""

    submitted: int
    wanted: int
    is_hidden: bool
    summaries: tuple[tuple[Dimension, Summary], ...]
    notes: tuple[str, ...]


def difficulty_of(sample: Sample, viewer: User) -> SampleDifficulty:
    """The ratings of one sample for a manager."""
    rows = list(sample.ratings.exclude(submitted_at=None).order_by("submitted_at"))
    hidden = rated_samples(sample.project).filter(hidden_from(viewer, sample.project), pk=sample.pk).exists()
    summaries = {} if hidden else summarise([row.scores for row in rows])
    return SampleDifficulty(
        submitted=len(rows),
        wanted=sample.project.raters_per_sample,
        is_hidden=hidden,
        summaries=tuple(
            (dimension, summaries[dimension]) for dimension in Dimension if dimension in summaries
        ),
        notes=() if hidden else tuple(row.note for row in rows if row.note),
    )


def difficulty_record(sample: Sample) -> dict[str, dict[str, float]]:
    """The submitted ratings for a release: dimension -> {"mean", "spread", "n"}; empty without ratings.

    The spread of a single rating is given as 0.
    """
    rows = sample.ratings.exclude(submitted_at=None).values_list("scores", flat=True)
    return {
        name: {"mean": summary.mean, "spread": summary.spread or 0.0, "n": summary.n}
        for name, summary in summarise(list(rows)).items()
    }
