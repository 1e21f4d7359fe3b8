"""A score run sample by sample, in the order one reads it in: the worst first, or by number."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from evaluation.labels import metric_name
from evaluation.metrics.base import Direction, ScoreStatus
from evaluation.metrics.registry import get, metric_names
from evaluation.models import GoldItem, ItemScore, ScoreRun

ORDERS = ("worst", "number")


@dataclass(frozen=True, slots=True)
class Order:
    """What the address asks for, mended to what there is."""

    metric: str
    by: str
    status: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Where a sample stands in an order: 1-based place of how many, and the ids beside it ("" at the ends)."""

    place: int
    total: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One line of the list: the sample, and its figures by metric in the order of `metrics_of`."""

    item: GoldItem
    figures: tuple[ItemScore | None, ...]


def metrics_of(run: ScoreRun) -> list[tuple[str, str]]:
    """(name, label) of the metrics the run has figures of, as the registry lists them."""
    scored = set(run.item_scores.order_by().values_list("metric", flat=True).distinct())
    return [(name, metric_name(name)) for name in metric_names() if name in scored]


def read_order(run: ScoreRun, data: dict[str, str]) -> Order:
    """The order an address asks for; what does not exist falls back to the first metric, worst first, no filter."""
    metrics = [name for name, _ in metrics_of(run)]
    metric = data.get("metric", "")
    by = data.get("by", "")
    items = GoldItem.objects.filter(release=run.prediction_set.release_id).order_by("language")
    return Order(
        metric if metric in metrics else (metrics[0] if metrics else ""),
        by if by in ORDERS else "worst",
        _one_of(data.get("status", ""), list(ScoreStatus)),
        _one_of(data.get("language", ""), items.values_list("language", flat=True).distinct()),
    )


def _one_of(wanted: str, known: Iterable[str]) -> str:
    """The value when it is one of these, else none: what an address holds is not always what a database can ask."""
    return wanted if wanted in known else ""


def items_of(run: ScoreRun, order: Order) -> QuerySet[GoldItem]:
    """The release's items that the system was asked about, in this order; `value` and `status` by its metric.

    Where the metric is none for the item's structure, the status is that of one which is.
    """
    scores = ItemScore.objects.filter(run=run, item=OuterRef("pk"))
    mine = scores.filter(metric=order.metric)
    rows = GoldItem.objects.filter(release=run.prediction_set.release_id).annotate(
        value=Subquery(mine.values("value")[:1]),
        status=Coalesce(
            Subquery(mine.values("status")[:1]), Subquery(scores.order_by("pk").values("status")[:1])
        ),
    )
    answers = run.prediction_set
    if answers.pooling or answers.asked is not None:
        rows = rows.filter(Exists(ItemScore.objects.filter(run=run, item=OuterRef("pk"))))
    if order.status:
        rows = rows.filter(status=order.status)
    if order.language:
        rows = rows.filter(language=order.language)
    if order.by == "number" or not order.metric:
        return rows.order_by("number", "position")
    value = F("value")
    worst = (
        value.desc(nulls_last=True)
        if get(order.metric).direction is Direction.LOWER
        else value.asc(nulls_last=True)
    )
    return rows.order_by(worst, "number", "position")


def rows_of(run: ScoreRun, items: list[GoldItem]) -> list[ItemRow]:
    """The figures of these items; one query."""
    names = [name for name, _ in metrics_of(run)]
    values = {
        (score.item_id, score.metric): score
        for score in ItemScore.objects.filter(run=run, item__in=[item.pk for item in items])
    }
    return [ItemRow(item, tuple(values.get((item.pk, name)) for name in names)) for item in items]


def neighbours_of(run: ScoreRun, order: Order, sample_id: str) -> Neighbours:
    """The place of a sample in an order; place 0 where a filter leaves it out."""
    ids = list(items_of(run, order).values_list("sample_id", flat=True))
    if sample_id not in ids:
        return Neighbours(0, len(ids), "", ids[0] if ids else "")
    index = ids.index(sample_id)
    return Neighbours(
        index + 1, len(ids), ids[index - 1] if index else "", ids[index + 1] if index + 1 < len(ids) else ""
    )
