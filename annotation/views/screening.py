"""Screening: claim a page, mark what to redact, submit; and the manager's access to the unredacted page."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_GET, require_POST

from annotation.forms.screening import ScreeningForm
from annotation.forms.work import ReasonForm
from annotation.models import Screening
from annotation.permissions import project_for, sample_for
from annotation.selectors.redactions import add_uncovered, redactions_of_copies
from annotation.selectors.screening_queue import count_waiting_screenings, next_screening_at
from annotation.services.open_sample import open_unredacted_image
from annotation.services.request_screening import rescreen_sample
from annotation.services.screen_page import (
    CopiesRedactedElsewhere,
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
from config.error_responses import (
    error_message,
    flash_and_redirect,
    read_json,
    renders_errors,
    script_view,
)
from config.errors import ApplicationError, RequestError


@login_required
@require_POST
def screening_next(request: PersonRequest, slug: str) -> HttpResponse:
    """Claim the next page to screen and open it."""
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
) -> HttpResponse:
    """`left` lists areas redacted on copies that would stay visible here; the page asks before it goes on."""
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
    return render(request, "annotation/screening.html", context)


class AreasInvalid(ApplicationError):
    """Some area of the form cannot be read."""

    status, kind, field = 422, "invalid", "areas"
    msgid = gettext_noop("One of the areas cannot be redacted as drawn. Nothing was changed.")


def _render_refused(request: PersonRequest, error: RequestError, screening: uuid.UUID) -> HttpResponse:
    """The page again, with the areas as they were sent."""
    row, form = screening_for(request.user, screening), ScreeningForm(request.POST)
    if isinstance(error, CopiesRedactedElsewhere):
        return _render(request, row, form=form, left=redacted_copy_sheets(error.left))
    return _render(request, row, form=form, error=error_message(error))


@login_required
@require_POST
@renders_errors(_render_refused)
def screening_finish(request: PersonRequest, screening: uuid.UUID) -> HttpResponse:
    """Redact, or with `clean` state that there is nothing to redact; then go on to the next page.

    `take` only adds the areas redacted on copies; `despite` submits although those stay visible here.
    """
    row = screening_for(request.user, screening)
    form = ScreeningForm(request.POST)
    if not form.is_valid():
        raise AreasInvalid
    if "take" in request.POST:
        areas = add_uncovered(form.areas(), redactions_of_copies(row.sample))
        save_screening(screening=row, areas=areas)
        return redirect("screening", row.uuid)
    finish_screening(
        screening=row,
        areas=form.areas(),
        is_clean="clean" in request.POST or request.POST.get("despite") == "clean",
        image_hash=form.cleaned_data["image_hash"],
        withhold_evidence=form.cleaned_data["withhold_evidence"],
        knows_copies="despite" in request.POST,
    )
    messages.success(request, _("Sample %(number)s has been screened.") % {"number": row.sample.number})
    following = claim_screening(person=request.user, project=row.sample.project)
    return redirect("screening", following.uuid) if following else redirect("home")


@script_view
@require_POST
def screening_save(request: PersonRequest, screening: uuid.UUID) -> JsonResponse:
    """Save the areas drawn so far. 200 {}."""
    row = screening_for(request.user, screening)
    save_screening(screening=row, areas=read_json(request, areas=list)["areas"])
    return JsonResponse({})


@login_required
@require_POST
@renders_errors(flash_and_redirect("home"))
def screening_put_back(request: PersonRequest, screening: uuid.UUID) -> HttpResponse:
    """Release the page to the queue; the areas drawn are kept."""
    release_screening(screening=screening_for(request.user, screening))
    return redirect("home")


@login_required
@require_POST
def sample_unredacted(request: PersonRequest, sample: uuid.UUID) -> HttpResponse:
    """The unredacted page, for a manager. The service logs the access."""
    row = sample_for(request.user, sample, Role.MANAGER)
    token = open_unredacted_image(sample=row, manager=request.user)
    return render_sample(request, row, unredacted=token)


@login_required
@require_POST
@renders_errors(flash_and_redirect("sample", "sample"))
def sample_screen_again(request: PersonRequest, sample: uuid.UUID) -> HttpResponse:
    """Send the page back to the screeners, with a reason, unless a release contains the image."""
    row = sample_for(request.user, sample, Role.MANAGER)
    form = ReasonForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() else ""
    rescreen_sample(sample=row, manager=request.user, reason=reason)
    messages.success(request, _("The page is hidden and waiting for a screener."))
    return redirect("sample", row.uuid)
