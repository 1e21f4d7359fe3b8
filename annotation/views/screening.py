"""Screening for names: take a page, mark what must go, hand in; and a manager's way to the unredacted page."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotation.forms.screening import ScreeningForm
from annotation.forms.work import ReasonForm
from annotation.models import Screening
from annotation.permissions import project_for, sample_for
from annotation.selectors.redactions import add_uncovered, redactions_of_copies
from annotation.selectors.screening_queue import count_waiting_screenings, next_screening_at
from annotation.services.move_work import ReasonMissing, StaleWork
from annotation.services.open_sample import open_unredacted_image
from annotation.services.request_screening import AlreadyReleased, rescreen_sample
from annotation.services.save_draft import AssignmentClosed, LeaseLost, WrongImage
from annotation.services.screen_page import (
    CopiesRedactedElsewhere,
    ScreeningReasonMissing,
    claim_screening,
    finish_screening,
    release_screening,
    save_screening,
)
from annotation.views.sample import render_sample
from annotation.visibility.page_tasks import redacted_copy_sheets, screening_for, screening_sheet
from annotation.worksheets import RedactedCopy
from config.accounts.models import Role
from config.accounts.requests import PersonRequest
from evaluation.json_requests import read_json, signed_in_or_401
from evaluation.payloads.errors import BadPayload


@login_required
@require_POST
def screening_next(request: PersonRequest, slug: str) -> HttpResponse:
    """Take the next page to screen and go to it."""
    project = project_for(request.user, slug, Role.SCREENER)
    screening = claim_screening(person=request.user, project=project)
    if screening is None:
        context = {"project": project, "free_at": next_screening_at(project)}
        return render(request, "annotation/nothing_left.html", context)
    return redirect("screening", screening.uuid)


@login_required
@require_GET
def screening_page(request: PersonRequest, screening: uuid.UUID) -> HttpResponse:
    return _render(request, screening_for(request.user, screening))


def _render(
    request: PersonRequest,
    screening: Screening,
    *,
    form: ScreeningForm | None = None,
    error: str = "",
    left: tuple[RedactedCopy, ...] = (),
    status: int = 200,
) -> HttpResponse:
    """`left` is what is redacted on copies and would stay open here: the page asks before it goes on."""
    sheet = screening_sheet(screening)
    initial = {
        "masks": sheet.areas,
        "image_hash": sheet.page.image_hash,
        "withhold_evidence": sheet.is_evidence_withheld,
    }
    context = {
        "sheet": sheet,
        "form": form or ScreeningForm(initial=initial),
        "error": error,
        "left": left,
        "is_clean": "clean" in request.POST,
        "waiting": count_waiting_screenings(request.user, screening.sample.project),
    }
    return render(request, "annotation/screening.html", context, status=status)


@login_required
@require_POST
def screening_finish(request: PersonRequest, screening: uuid.UUID) -> HttpResponse:
    """Redact, or with `clean` say that there is nothing to redact; then the next page."""
    found = screening_for(request.user, screening)
    form = ScreeningForm(request.POST)
    if not form.is_valid():
        words = _("One of the areas cannot be redacted as drawn. Nothing was changed.")
        return _render(request, found, form=form, error=words, status=422)
    data = form.cleaned_data
    if "take" in request.POST:
        return _take_from_copies(request, found, form)
    try:
        finish_screening(
            screening=found,
            areas=form.areas(),
            is_clean="clean" in request.POST or request.POST.get("despite") == "clean",
            image_hash=data["image_hash"],
            withhold_evidence=data["withhold_evidence"],
            knows_copies="despite" in request.POST,
        )
    except CopiesRedactedElsewhere as more:
        return _render(request, found, form=form, left=redacted_copy_sheets(more.left), status=422)
    except (AssignmentClosed, LeaseLost, WrongImage) as refused:
        return _render(request, found, form=form, error=screening_refusal(refused), status=409)
    except (ScreeningReasonMissing, BadPayload) as refused:
        return _render(request, found, form=form, error=screening_refusal(refused), status=422)
    messages.success(request, _("Sample %(number)s has been screened.") % {"number": found.sample.number})
    following = claim_screening(person=request.user, project=found.sample.project)
    return redirect("screening", following.uuid) if following else redirect("home")


def _take_from_copies(request: PersonRequest, screening: Screening, form: ScreeningForm) -> HttpResponse:
    """What was drawn, and with it what was redacted on copies; nothing is painted over yet."""
    areas = add_uncovered(form.areas(), redactions_of_copies(screening.sample))
    try:
        save_screening(screening=screening, areas=areas)
    except (AssignmentClosed, LeaseLost, BadPayload) as refused:
        return _render(request, screening, form=form, error=screening_refusal(refused), status=409)
    return redirect("screening", screening.uuid)


def screening_refusal(error: Exception) -> str:
    """Why a screening was not taken, in words."""
    match error:
        case ScreeningReasonMissing():
            return _(
                "Either mark at least one area, or state that there is nothing to redact. You cannot do both."
            )
        case LeaseLost():
            return _("Someone else has this page now and can see what you had saved.")
        case WrongImage():
            return _("The image of this sample has changed. Reload the page and look again.")
        case AssignmentClosed():
            return _("This page has already been screened. A manager can ask for a second look.")
        case BadPayload():
            return error.message(_)
        case _:
            raise error


@signed_in_or_401
@require_POST
def screening_save(request: PersonRequest, screening: uuid.UUID) -> JsonResponse:
    """Keep the areas drawn so far. 200 {}; 409 and 422 {message}; 401 {login_url}."""
    found = screening_for(request.user, screening)
    try:
        body = read_json(request, areas=list)
        save_screening(screening=found, areas=body["areas"])
    except (AssignmentClosed, LeaseLost) as refused:
        return JsonResponse({"message": screening_refusal(refused)}, status=409)
    except BadPayload as refused:
        return JsonResponse({"message": screening_refusal(refused)}, status=422)
    return JsonResponse({})


@login_required
@require_POST
def screening_put_back(request: PersonRequest, screening: uuid.UUID) -> HttpResponse:
    """Stop here: the page goes back to the queue, what was drawn is kept."""
    found = screening_for(request.user, screening)
    try:
        release_screening(screening=found)
    except (AssignmentClosed, LeaseLost) as refused:
        messages.warning(request, screening_refusal(refused))
    return redirect("home")


@login_required
@require_POST
def sample_unredacted(request: PersonRequest, sample: uuid.UUID) -> HttpResponse:
    """The page as it came, for a manager. The service writes it down."""
    found = sample_for(request.user, sample, Role.MANAGER)
    token = open_unredacted_image(sample=found, manager=request.user)
    return render_sample(request, found, unredacted=token)


@login_required
@require_POST
def sample_screen_again(request: PersonRequest, sample: uuid.UUID) -> HttpResponse:
    """Back to the screeners, with a reason, as long as no release holds the image."""
    found = sample_for(request.user, sample, Role.MANAGER)
    form = ReasonForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() else ""
    try:
        rescreen_sample(sample=found, manager=request.user, reason=reason)
    except ReasonMissing:
        messages.error(request, _("Nothing was changed. Give a reason; it is kept in the history."))
    except AlreadyReleased:
        messages.error(
            request, _("Nothing was changed: this image is part of a release, and releases do not change.")
        )
    except StaleWork:
        messages.error(
            request,
            _("Nothing was changed: the sample has changed in the meantime. Check its current state."),
        )
    else:
        messages.success(request, _("The page is hidden and waiting for a screener."))
    return redirect("sample", found.uuid)
