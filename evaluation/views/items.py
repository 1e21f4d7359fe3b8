"""A score, sample by sample."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render

from config.accounts.models import Role
from config.accounts.requests import PersonRequest
from evaluation.labels import SCORE_STATES
from evaluation.models import GoldItem
from evaluation.permissions import score_run_for
from evaluation.rendering.formula_overlay import draw_pairs
from evaluation.rendering.table_colouring import ColouredTable, colour_tables
from evaluation.selectors.items import items_of, metrics_of, neighbours_of, read_order, rows_of
from evaluation.visibility import SampleResult, open_result

PAGE_SIZE = 50


@login_required
def score_run_page(request: PersonRequest, pk: int) -> HttpResponse:
    """The list, scores only. Opening a sample shows its texts and is recorded in the exposure log."""
    run = score_run_for(request.user, pk, Role.MANAGER)
    order = read_order(run, request.GET.dict())
    page = Paginator(items_of(run, order), PAGE_SIZE).get_page(request.GET.get("page"))
    answers = run.prediction_set
    languages = GoldItem.objects.filter(release=answers.release_id).order_by("language")
    context = {
        "run": run,
        "answers": answers,
        "release": answers.release,
        "order": order,
        "metrics": metrics_of(run),
        "states": [(key, SCORE_STATES[key]) for key in ("scored", "missing", "failed", "empty_reference")],
        "languages": languages.values_list("language", flat=True).distinct(),
        "page": page,
        "rows": rows_of(run, list(page)),
    }
    return render(request, "evaluation/score_run.html", context)


@login_required
def item_score(request: PersonRequest, pk: int, sample_id: str) -> HttpResponse:
    """Image, ground truth, prediction and their differences. The access is recorded."""
    run = score_run_for(request.user, pk, Role.MANAGER)
    item = get_object_or_404(GoldItem, release=run.prediction_set.release_id, sample_id=sample_id)
    order = read_order(run, request.GET.dict())
    result = open_result(user=request.user, run=run, item=item)
    context = {
        "run": run,
        "answers": run.prediction_set,
        "release": run.prediction_set.release,
        "result": result,
        "drawn": draw_pairs(result.pairs),
        "tables": _tables(result),
        "near": neighbours_of(run, order, sample_id),
        "query": request.GET.urlencode(),
    }
    return render(request, "evaluation/item_score.html", context)


def _tables(result: SampleResult) -> list[ColouredTable]:
    """The tables with coloured cells; empty for other structures and missing predictions."""
    if result.structure != "table" or result.prediction is None:
        return []
    return colour_tables(prediction=result.prediction, gold=result.gold)
