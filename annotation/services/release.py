"""Hand verified samples down as a frozen release."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from annotation.models import Event, Label, Project, Sample, Work
from annotation.selectors.difficulty import difficulty_record, rated_samples
from annotation.selectors.splits import CrossingWriter, writers_across_splits
from annotation.stages import Intake, Stage, Status
from config.accounts.models import User
from evaluation.answer_forms import PAGE
from evaluation.models import Release
from evaluation.records import GoldRecord
from evaluation.services.releases import import_release


class WritersCrossSplits(Exception):
    """Some writer's samples lie in two splits; `writers` names them. A reason lets the release be made all the same."""

    def __init__(self, writers: list[CrossingWriter]) -> None:
        super().__init__(", ".join(each.writer for each in writers))
        self.writers = writers


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
) -> Release:
    """Freeze the agreed label of every verified sample (or of `samples` among them) as the next release.

    `expected` is the number the person was told it will get, so that two presses of the button are one release.
    `formula_answers` says how formula pages are answered (`evaluation.answer_forms`). Raises NothingToRelease,
    NumberTaken, and WritersCrossSplits unless there is a `crossing_reason`, which goes into the manifest. Later
    work on a sample, even a reopening, leaves this release as it is.
    """
    chosen = releasable_samples(project)
    if samples is not None:
        chosen = chosen.filter(pk__in=samples.values("pk"))
    with transaction.atomic():
        # Lock what is frozen: a reopening at this moment comes before the release or after it, never in between.
        locked = list(
            Work.objects.select_for_update().filter(sample__in=chosen).values_list("sample", flat=True)
        )
        frozen = Sample.objects.filter(pk__in=locked)
        crossing = writers_across_splits(frozen)
        if crossing and not crossing_reason.strip():
            raise WritersCrossSplits(crossing)
        rows = list(frozen.order_by("number"))
        release = import_release(
            team=project.team,
            by=by,
            records=_records(rows),
            pixel_hashes={sample.uuid.hex: sample.pixel_hash for sample in rows},
            title=title,
            notes=notes,
            expected=expected,
            settings=_settings(project, formula_answers, crossing, crossing_reason.strip()),
        )
        Work.objects.filter(sample__in=locked).update(is_released=True)
        Event.objects.bulk_create(
            Event(sample=sample, verb="released", actor=by, data={"release": release.number})
            for sample in rows
        )
    return release


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


def _records(samples: list[Sample]) -> Iterator[GoldRecord]:
    labels = {
        label.sample_id: label
        for label in Label.objects.filter(sample__in=samples, stage=Stage.DONE)
        .select_related("guideline")
        .order_by("round")  # the newest round's label is the one kept
    }
    for sample in samples:
        yield gold_record(sample, labels[sample.pk])


def gold_record(sample: Sample, label: Label) -> GoldRecord:
    """The record of one sample as it is released."""
    extra = {
        "problem": sample.problem,
        "reference_answer": sample.reference_answer,
        "subtask": sample.subtask,
        "writer_id": sample.writer_id,
        "split": sample.split,
        "group": sample.group,
        "perturbation": sample.perturbation,
        "source_url": sample.source_url,
        "licence": sample.licence,
    }
    return GoldRecord(
        id=sample.uuid.hex,
        file_name=sample.released_name,
        structure=sample.structure,
        language=sample.language,
        scenario=sample.scenario,
        source=sample.source,
        number=sample.number,
        text=label.text,
        image_hash=sample.released_blob,
        width=sample.released_width,
        height=sample.released_height,
        origins=tuple(label.origins),
        guideline=label.guideline.number if label.guideline else 0,
        extra={name: value for name, value in extra.items() if value},
        difficulty=difficulty_record(sample),
    )
