"""Take a system's answers to a release: from an upload, a run, or the human baseline."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext_noop

from config.accounts.models import User
from config.errors import ApplicationError
from evaluation.files.limits import FileLimits
from evaluation.imports.predictions import (
    Given,
    LocatedPrediction,
    RefusedPrediction,
    SourceLocation,
    read_prediction_files,
    shown_id,
    shown_name,
)
from evaluation.models import Pooling, Prediction, PredictionSet, Release, System, SystemKind, columns_of
from evaluation.prediction_formats import is_by_region
from evaluation.predictions import Regions, Text
from evaluation.records import PredictionRecord
from evaluation.upload_messages import line_for

NOWHERE = SourceLocation("")


def record_predictions(
    *,
    release: Release,
    system_name: str,
    by: User,
    records: Iterable[PredictionRecord],
    origin: str,
    kind: SystemKind = SystemKind.MODEL,
    provenance: Mapping[str, Any] | None = None,
    asked: Iterable[str] | None = None,
) -> PredictionSet:
    """Store one system's answers as a new prediction set.

    `asked` names the samples the system was asked about, where that is not the whole release: only these are
    scored, and only these can be missing.

    A record for a sample that the release does not hold, a second record for one it does, and an answer in a form
    the release does not ask for, are not taken and are listed in the set's `report` with the reason. A sample
    without a record stays missing.
    """
    entries = (LocatedPrediction(record, NOWHERE) for record in records)
    answers = _record(release, system_name, by, entries, origin, kind, provenance or {})
    if asked is not None:
        answers.asked = sorted(set(asked))
        answers.save(update_fields=["asked"])
    return answers


def record_pooled(
    *,
    system_name: str,
    by: User,
    members: Sequence[PredictionSet],
    pooling: Pooling,
    origin: str,
    kind: SystemKind,
    provenance: Mapping[str, Any] | None = None,
) -> PredictionSet:
    """A set that stands for others of the same release: scored over all their answers, or as the best of them."""
    release = members[0].release
    answers = _record(release, system_name, by, (), origin, kind, provenance or {})
    answers.pooling = pooling
    answers.save(update_fields=["pooling"])
    answers.members.set(members)
    return answers


def upload_predictions(
    *, release: Release, system_name: str, by: User, files: Iterable[Given], kind: SystemKind
) -> PredictionSet:
    """The same from files; the report names file and line of everything that was not taken. Raises NothingTaken.

    A file is one that `evaluation.imports.predictions` reads: JSONL, `.md` named like a sample, or a zip of these.
    """
    limits = FileLimits(**settings.IMPORT_LIMITS)
    entries = read_prediction_files(files, ids_by_stem=stems_of(release), limits=limits)
    with transaction.atomic():
        answers = _record(release, system_name, by, entries, "upload", kind, {})
        if not answers.predictions.exists():
            raise NothingTaken(answers.report)
    return answers


def stems_of(release: Release) -> dict[str, str]:
    """The sample's id by its image's name without the ending."""
    names = release.items.values_list("file_name", "sample_id")
    return {PurePosixPath(name).stem: sample_id for name, sample_id in names}


_SHOWN_FAULTS = 20  # of a refused upload


class NothingTaken(ApplicationError):
    """An upload without a single prediction for the release; `report` says what was there instead."""

    status, kind, field = 422, "invalid", "files"
    msgid = gettext_noop("Nothing was imported: no file contains a prediction for this release.")

    def __init__(self, report: list[dict[str, Any]]) -> None:
        super().__init__()
        self.report = report

    def fields(self, translate: Callable[[str], Any] = str) -> dict[str, list[str]]:
        return {self.field: self.faults() or [self.message(translate)]}

    def faults(self) -> list[str]:
        """The first refused lines, in the reader's language."""
        return [line_for(entry) for entry in self.report[:_SHOWN_FAULTS]]


def _record(
    release: Release,
    system_name: str,
    by: User,
    entries: Iterable[LocatedPrediction | RefusedPrediction],
    origin: str,
    kind: SystemKind,
    provenance: Mapping[str, Any],
) -> PredictionSet:
    report: list[dict[str, Any]] = []
    with transaction.atomic():
        system, _ = System.objects.get_or_create(team=release.team, name=system_name, defaults={"kind": kind})
        answers = PredictionSet.objects.create(
            release=release, system=system, origin=origin, provenance=dict(provenance), created_by=by
        )
        items = _items(release)
        taken: dict[str, Prediction] = {}
        for entry in entries:
            if isinstance(entry, RefusedPrediction):
                report.append(_line(entry.place, entry.problem, **entry.facts))
            elif entry.record.id not in items:
                report.append(_line(entry.place, "unknown_sample", id=shown_id(entry.record.id)))
            elif entry.record.id in taken:
                report.append(_line(entry.place, "answered_twice", id=entry.record.id))
            elif fault := _wrong_form(entry.record, items[entry.record.id]):
                report.append(_line(entry.place, **fault))
            else:
                taken[entry.record.id] = _prediction(answers, items[entry.record.id].pk, entry.record)
        Prediction.objects.bulk_create(taken.values(), batch_size=500)
        answers.report = report
        answers.save(update_fields=["report"])
    return answers


@dataclass(frozen=True, slots=True)
class _Item:
    """What must be known of a sample to take an answer to it; `regions` are the numbers it is answered by."""

    pk: int
    regions: tuple[str, ...] = ()


def _items(release: Release) -> dict[str, _Item]:
    rows = release.items.values_list("sample_id", "pk", "structure")
    items = {sample_id: _Item(pk) for sample_id, pk, _ in rows}
    for item in release.items.filter(structure="formula").iterator(chunk_size=200):
        if is_by_region(release, item.structure, item.record):
            numbers = tuple(str(region["number"]) for region in item.record["regions"])
            items[item.sample_id] = _Item(item.pk, numbers)
    return items


def wrong_form(release: Release) -> Callable[[PredictionRecord], dict[str, Any] | None]:
    """What is wrong with the form of an answer to a sample of the release; None where it is the one asked for."""
    items = _items(release)
    return lambda record: _wrong_form(record, items[record.id])


def _wrong_form(record: PredictionRecord, item: _Item) -> dict[str, Any] | None:
    wanted = ", ".join(item.regions[:20])
    match record.prediction:
        case Text() if item.regions:
            return {"problem": "wants_regions", "id": record.id, "regions": wanted}
        case Regions() if not item.regions:
            return {"problem": "wants_text", "id": record.id}
        case Regions(latex):
            unknown = [number for number in latex if number not in item.regions]
        case _:
            unknown = []
    if unknown:
        return {
            "problem": "unknown_region",
            "id": record.id,
            "region": unknown[0],
            "regions": wanted,
        }
    return None


def _line(place: SourceLocation, problem: str, **facts: Any) -> dict[str, Any]:
    where = {
        name: value for name, value in asdict(replace(place, file=shown_name(place.file))).items() if value
    }
    return {**facts, **where, "problem": str(problem)}


def _prediction(answers: PredictionSet, item: int, record: PredictionRecord) -> Prediction:
    return Prediction(
        prediction_set=answers,
        item_id=item,
        raw=record.raw,
        provenance=dict(record.provenance),
        **columns_of(record.prediction),
    )
