"""What the next release would hold, before it is frozen."""

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
    """Counts of samples. `unverified` are still on their way, `gone` were in the last release and are not ready;
    `unrated` are verified and wait for difficulty ratings, `unscreened` wait for a screener.

    `formulas` are formula pages, `crossing` the writers found in more than one split, both of verified and imported;
    `imported` came with their ground truth and were not reviewed here.
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
    imported: tuple[tuple[str, int], ...]  # what is known of it, and how many

    @property
    def n_imported(self) -> int:
        return sum(count for _, count in self.imported)


def next_release(project: Project) -> NextRelease:
    """Compared with the last release by sample; whether texts differ shows on the release's own page."""
    rows = releasable_samples(project)
    everything = samples_to_release(project, with_imported=True)
    ready = {uuid.hex for uuid in rows.values_list("uuid", flat=True)}
    unrated = {uuid.hex for uuid in finished_samples(project).values_list("uuid", flat=True)} - ready
    previous = Release.objects.filter(team=project.team).order_by("-number").first()
    before = (
        set(GoldItem.objects.filter(release=previous).values_list("sample_id", flat=True))
        if previous
        else set()
    )
    on_their_way = (
        Work.objects.filter(sample__project=project, sample__intake=Intake.READY)
        .exclude(stage=Stage.DONE)
        .exclude(status=Status.WITHDRAWN)
    )
    coming = Sample.objects.filter(
        project=project, intake__in=[Intake.IMPORTED, Intake.SCREENING, Intake.DUPLICATE]
    )
    return NextRelease(
        number=(previous.number if previous else 0) + 1,
        verified=len(ready),
        added=len(ready - before),
        again=len(ready & before),
        gone=len(before - ready - unrated),
        unverified=on_their_way.count() + coming.exclude(intake=Intake.SCREENING).count(),
        unrated=len(unrated),
        unscreened=coming.filter(intake=Intake.SCREENING).count(),
        previous=previous,
        formulas=everything.filter(structure=Structure.FORMULA).count(),
        crossing=tuple(writers_across_splits(everything)),
        imported=tuple(
            imported_samples(project)
            .order_by("gold_status")
            .values_list("gold_status")
            .annotate(n=Count("pk"))
        ),
    )


def was_released(sample: Sample) -> bool:
    return sample.events.filter(verb="released").exists()


def releasable_samples(project: Project) -> QuerySet[Sample]:
    """Samples whose text is agreed or decided, in the order of their numbers; where the project waits for
    difficulty ratings, only those that have all of them."""
    done = finished_samples(project)
    if not project.release_needs_ratings:
        return done
    rated = rated_samples(project).filter(handed_in__gte=project.raters_per_sample)
    return done.filter(pk__in=rated.values("pk"))


def finished_samples(project: Project) -> QuerySet[Sample]:
    """The same, rated or not."""
    return Sample.objects.filter(
        project=project, intake=Intake.READY, work__stage=Stage.DONE, work__status=Status.SUBMITTED
    ).order_by("number")


def imported_samples(project: Project) -> QuerySet[Sample]:
    """Samples whose ground truth came with the import and that nobody reviews or has reviewed here."""
    return Sample.objects.filter(
        project=project,
        intake=Intake.READY,
        work__stage=Stage.VERIFY,
        work__status=Status.OPEN,
        work__round=1,
    ).exclude(gold_status="")


def samples_to_release(project: Project, *, with_imported: bool) -> QuerySet[Sample]:
    """What the next release holds, in the order of the numbers."""
    chosen = releasable_samples(project)
    if not with_imported:
        return chosen
    return Sample.objects.filter(
        Q(pk__in=chosen.order_by().values("pk")) | Q(pk__in=imported_samples(project).values("pk"))
    ).order_by("number")
