"""Hand verified samples down as a frozen release."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_noop

from annotation.models import Event, Label, Project, Sample, Work
from annotation.selectors.difficulty import rated_samples
from annotation.selectors.splits import CrossingWriter, writers_across_splits
from annotation.services.build_gold_record import ReleasedImage, gold_record, released_image
from annotation.stages import Intake, Stage, Status
from config.accounts.models import User
from config.errors import ApplicationError
from evaluation.models import Release
from evaluation.prediction_formats import PAGE
from evaluation.records import GoldRecord
from evaluation.services.freeze_release import import_release


class WritersCrossSplits(ApplicationError):
    """The samples of some writers are in more than one split; a reason allows the release all the same."""

    kind, field = "writers_cross_splits", "crossing_reason"
    msgid = gettext_noop(
        "The release was not frozen: some writers appear in more than one split. Fix the splits, or give a reason."
    )

    def __init__(self, writers: list[CrossingWriter]) -> None:
        super().__init__(", ".join(crossing.writer for crossing in writers))
        self.writers = writers

    def extra(self) -> dict[str, Any]:
        return {"writers": [crossing.as_dict() for crossing in self.writers]}


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


def make_release(
    *,
    project: Project,
    by: User,
    title: str = "",
    notes: str = "",
    samples: QuerySet[Sample] | None = None,
    expected: int | None = None,
    formula_answers: str = PAGE,
    crossing_reason: str = "",
    with_imported: bool = False,
) -> Release:
    """Freeze the agreed label of every verified sample (or of `samples` among them) as the next release.

    `with_imported`: also ground truth that came with the import and was not reviewed here; each record says so.

    `expected` is the number the person was told it will get, so that two presses of the button are one release.
    `formula_answers` says how formula pages are answered (`evaluation.prediction_formats`). Raises NothingToRelease,
    NumberTaken, and WritersCrossSplits unless there is a `crossing_reason`, which goes into the manifest. Later
    work on a sample, even a reopening, leaves this release as it is.
    """
    chosen = samples_to_release(project, with_imported=with_imported)
    if samples is not None:
        chosen = chosen.filter(pk__in=samples.values("pk"))
    images = _burn_masks(chosen)
    with transaction.atomic():
        # Lock what is frozen: a reopening at this moment comes before the release or after it, never in between.
        locked = list(
            Work.objects.select_for_update().filter(sample__in=chosen).values_list("sample", flat=True)
        )
        frozen = Sample.objects.filter(pk__in=locked)
        crossing = writers_across_splits(frozen)
        if crossing and not crossing_reason.strip():
            raise WritersCrossSplits(crossing)
        rows = list(frozen.select_related("project").order_by("number"))
        labels = _labels(rows)
        release = import_release(
            team=project.team,
            by=by,
            records=_records(rows, labels, images),
            pixel_hashes={sample.uuid.hex: sample.pixel_hash for sample in rows},
            title=title,
            notes=notes,
            expected=expected,
            guideline_text=_newest_guideline_text(labels.values()),
            settings=_settings(project, formula_answers, crossing, crossing_reason.strip()),
        )
        Work.objects.filter(sample__in=locked, stage=Stage.DONE).update(is_released=True)
        Event.objects.bulk_create(
            Event(sample=sample, verb="released", actor=by, data={"release": release.number})
            for sample in rows
        )
    return release


def samples_to_release(project: Project, *, with_imported: bool) -> QuerySet[Sample]:
    """What the next release holds, in the order of the numbers."""
    chosen = releasable_samples(project)
    if not with_imported:
        return chosen
    return Sample.objects.filter(
        Q(pk__in=chosen.order_by().values("pk")) | Q(pk__in=imported_samples(project).values("pk"))
    ).order_by("number")


def _burn_masks(samples: QuerySet[Sample]) -> dict[int, ReleasedImage]:
    """The masked images by label, made before anything is locked, since they take time."""
    masked = [label for label in _labels(samples).values() if label.masks]
    projects = Sample.objects.select_related("project").in_bulk([label.sample_id for label in masked])
    return {label.pk: released_image(projects[label.sample_id], label.masks) for label in masked}


def _settings(
    project: Project, formula_answers: str, crossing: list[CrossingWriter], reason: str
) -> dict[str, Any]:
    settings: dict[str, Any] = {
        "verification_mode": project.verification_mode,
        "image_cap_bytes": project.image_cap_bytes,
        "image_max_side": project.image_max_side,
        "formula_answers": formula_answers,
    }
    if crossing:
        settings["writers_across_splits"] = {
            "writers": [each.as_dict() for each in crossing],
            "reason": reason,
        }
    return settings


def _newest_guideline_text(labels: Iterable[Label]) -> str:
    guidelines = [label.guideline for label in labels if label.guideline is not None]
    return max(guidelines, key=lambda guideline: guideline.number).text if guidelines else ""


def _records(
    samples: list[Sample], labels: Mapping[int, Label], images: Mapping[int, ReleasedImage]
) -> Iterator[GoldRecord]:
    for sample in samples:
        label = labels[sample.pk]
        yield gold_record(sample, label, images.get(label.pk))


def _labels(samples: Iterable[Sample]) -> dict[int, Label]:
    """Each sample's agreed label of the newest round, or the one it was imported with while nobody has reviewed it."""
    rows = Label.objects.filter(sample__in=samples).select_related("guideline", "sample").order_by("round")
    agreed = {label.sample_id: label for label in rows.filter(stage=Stage.DONE)}
    brought = rows.filter(stage=Stage.LABEL, assignment=None, sample__work__stage=Stage.VERIFY)
    return agreed | {label.sample_id: label for label in brought}
