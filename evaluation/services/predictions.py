"""Take a system's answers to a release: from an upload, a run, or the human baseline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import transaction

from config.accounts.models import User
from evaluation.models import Prediction, PredictionSet, Release, System, SystemKind
from evaluation.records import PredictionRecord


def record_predictions(
    *,
    release: Release,
    system_name: str,
    by: User,
    records: Iterable[PredictionRecord],
    origin: str,
    kind: SystemKind = SystemKind.MODEL,
    provenance: Mapping[str, Any] | None = None,
) -> PredictionSet:
    """Store one system's answers as a new prediction set.

    A record for a sample that the release does not hold, and a second record for one it does, are not taken and are
    listed in the set's `report` with the reason. A sample without a record stays missing.
    """
    report: list[dict[str, str]] = []
    with transaction.atomic():
        system, _ = System.objects.get_or_create(team=release.team, name=system_name, defaults={"kind": kind})
        answers = PredictionSet.objects.create(
            release=release, system=system, origin=origin, provenance=dict(provenance or {}), created_by=by
        )
        items = dict(release.items.values_list("sample_id", "pk"))
        taken: dict[str, Prediction] = {}
        for record in records:
            if record.id not in items:
                report.append({"id": record.id, "problem": "unknown_sample"})
            elif record.id in taken:
                report.append({"id": record.id, "problem": "answered_twice"})
            else:
                taken[record.id] = _prediction(answers, items[record.id], record)
        Prediction.objects.bulk_create(taken.values(), batch_size=500)
        answers.report = report
        answers.save(update_fields=["report"])
    return answers


def _prediction(answers: PredictionSet, item: int, record: PredictionRecord) -> Prediction:
    return Prediction(
        prediction_set=answers,
        item_id=item,
        text=record.text or "",
        failure=record.failure[:20] if record.text is None else "",
        message=record.failure if record.text is None else "",
        raw=record.raw,
        provenance=dict(record.provenance),
    )
