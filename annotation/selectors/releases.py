"""What the next release would hold, before it is frozen."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.models import Project, Sample, Work
from annotation.models.sample import Structure
from annotation.selectors.splits import CrossingWriter, writers_across_splits
from annotation.services.release import releasable_samples
from annotation.stages import Intake, Stage, Status
from evaluation.models import GoldItem, Release


@dataclass(frozen=True, slots=True)
class NextRelease:
    """Counts of samples. `unverified` are still on their way, `gone` were in the last release and are not ready.

    `formulas` of the verified are formula pages; `crossing` are the writers found in more than one split.
    """

    number: int
    verified: int
    added: int
    again: int
    gone: int
    unverified: int
    previous: Release | None
    formulas: int
    crossing: tuple[CrossingWriter, ...]


def next_release(project: Project) -> NextRelease:
    """Compared with the last release by sample; whether texts differ shows on the release's own page."""
    rows = releasable_samples(project)
    ready = {uuid.hex for uuid in rows.values_list("uuid", flat=True)}
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
        gone=len(before - ready),
        unverified=on_their_way.count() + coming.count(),
        previous=previous,
        formulas=rows.filter(structure=Structure.FORMULA).count(),
        crossing=tuple(writers_across_splits(rows)),
    )
