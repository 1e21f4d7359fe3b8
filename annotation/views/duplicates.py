"""Possible duplicates: the list, and the decision side by side."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.forms.imports import DuplicateDecisionForm
from annotation.models import DuplicatePair, Sample
from annotation.models.sample import DuplicateDecision
from annotation.permissions import may_enter, project_for
from annotation.selectors.duplicates import (
    DuplicateSide,
    settled_pairs,
    side_of,
    suggested_decision,
    waiting_pairs,
)
from annotation.services.open_sample import open_unredacted_image
from annotation.services.resolve_duplicates import decide_duplicate, undo_duplicate_decision
from config.accounts.models import Role, User
from config.accounts.requests import PersonRequest
from config.error_responses import FormErrors, flash_and_redirect, renders_errors
from config.exposure.models import SeenContent
from config.exposure.selectors import is_restricted
from config.exposure.services import record_exposures
from config.signed_images import image_token

PAGE_SIZE = 25


@login_required
@require_safe
def project_duplicates(request: PersonRequest, slug: str) -> HttpResponse:
    """Pairs to decide, or with `?settled=1` the decided ones, which can be undone."""
    project = project_for(request.user, slug, Role.MANAGER)
    is_settled = "settled" in request.GET
    rows = settled_pairs(project) if is_settled else waiting_pairs(project)
    page = Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "project": project,
        "page": page,
        "is_settled": is_settled,
        "waiting": waiting_pairs(project).count(),
        "settled": settled_pairs(project).count(),
    }
    return render(request, "annotation/project_duplicates.html", context)


@login_required
def duplicate_pair(request: PersonRequest, pk: int) -> HttpResponse:
    """Both pages side by side with their metadata; a POST decides and goes on to the next pair."""
    pair = pair_for(request.user, pk)
    sides = side_of(pair.first), side_of(pair.second)
    asks = any(side.is_worked_on for side in sides)
    data = request.POST if request.method == "POST" else None
    form = DuplicateDecisionForm(data, pair=pair, asks=asks, initial={"decision": suggested_decision(pair)})
    if request.method == "POST" and form.is_valid():
        with FormErrors(form):
            _decide(pair, form, request.user)
            return _next_pair(request, pair)
    return _render(request, pair, sides, form)


def _decide(pair: DuplicatePair, form: DuplicateDecisionForm, manager: User) -> None:
    decide_duplicate(
        pair=pair,
        decision=DuplicateDecision(form.cleaned_data["decision"]),
        by=manager,
        even_if_worked_on=form.cleaned_data.get("even_if_worked_on", False),
    )


def _next_pair(request: PersonRequest, pair: DuplicatePair) -> HttpResponse:
    following = waiting_pairs(pair.project).first()
    if following is not None:
        return redirect("duplicate_pair", following.pk)
    messages.success(request, _("No duplicates left to decide."))
    return redirect("project_duplicates", pair.project.slug)


def _render(
    request: PersonRequest,
    pair: DuplicatePair,
    sides: tuple[DuplicateSide, DuplicateSide],
    form: DuplicateDecisionForm,
) -> HttpResponse:
    record_exposures(
        user=request.user,
        image_hashes=[side.sample.pixel_hash for side in sides],
        role=Role.MANAGER,
        saw=SeenContent.IMAGE,
        place="duplicates",
    )
    context = {
        "pair": pair,
        "project": pair.project,
        "form": form,
        "is_open": pair.decision == DuplicateDecision.PENDING,
        "is_moot": pair.decision == DuplicateDecision.MOOT,
        "percent": round(100 * (1 - pair.distance)),
        "waiting": waiting_pairs(pair.project).count(),
        "sides": [(side, side_token(side.sample, request.user)) for side in sides],
    }
    return render(request, "annotation/duplicate_pair.html", context, status=422 if form.errors else 200)


def side_token(sample: Sample, manager: User) -> str:
    """An image token; for a page hidden until it is screened a personal one, whose use is logged."""
    if is_restricted(sample.project.team_id, sample.full_blob):
        return open_unredacted_image(sample=sample, manager=manager)
    return image_token(person=manager, blob=sample.full_blob, team=sample.project.team)


@login_required
@require_POST
@renders_errors(flash_and_redirect("duplicate_pair", "pk"))
def duplicate_undo(request: PersonRequest, pk: int) -> HttpResponse:
    """Undo a decision."""
    pair = pair_for(request.user, pk)
    undo_duplicate_decision(pair=pair, by=request.user)
    return redirect("duplicate_pair", pair.pk)


def pair_for(user: User, pk: int) -> DuplicatePair:
    """The pair, if the person manages its project. Raises Http404."""
    pair = (
        DuplicatePair.objects.select_related("project__team", "first__work", "second__work", "decided_by")
        .filter(pk=pk)
        .first()
    )
    if pair is None or not may_enter(user, pair.project, Role.MANAGER):
        raise Http404
    return pair
