"""The leaderboard of a release, for all members of its project: scores only, no texts."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from config.accounts.models import Role
from config.accounts.requests import PersonRequest
from config.accounts.selectors import has_role
from evaluation.exports.leaderboard import leaderboard_csv, leaderboard_record
from evaluation.forms.leaderboard import LeaderboardForm, read_choices
from evaluation.permissions import prediction_set_for, release_for
from evaluation.selectors.leaderboard import leaderboard, systems_without_answers
from evaluation.services.score_predictions import request_score

PAGE_SIZE = 50


@login_required
def leaderboard_page(request: PersonRequest, pk: int) -> HttpResponse:
    release = release_for(request.user, pk)
    bundle, view, metric, within, sort = read_choices(request.GET)
    board = leaderboard(release, bundle=bundle, view=view, metric=metric, within=within, sort=sort)
    form = LeaderboardForm(
        {"bundle": bundle, "view": view, "metric": board.metric, "within": board.within},
        metrics=[name for name, _ in board.metrics],
        groups=board.groups,
    )
    page = Paginator(board.entries, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "release": release,
        "board": board,
        "form": form,
        "page": page,
        "has_pending": any(entry.is_pending for entry in page),
        "others": systems_without_answers(release),
        "is_manager": has_role(request.user, release.team, Role.MANAGER),
    }
    return render(request, "evaluation/leaderboard.html", context)


@login_required
def leaderboard_file(request: PersonRequest, pk: int, kind: str) -> HttpResponse:
    """All scores of the chosen bundle as CSV or JSON, with all groups and signatures."""
    release = release_for(request.user, pk)
    bundle, *_rest = read_choices(request.GET)
    name = f"{release.team.slug}-release-{release.number}-{bundle}"
    if kind == "csv":
        response = HttpResponse(leaderboard_csv(release, bundle), content_type="text/csv; charset=utf-8")
    elif kind == "json":
        response = JsonResponse(leaderboard_record(release, bundle), json_dumps_params={"indent": 1})
    else:
        raise Http404
    response["Content-Disposition"] = f'attachment; filename="{name}.{kind}"'
    return response


@login_required
@require_POST
def prediction_set_score(request: PersonRequest, pk: int) -> HttpResponse:
    """Score a prediction set with the chosen bundle, for the first time or again."""
    prediction_set = prediction_set_for(request.user, pk, Role.MANAGER)
    bundle, *_rest = read_choices(request.POST)
    request_score(prediction_set=prediction_set, bundle=bundle)
    messages.success(request, _("Scoring in progress. The previous figures are shown until it is done."))
    response = redirect("leaderboard", prediction_set.release_id)
    response["Location"] += "?" + urlencode({"bundle": bundle})
    return response
