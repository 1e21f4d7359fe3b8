"""Rating difficulty: take a page, choose six levels, hand in and go on."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotation.difficulty import BadScores
from annotation.forms.difficulty import RatingForm
from annotation.models import Rating
from annotation.permissions import project_for
from annotation.rating_scale import ANCHORS
from annotation.selectors.difficulty import difficulty_in
from annotation.selectors.rating_queue import count_waiting_ratings, next_rating_at
from annotation.services.rate_difficulty import claim_rating, release_rating, save_rating, submit_rating
from annotation.services.save_draft import AssignmentClosed, LeaseLost, WrongImage
from annotation.visibility.page_tasks import rating_for, rating_sheet
from config.accounts.models import Role
from config.accounts.requests import PersonRequest
from evaluation.json_requests import read_json, signed_in_or_401
from evaluation.payloads.text import BadText


@login_required
@require_GET
def project_difficulty(request: PersonRequest, slug: str) -> HttpResponse:
    """How far the ratings are, what they say, and whether raters agree; figures only."""
    project = project_for(request.user, slug, Role.MANAGER)
    found = difficulty_in(project, request.user)
    context = {
        "project": project,
        "found": found,
        "rows": [(figures, ANCHORS[figures.dimension]) for figures in found.figures],
    }
    return render(request, "annotation/project_difficulty.html", context)


@login_required
@require_POST
def rating_next(request: PersonRequest, slug: str) -> HttpResponse:
    """Take the next page to rate and go to it; an empty queue says when a place may fall free."""
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
    request: PersonRequest,
    rating: Rating,
    *,
    form: RatingForm | None = None,
    error: str = "",
    status: int = 200,
) -> HttpResponse:
    sheet = rating_sheet(rating)
    initial = {**sheet.scores, "note": sheet.note, "image_hash": sheet.page.image_hash}
    context = {
        "sheet": sheet,
        "form": form or RatingForm(initial=initial),
        "error": error,
        "waiting": count_waiting_ratings(request.user, rating.sample.project),
    }
    return render(request, "annotation/rating.html", context, status=status)


@login_required
@require_POST
def rating_submit(request: PersonRequest, rating: uuid.UUID) -> HttpResponse:
    """Hand in and take the next page. A refusal shows the page again with the choices as they were sent."""
    found = rating_for(request.user, rating)
    form = RatingForm(request.POST)
    if not form.is_valid():
        words = _("Choose a level for every dimension. Your other choices are kept.")
        return _render(request, found, form=form, error=words, status=422)
    data = form.cleaned_data
    try:
        submit_rating(rating=found, scores=form.scores(), note=data["note"], image_hash=data["image_hash"])
    except (AssignmentClosed, LeaseLost, WrongImage) as refused:
        return _render(request, found, form=form, error=rating_refusal(refused), status=409)
    messages.success(
        request, _("Your rating of sample %(number)s was submitted.") % {"number": found.sample.number}
    )
    return _go_on(request, found)


def rating_refusal(error: Exception) -> str:
    """Why a rating was not taken, in words."""
    if isinstance(error, LeaseLost):
        return _("This sample now has all the ratings it needs. Yours is no longer needed.")
    if isinstance(error, WrongImage):
        return _("The image of this sample has changed. Reload the page and look again.")
    return _("This rating has already been submitted and can no longer be changed.")


def _go_on(request: PersonRequest, rating: Rating) -> HttpResponse:
    following = claim_rating(person=request.user, project=rating.sample.project)
    return redirect("rating", following.uuid) if following else redirect("home")


@signed_in_or_401
@require_POST
def rating_save(request: PersonRequest, rating: uuid.UUID) -> JsonResponse:
    """Keep what was chosen so far. 200 {}; 409 {message}; 422 {errors}; 401 {login_url}."""
    found = rating_for(request.user, rating)
    try:
        body = read_json(request, scores=dict, note=str)
        save_rating(rating=found, scores=body["scores"], note=body["note"])
    except (AssignmentClosed, LeaseLost) as refused:
        return JsonResponse({"message": rating_refusal(refused)}, status=409)
    except (BadScores, BadText) as refused:
        return JsonResponse({"errors": {"scores": [refused.message(_)]}}, status=422)
    return JsonResponse({})


@login_required
@require_POST
def rating_skip(request: PersonRequest, rating: uuid.UUID) -> HttpResponse:
    """Pass the page by for good and take the next; with `put-back`, only stop here."""
    found = rating_for(request.user, rating)
    is_put_back = "put-back" in request.POST
    try:
        release_rating(rating=found, is_skipped=not is_put_back)
    except AssignmentClosed as refused:
        messages.warning(request, rating_refusal(refused))
    return redirect("home") if is_put_back else _go_on(request, found)
