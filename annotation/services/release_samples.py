"""Freeze verified samples as a release."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_noop

from annotation.models import Event, Label, Project, Sample, Work
from annotation.selectors.releases import samples_to_release
from annotation.selectors.splits import CrossingWriter, writers_across_splits
from annotation.services.build_gold_record import ReleasedImage, build_gold_record, make_released_image
from annotation.stages import Stage
from config.accounts.models import User
from config.errors import ApplicationError
from config.transactions import locked, retries_conflicts
from evaluation.models import Release
from evaluation.prediction_formats import PAGE
from evaluation.records import GoldRecord
from evaluation.services.freeze_release import import_release


class WritersCrossSplits(ApplicationError):
    """Samples of some `writers` are in more than one split. With a reason the release is possible."""

    kind, field = "writers_cross_splits", "crossing_reason"
    msgid = gettext_noop(
        "The release was not frozen: some writers appear in more than one split. Fix the splits, or give a reason."
    )

    def __init__(self, writers: list[CrossingWriter]) -> None:
        super().__init__(", ".join(crossing.writer for crossing in writers))
        self.writers = writers

    def extra(self) -> dict[str, Any]:
        return {"writers": [crossing.as_dict() for crossing in self.writers]}


@retries_conflicts
def create_release(
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

    `with_imported` adds imported ground truth that was not reviewed here; its records say so. `expected` is the
    number shown to the person, so that pressing the button twice makes one release. `formula_answers` is the format
    of predictions for formula pages (`evaluation.prediction_formats`). Later work on a sample, even a reopening,
    leaves the release as it is. Raises NothingToRelease, NumberTaken, and WritersCrossSplits without a
    `crossing_reason`, which goes into the manifest.
    """
    samples_chosen = samples_to_release(project, with_imported=with_imported)
    if samples is not None:
        samples_chosen = samples_chosen.filter(pk__in=samples.values("pk"))
    images = _burn_masks(samples_chosen)
    with transaction.atomic():
        # Lock the work, so that a reopening comes before the release or after it, never in between.
        chosen = [work.sample_id for work in locked(Work.objects.filter(sample__in=samples_chosen))]
        frozen = Sample.objects.filter(pk__in=chosen)
        crossing = writers_across_splits(frozen)
        if crossing and not crossing_reason.strip():
            raise WritersCrossSplits(crossing)
        sample_rows = list(frozen.select_related("project").order_by("number"))
        labels = _labels(sample_rows)
        release = import_release(
            team=project.team,
            by=by,
            records=_records(sample_rows, labels, images),
            pixel_hashes={sample.uuid.hex: sample.pixel_hash for sample in sample_rows},
            title=title,
            notes=notes,
            expected=expected,
            guideline_text=_newest_guideline_text(labels.values()),
            settings=_settings(project, formula_answers, crossing, crossing_reason.strip()),
        )
        Work.objects.filter(sample__in=chosen, stage=Stage.DONE).update(is_released=True)
        Event.objects.bulk_create(
            Event(sample=sample, verb="released", actor=by, data={"release": release.number})
            for sample in sample_rows
        )
    return release


def _burn_masks(samples: QuerySet[Sample]) -> dict[int, ReleasedImage]:
    """The masked images by label. They take time, so they are made before anything is locked."""
    masked = [label for label in _labels(samples).values() if label.masks]
    projects = Sample.objects.select_related("project").in_bulk([label.sample_id for label in masked])
    return {
        label.pk: make_released_image(sample=projects[label.sample_id], masks=label.masks) for label in masked
    }


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
            "writers": [writer.as_dict() for writer in crossing],
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
        yield build_gold_record(sample=sample, label=label, image=images.get(label.pk))


def _labels(samples: Iterable[Sample]) -> dict[int, Label]:
    """The newest agreed label of each sample, or its imported one while nobody has reviewed it."""
    rows = Label.objects.filter(sample__in=samples).select_related("guideline", "sample").order_by("round")
    agreed = {label.sample_id: label for label in rows.filter(stage=Stage.DONE)}
    imported = rows.filter(stage=Stage.LABEL, assignment=None, sample__work__stage=Stage.VERIFY)
    return agreed | {label.sample_id: label for label in imported}
