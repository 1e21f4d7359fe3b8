"""Samples that can be released, and what the next release would hold."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from annotation.models import Project, Sample, Work
from annotation.models.sample import Structure
from annotation.selectors.difficulty import rated_samples
from annotation.selectors.splits import CrossingWriter, writers_across_splits
from annotation.stages import Intake, Stage, Status
from evaluation.models import GoldItem, Release


@dataclass(frozen=True, slots=True)
class NextRelease:
    """Counts of samples, compared with the last release.

    `added` are new, `again` were in the last release too, `gone` were in it and are not ready now. `unverified` are not
    finished, `unrated` are verified but lack difficulty ratings, `unscreened` wait for a screener. `imported` came with
    ground truth that was not reviewed here. `formulas` (formula pages) and `crossing` (writers in more than one split)
    cover verified and imported samples.
    """

    number: int
    verified: int
    added: int
    again: int
    gone: int
    unverified: int
    unrated: int
    unscreened: int
    previous: Release | None
    formulas: int
    crossing: tuple[CrossingWriter, ...]
    imported: tuple[tuple[str, int], ...]  # stated verification, count

    @property
    def n_imported(self) -> int:
        return sum(count for _, count in self.imported)


def next_release(project: Project) -> NextRelease:
    """The next release of a project, compared with its last one by sample, not by text."""
    rows = releasable_samples(project)
    candidates = samples_to_release(project, with_imported=True)
    ready = {uuid.hex for uuid in rows.values_list("uuid", flat=True)}
    unrated = {uuid.hex for uuid in finished_samples(project).values_list("uuid", flat=True)} - ready
    previous = Release.objects.filter(team=project.team).order_by("-number").first()
    before = (
        set(GoldItem.objects.filter(release=previous).values_list("sample_id", flat=True))
        if previous
        else set()
    )
    in_progress = (
        Work.objects.filter(sample__project=project, sample__intake=Intake.READY)
        .exclude(stage=Stage.DONE)
        .exclude(status=Status.WITHDRAWN)
    )
    not_ready = Sample.objects.filter(
        project=project, intake__in=[Intake.IMPORTED, Intake.SCREENING, Intake.DUPLICATE]
    )
    return NextRelease(
        number=(previous.number if previous else 0) + 1,
        verified=len(ready),
        added=len(ready - before),
        again=len(ready & before),
        gone=len(before - ready - unrated),
        unverified=in_progress.count() + not_ready.exclude(intake=Intake.SCREENING).count(),
        unrated=len(unrated),
        unscreened=not_ready.filter(intake=Intake.SCREENING).count(),
        previous=previous,
        formulas=candidates.filter(structure=Structure.FORMULA).count(),
        crossing=tuple(writers_across_splits(candidates)),
        imported=tuple(
            imported_samples(project)
            .order_by("gold_status")
            .values_list("gold_status")
            .annotate(n=Count("pk"))
        ),
    )


def was_released(sample: Sample) -> bool:
    """True when some release holds the sample."""
    return sample.events.filter(verb="released").exists()


def releasable_samples(project: Project) -> QuerySet[Sample]:
    """Finished samples, by number; where the project requires difficulty ratings, only those that have all of them."""
    done = finished_samples(project)
    if not project.release_needs_ratings:
        return done
    rated = rated_samples(project).filter(submitted__gte=project.raters_per_sample)
    return done.filter(pk__in=rated.values("pk"))


def finished_samples(project: Project) -> QuerySet[Sample]:
    """Samples with an agreed or decided label, by number."""
    return Sample.objects.filter(
        project=project, intake=Intake.READY, work__stage=Stage.DONE, work__status=Status.SUBMITTED
    ).order_by("number")


def imported_samples(project: Project) -> QuerySet[Sample]:
    """Samples with imported ground truth that nobody reviews or has reviewed here."""
    return Sample.objects.filter(
        project=project,
        intake=Intake.READY,
        work__stage=Stage.VERIFY,
        work__status=Status.OPEN,
        work__round=1,
    ).exclude(gold_status="")


def samples_to_release(project: Project, *, with_imported: bool) -> QuerySet[Sample]:
    """The samples of the next release, by number."""
    releasable = releasable_samples(project)
    if not with_imported:
        return releasable
    return Sample.objects.filter(
        Q(pk__in=releasable.order_by().values("pk")) | Q(pk__in=imported_samples(project).values("pk"))
    ).order_by("number")
