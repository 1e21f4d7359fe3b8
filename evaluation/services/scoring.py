"""Score a system's answers to a release with a bundle of metrics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import Any

from django.db import transaction
from django.db.models import Count, Max

from config.jobs.queue import enqueue, requeue
from config.jobs.services import Claim
from evaluation.answer_forms import is_by_region, pages_of, reference_by_region, regions_json
from evaluation.metrics.base import Failed, Status
from evaluation.metrics.bundles import DEFAULT, Report, Row, Sample, get_bundle, score_samples
from evaluation.models import ItemScore, PredictionSet, Release, ScoreRun
from evaluation.records import PredictionRecord
from evaluation.strata import strata_of

CHUNK = 8  # samples between two signs of life of a run; some metrics take seconds a sample
BATCH = 200  # rows read and written at a time
WHOLE_PAGES = "omnihandwritingocr"  # this suite has no regions: it compares texts
AnswersOf = Callable[[list[dict[str, Any]]], Mapping[str, str]]  # items -> answers (or Failed) by sample id


def request_score(*, prediction_set: PredictionSet, bundle: str = DEFAULT) -> ScoreRun:
    """Queue a scoring; one that is over is done again. ValueError for an unknown bundle.

    There is one run a prediction set and bundle: its old figures stand until the new ones replace them at once.
    """
    get_bundle(bundle)
    with transaction.atomic():
        run, is_new = ScoreRun.objects.get_or_create(prediction_set=prediction_set, bundle=bundle)
        if is_new:
            enqueue(run)
        else:
            requeue(run)
    run.refresh_from_db()
    return run


def run_score(run: ScoreRun, *, claim: Claim) -> None:
    """Score every item of the release and put the figures in place of the old ones, all at once.

    Answers that came in meanwhile (a recogniser was still reading) are scored before the run is over. An item
    without an answer scores as missing and a failed answer as failed: the worst value, and counted. Equal answers
    give equal figures, so a run that was killed simply starts again.
    """
    seen = None
    while (newest := _newest_answers(run)) != seen:
        seen = newest
        _score_once(run, claim)


def _newest_answers(run: ScoreRun) -> tuple[int, datetime | None]:
    """Changes when an answer is added or replaced."""
    found = run.prediction_set.predictions.aggregate(count=Count("pk"), newest=Max("created_at"))
    return found["count"], found["newest"]


def _score_once(run: ScoreRun, claim: Claim) -> None:
    release = run.prediction_set.release
    rows: list[Row] = []
    states: Counter[Status] = Counter()

    def note(row: Row) -> None:
        rows.append(row)
        if len(rows) % CHUNK == 0:
            claim.heartbeat(done=len(rows), total=release.count)

    claim.heartbeat(done=0, total=release.count)
    report = score_samples(
        _samples(release, _stored_answers(run.prediction_set), states, run.bundle),
        bundle=run.bundle,
        data=release.checksum,
        on_row=note,
        chunk_size=CHUNK,
    )
    _replace(run, claim, report, rows, states)


def score_records(
    *,
    release: Release,
    records: Mapping[str, PredictionRecord],
    bundle: str = DEFAULT,
    on_row: Callable[[Row], None] | None = None,
) -> tuple[Report, Counter[Status]]:
    """The report of answers that are kept nowhere, by sample id, and how many are scored, failed and missing."""
    states: Counter[Status] = Counter()
    answers = {
        sample_id: _answer(record.text, record.regions, "" if record.is_answer else record.failure)
        for sample_id, record in records.items()
    }
    report = score_samples(
        _samples(release, lambda _items: answers, states, bundle),
        bundle=bundle,
        data=release.checksum,
        on_row=on_row,
    )
    return report, states


def _stored_answers(prediction_set: PredictionSet) -> AnswersOf:
    def of(items: list[dict[str, Any]]) -> dict[str, str]:
        ids = {item["pk"]: item["sample_id"] for item in items}
        given = prediction_set.predictions.filter(item__in=list(ids))
        return {
            ids[each.item_id]: _answer(
                each.text, each.regions, (each.message or each.failure) if each.failure else ""
            )
            for each in given
        }

    return of


def _answer(text: str | None, regions: Mapping[str, str] | None, failure: str) -> str:
    if failure:
        return Failed(failure)
    return regions_json(regions) if regions is not None else text or ""


def _samples(
    release: Release, answers_of: AnswersOf, states: Counter[Status], bundle: str
) -> Iterator[Sample]:
    """The release's items with their answers, in order; counts in `states` what became of each."""
    columns = ("pk", "sample_id", "structure", "language", "scenario", "record")
    items = release.items.order_by("position").values(*columns).iterator(chunk_size=BATCH)
    while batch := list(islice(items, BATCH)):
        answers = answers_of(batch)
        for item in batch:
            answer = answers.get(item["sample_id"])
            states[_state(answer)] += 1
            extra = item["record"].get("extra", {})
            reference = _reference(release, item)
            if bundle == WHOLE_PAGES and is_by_region(release, item["structure"], item["record"]):
                answer, reference = pages_of(answer, reference)
            yield Sample(
                id=item["sample_id"],
                structure=item["structure"],
                prediction=answer,
                reference=reference,
                language=item["language"],
                subtask=str(extra.get("subtask", "")),
                page=str(extra.get("page", "")),
                strata=strata_of(item["structure"], item["language"], item["scenario"], item["record"]),
            )


def _reference(release: Release, item: Mapping[str, Any]) -> str:
    record = item["record"]
    if is_by_region(release, item["structure"], record):
        return reference_by_region(record)
    return str(record["text"])


def _state(answer: str | None) -> Status:
    if answer is None:
        return Status.MISSING
    return Status.FAILED if isinstance(answer, Failed) else Status.SCORED


def _replace(run: ScoreRun, claim: Claim, report: Report, rows: list[Row], states: Counter[Status]) -> None:
    total = len(rows)
    items = dict(run.prediction_set.release.items.values_list("sample_id", "pk"))
    with transaction.atomic():
        ScoreRun.objects.select_for_update().get(pk=run.pk)
        # A worker that lost its lease stops here, with nothing written.
        claim.heartbeat(done=total, total=total)
        ItemScore.objects.filter(run=run).delete()
        ItemScore.objects.bulk_create(
            (
                ItemScore(
                    run=run,
                    item_id=items[row.id],
                    metric=figure.metric,
                    value=figure.value,
                    numerator=figure.numerator,
                    denominator=figure.denominator,
                    status=figure.status,
                    reason=figure.reason,
                )
                for row in rows
                for figure in row.figures
            ),
            batch_size=500,
        )
        ScoreRun.objects.filter(pk=run.pk).update(
            results=report.as_dict(),
            coverage=states[Status.SCORED] / total if total else 0,
            n_missing=states[Status.MISSING],
            n_failed_answers=states[Status.FAILED],
        )
