"""What managers are told of ratings: figures by sample and dimension. Names never."""

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
    """`rated` samples have all their ratings, `begun` some; `figures` are over every rating the viewer may know."""

    samples: int
    rated: int
    begun: int
    hidden: int
    figures: tuple[DimensionFigures, ...]


def hidden_from(viewer: User, project: Project) -> Q:
    """Samples whose ratings a manager who also rates must not know yet: those they may still rate."""
    if not has_role(viewer, project.team, Role.DIFFICULTY_RATER):
        return Q(pk__in=[])
    own = Rating.objects.filter(sample=OuterRef("pk"), person=viewer).exclude(submitted_at=None)
    return ~Q(Exists(own)) & Q(handed_in__lt=project.raters_per_sample)


def rated_samples(project: Project) -> QuerySet[Any]:  # samples, with a column more than the type knows
    """The samples in the flow, each with `handed_in`, the number of its ratings."""
    return (
        Sample.objects.filter(project=project, intake=Intake.READY)
        .exclude(work__status=Status.WITHDRAWN)
        .annotate(handed_in=Count("ratings", filter=Q(ratings__submitted_at__isnull=False)))
    )


def difficulty_in(project: Project, viewer: User) -> ProjectDifficulty:
    """The figures of a project, from what the viewer may know."""
    rows = rated_samples(project)
    counts = dict(rows.values_list("pk", "handed_in"))
    shown = set(rows.exclude(hidden_from(viewer, project)).values_list("pk", flat=True))
    ratings = {
        (rating.person_id, rating.sample_id): rating.scores
        for rating in Rating.objects.filter(sample__in=shown).exclude(submitted_at=None)
    }
    by_sample: dict[int, list[dict[str, int]]] = {}
    for (_person, sample), scores in ratings.items():
        by_sample.setdefault(sample, []).append(scores)
    means = [
        {name: summary.mean for name, summary in summarise(given).items()} for given in by_sample.values()
    ]
    over = summarise(means)
    return ProjectDifficulty(
        samples=len(counts),
        rated=sum(n >= project.raters_per_sample for n in counts.values()),
        begun=sum(0 < n < project.raters_per_sample for n in counts.values()),
        hidden=sum(1 for pk, n in counts.items() if n and pk not in shown),
        figures=tuple(
            DimensionFigures(dimension, over.get(dimension), agreement_on(dimension, ratings))
            for dimension in Dimension
        ),
    )


@dataclass(frozen=True, slots=True)
class SampleDifficulty:
    """The ratings of one sample: how many are in of how many, and a summary a dimension; hidden from a rater."""

    handed_in: int
    wanted: int
    is_hidden: bool
    summaries: tuple[tuple[Dimension, Summary], ...]
    notes: tuple[str, ...]


def difficulty_of(sample: Sample, viewer: User) -> SampleDifficulty:
    """What a manager is told of one sample's ratings."""
    rows = list(sample.ratings.exclude(submitted_at=None).order_by("submitted_at"))
    hidden = rated_samples(sample.project).filter(hidden_from(viewer, sample.project), pk=sample.pk).exists()
    found = {} if hidden else summarise([row.scores for row in rows])
    return SampleDifficulty(
        handed_in=len(rows),
        wanted=sample.project.raters_per_sample,
        is_hidden=hidden,
        summaries=tuple((dimension, found[dimension]) for dimension in Dimension if dimension in found),
        notes=() if hidden else tuple(row.note for row in rows if row.note),
    )


def difficulty_record(sample: Sample) -> dict[str, dict[str, float]]:
    """The ratings handed in as a release carries them: dimension -> {"mean", "spread", "n"}; empty without any.

    A single rating has spread 0; its n says so.
    """
    rows = sample.ratings.exclude(submitted_at=None).values_list("scores", flat=True)
    return {
        name: {"mean": summary.mean, "spread": summary.spread or 0.0, "n": summary.n}
        for name, summary in summarise(list(rows)).items()
    }
