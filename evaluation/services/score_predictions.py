"""Score a system's answers to a release with a bundle of metrics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import Any

from django.db import transaction
from django.db.models import Count, Max

from config.jobs.queue import request_one
from config.jobs.services import Claim
from evaluation.metrics.base import Direction, ScoreStatus
from evaluation.metrics.bundles import DEFAULT, Report, ScoredRow, ScoringSample, get_bundle, score_samples
from evaluation.metrics.bundles.scoring import Figure
from evaluation.models import ItemScore, Pooling, PredictionSet, Release, ScoreRun
from evaluation.prediction_formats import reference_of
from evaluation.predictions import MISSING, Failed, Missing, PredictionValue
from evaluation.records import PredictionRecord
from evaluation.strata import strata_of

CHUNK = 8  # samples between two signs of life of a run; some metrics take seconds a sample
BATCH = 200  # rows read and written at a time
PredictionsOf = Callable[
    [list[dict[str, Any]]], Mapping[str, PredictionValue]
]  # items -> values by sample id


def request_score(*, prediction_set: PredictionSet, bundle: str = DEFAULT) -> ScoreRun:
    """Queue a scoring; one that is over is done again. ValueError for an unknown bundle.

    There is one run a prediction set and bundle: its old figures stand until the new ones replace them at once.
    """
    get_bundle(bundle)
    return request_one(ScoreRun, prediction_set=prediction_set, bundle=bundle)


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
    totals = run.prediction_set.predictions.aggregate(count=Count("pk"), newest=Max("created_at"))
    return totals["count"], totals["newest"]


def _score_once(run: ScoreRun, claim: Claim) -> None:
    release = run.prediction_set.release
    rows: list[ScoredRow] = []
    states: Counter[ScoreStatus] = Counter()

    def note(row: ScoredRow) -> None:
        rows.append(row)
        if len(rows) % CHUNK == 0:
            claim.heartbeat(done=len(rows), total=release.count)

    claim.heartbeat(done=0, total=release.count)
    source = run.prediction_set
    best: PredictionSet | None = None
    if source.pooling == Pooling.BEST:
        source = best = best_member(
            source, run.bundle, lambda _row: claim.heartbeat(done=0, total=release.count)
        )
    report = score_samples(
        _samples_of(source, states),
        bundle=run.bundle,
        data=release.checksum,
        on_row=note,
        chunk_size=CHUNK,
    )
    _replace(run, claim, report, rows, states, best_of=best.system.name if best else "")


def best_member(
    pooled: PredictionSet, bundle: str, on_row: Callable[[ScoredRow], None] | None = None
) -> PredictionSet:
    """The member with the best headline figure (the Overall, else the bundle's first metric); equal ones by name."""
    ranked: list[tuple[bool, float, str, PredictionSet]] = []
    for member in pooled.members.select_related("system", "release"):
        report = score_samples(_samples_of(member, Counter()), bundle=bundle, on_row=on_row, chunk_size=CHUNK)
        corpus = [score for (_metric, group), score in report.scores.items() if group == "all"]
        headline = next((s for s in [*report.overalls.values(), *corpus] if s.value is not None), None)
        value = 0.0 if headline is None or headline.value is None else headline.value
        sign = 1 if headline is not None and headline.direction is Direction.LOWER else -1
        ranked.append((headline is None, sign * value, member.system.name, member))
    return min(ranked, key=lambda entry: entry[:3])[3]


def _samples_of(prediction_set: PredictionSet, states: Counter[ScoreStatus]) -> Iterator[ScoringSample]:
    """What is scored of a set: its own predictions, or those of each member in turn."""
    members = [prediction_set]
    if prediction_set.pooling == Pooling.MEAN:
        members = list(prediction_set.members.select_related("release").order_by("pk"))
    for member in members:
        yield from _samples(member.release, _stored_predictions(member), states, member.asked)


def score_records(
    *,
    release: Release,
    records: Mapping[str, PredictionRecord],
    bundle: str = DEFAULT,
    on_row: Callable[[ScoredRow], None] | None = None,
) -> tuple[Report, Counter[ScoreStatus]]:
    """The report of answers that are kept nowhere, by sample id, and how many are scored, failed and missing."""
    states: Counter[ScoreStatus] = Counter()
    predictions = {sample_id: record.prediction for sample_id, record in records.items()}
    report = score_samples(
        _samples(release, lambda _items: predictions, states),
        bundle=bundle,
        data=release.checksum,
        on_row=on_row,
    )
    return report, states


def _stored_predictions(prediction_set: PredictionSet) -> PredictionsOf:
    def predictions_of(items: list[dict[str, Any]]) -> dict[str, PredictionValue]:
        ids = {item["pk"]: item["sample_id"] for item in items}
        rows = prediction_set.predictions.filter(item__in=list(ids))
        return {ids[row.item_id]: row.value for row in rows}

    return predictions_of


def _samples(
    release: Release,
    predictions_of: PredictionsOf,
    states: Counter[ScoreStatus],
    asked: list[str] | None = None,
) -> Iterator[ScoringSample]:
    """The items of the release, or those asked about, with their predictions, in order; counts them in `states`."""
    columns = ("pk", "sample_id", "structure", "language", "scenario", "record")
    items = release.items.order_by("position").values(*columns).iterator(chunk_size=BATCH)
    wanted = None if asked is None else set(asked)
    items = (item for item in items if wanted is None or item["sample_id"] in wanted)
    while batch := list(islice(items, BATCH)):
        predictions = predictions_of(batch)
        for item in batch:
            prediction = predictions.get(item["sample_id"], MISSING)
            states[_state(prediction)] += 1
            extra = item["record"].get("extra", {})
            yield ScoringSample(
                id=item["sample_id"],
                structure=item["structure"],
                prediction=prediction,
                reference=reference_of(release, item["structure"], item["record"]),
                language=item["language"],
                subtask=str(extra.get("subtask", "")),
                page=str(extra.get("page", "")),
                strata=strata_of(item["structure"], item["language"], item["scenario"], item["record"]),
            )


def _state(prediction: PredictionValue) -> ScoreStatus:
    match prediction:
        case Missing():
            return ScoreStatus.MISSING
        case Failed():
            return ScoreStatus.FAILED
    return ScoreStatus.SCORED


def _replace(
    run: ScoreRun,
    claim: Claim,
    report: Report,
    rows: list[ScoredRow],
    states: Counter[ScoreStatus],
    best_of: str = "",
) -> None:
    total = len(rows)
    items = dict(run.prediction_set.release.items.values_list("sample_id", "pk"))
    with transaction.atomic():
        ScoreRun.objects.select_for_update().get(pk=run.pk)
        # A worker that lost its lease stops here, with nothing written.
        claim.heartbeat(done=total, total=total)
        ItemScore.objects.filter(run=run).delete()
        scores = (
            ItemScore(run=run, item_id=items[sample], metric=metric, **_columns(figures))
            for (sample, metric), figures in _by_item(rows).items()
        )
        while batch := list(islice(scores, BATCH)):  # all at once they would fill the memory
            ItemScore.objects.bulk_create(batch)
        ScoreRun.objects.filter(pk=run.pk).update(
            results=report.as_dict() | ({"best_of": best_of} if best_of else {}),
            coverage=states[ScoreStatus.SCORED] / total if total else 0,
            n_missing=states[ScoreStatus.MISSING],
            n_failed_answers=states[ScoreStatus.FAILED],
        )


def _by_item(rows: list[ScoredRow]) -> dict[tuple[str, str], list[Figure]]:
    """Figures by sample and metric: one, or one a person where several people's answers are pooled."""
    figures: dict[tuple[str, str], list[Figure]] = {}
    for row in rows:
        for figure in row.figures:
            figures.setdefault((row.id, figure.metric), []).append(figure)
    return figures


def _columns(figures: list[Figure]) -> dict[str, Any]:
    """What is stored of a sample's figures by one metric; of several their mean, with the counts added up."""
    first = figures[0]
    if len(figures) == 1:
        return {
            name: getattr(first, name) for name in ("value", "numerator", "denominator", "status", "reason")
        }
    values = [figure.value for figure in figures if figure.value is not None]
    return {
        "value": sum(values) / len(values) if values else None,
        "numerator": sum(figure.numerator for figure in figures),
        "denominator": sum(figure.denominator for figure in figures),
        "status": ScoreStatus.SCORED if values else first.status,
        "reason": first.reason if not values else "",
    }
