"""Rating difficulty: claim a page, choose six levels, submit and go on."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_GET, require_POST

from annotation.forms.difficulty import RatingForm
from annotation.models import Rating
from annotation.permissions import project_for
from annotation.rating_scale import ANCHORS
from annotation.selectors.difficulty import difficulty_in
from annotation.selectors.rating_queue import count_waiting_ratings, next_rating_at
from annotation.services.rate_difficulty import claim_rating, release_rating, save_rating, submit_rating
from annotation.visibility.page_tasks import rating_for, rating_sheet
from config.accounts.models import Role
from config.accounts.requests import PersonRequest
from config.error_responses import error_message, read_json, renders_errors, script_view
from config.errors import ApplicationError, RequestError


@login_required
@require_GET
def project_difficulty(request: PersonRequest, slug: str) -> HttpResponse:
    """Progress, distribution and agreement of the ratings; figures only."""
    project = project_for(request.user, slug, Role.MANAGER)
    summary = difficulty_in(project, request.user)
    context = {
        "project": project,
        "found": summary,
        "rows": [(figures, ANCHORS[figures.dimension]) for figures in summary.figures],
    }
    return render(request, "annotation/project_difficulty.html", context)


@login_required
@require_POST
def rating_next(request: PersonRequest, slug: str) -> HttpResponse:
    """Claim the next page to rate and open it; an empty queue says when a place may become available."""
    project = project_for(request.user, slug, Role.DIFFICULTY_RATER)
    rating = claim_rating(person=request.user, project=project)
    if rating is None:
        context = {"project": project, "free_at": next_rating_at(project)}
        return render(request, "annotation/nothing_left.html", context)
    return redirect("rating", rating.uuid)


@login_required
@require_GET
def rating_page(request: PersonRequest, rating: uuid.UUID) -> HttpResponse:
    return _render(request, rating_for(request.user, rating))


def _render(
    request: PersonRequest, rating: Rating, *, form: RatingForm | None = None, error: str = ""
) -> HttpResponse:
    sheet = rating_sheet(rating)
    initial = {**sheet.scores, "note": sheet.note, "image_hash": sheet.page.image_hash}
    context = {
        "sheet": sheet,
        "form": form or RatingForm(initial=initial),
        "error": error,
        "waiting": count_waiting_ratings(request.user, rating.sample.project),
    }
    return render(request, "annotation/rating.html", context)


class LevelsMissing(ApplicationError):
    """The form lacks the level of some dimension."""

    status, kind, field = 422, "invalid", "scores"
    msgid = gettext_noop("Choose a level for every dimension. Your other choices are kept.")


def _render_refused(request: PersonRequest, error: RequestError, rating: uuid.UUID) -> HttpResponse:
    """The page again, with the choices as they were sent."""
    form = RatingForm(request.POST)
    return _render(request, rating_for(request.user, rating), form=form, error=error_message(error))


@login_required
@require_POST
@renders_errors(_render_refused)
def rating_submit(request: PersonRequest, rating: uuid.UUID) -> HttpResponse:
    """Submit and go on to the next page."""
    row = rating_for(request.user, rating)
    form = RatingForm(request.POST)
    if not form.is_valid():
        raise LevelsMissing
    data = form.cleaned_data
    submit_rating(rating=row, scores=form.scores(), note=data["note"], image_hash=data["image_hash"])
    messages.success(
        request, _("Your rating of sample %(number)s was submitted.") % {"number": row.sample.number}
    )
    return _go_on(request, row)


def _go_on(request: PersonRequest, rating: Rating) -> HttpResponse:
    following = claim_rating(person=request.user, project=rating.sample.project)
    return redirect("rating", following.uuid) if following else redirect("home")


@script_view
@require_POST
def rating_save(request: PersonRequest, rating: uuid.UUID) -> JsonResponse:
    """Save the choices made so far. 200 {}."""
    row = rating_for(request.user, rating)
    body = read_json(request, scores=dict, note=str)
    save_rating(rating=row, scores=body["scores"], note=body["note"])
    return JsonResponse({})


def _leave(request: PersonRequest, rating: Rating) -> HttpResponse:
    """Home with `put-back`, otherwise the next page."""
    return redirect("home") if "put-back" in request.POST else _go_on(request, rating)


def _skip_refused(request: PersonRequest, error: RequestError, rating: uuid.UUID) -> HttpResponse:
    messages.warning(request, error_message(error))
    return _leave(request, rating_for(request.user, rating))


@login_required
@require_POST
@renders_errors(_skip_refused)
def rating_skip(request: PersonRequest, rating: uuid.UUID) -> HttpResponse:
    """Skip the page permanently and go on to the next; with `put-back`, only release it."""
    row = rating_for(request.user, rating)
    release_rating(rating=row, is_skipped="put-back" not in request.POST)
    return _leave(request, row)
