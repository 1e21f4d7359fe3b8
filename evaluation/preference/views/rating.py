"""A rater's pages: one address, whose content depends on the rater's progress."""

from __future__ import annotations

import json
import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from config.accounts.requests import PersonRequest
from config.markdown import render_markdown
from evaluation.preference.forms import ChoiceForm, GradeForm
from evaluation.preference.models import Enrolment, StudyState
from evaluation.preference.permissions import enrolment_for
from evaluation.preference.services import rate_item
from evaluation.preference.visibility import open_sheet
from evaluation.preference.worksheets import GradeSheet


@login_required
@require_safe
def rating(request: PersonRequest, enrolment_uuid: uuid.UUID) -> HttpResponse:
    """The rater's current page: start, pause, step 1, step 2, or end."""
    return _render(request, enrolment_for(request.user, enrolment_uuid))


def _render(
    request: PersonRequest,
    enrolment: Enrolment,
    *,
    form: GradeForm | ChoiceForm | None = None,
    status: int = 200,
) -> HttpResponse:
    study = enrolment.study
    context: dict[str, Any] = {
        "enrolment": enrolment.uuid,
        "project": study.release.team.name,
        "study": study.number,
    }
    if study.state == StudyState.CLOSED:
        return render(request, "preference/rating_over.html", context | {"is_closed": True})
    answered = enrolment.trials.exclude(vote=None).count()
    is_new = form is None and not answered and "begin" not in request.GET and not _has_begun(enrolment)
    if enrolment.is_paused or is_new:
        words = render_markdown(study.instructions) if study.instructions else ""
        more = {
            "instructions": words,
            "done": answered,
            "total": enrolment.trials.count(),
            "is_paused": enrolment.is_paused,
        }
        return render(request, "preference/rating_start.html", context | more)
    sheet = open_sheet(enrolment)
    if sheet is None:
        return render(request, "preference/rating_over.html", context)
    is_grading = isinstance(sheet, GradeSheet)
    initial = {"position": sheet.progress.position}
    form = form or (GradeForm(initial=initial) if is_grading else ChoiceForm(initial=initial))
    page = "rating_grade" if is_grading else "rating_choice"
    return render(request, f"preference/{page}.html", context | {"sheet": sheet, "form": form}, status=status)


def _has_begun(enrolment: Enrolment) -> bool:
    trial = rate_item.current_trial(enrolment)
    return trial is None or trial.events.exists()


@login_required
@require_POST
def rating_grade(request: PersonRequest, enrolment_uuid: uuid.UUID) -> HttpResponse:
    enrolment = enrolment_for(request.user, enrolment_uuid)
    form = GradeForm(request.POST)
    if not form.is_valid():
        return _render_invalid(request, enrolment, form, has_grade=False)
    data = form.cleaned_data
    try:
        rate_item.save_grade(
            enrolment=enrolment, position=data["position"], value=data["grade"], marks=form.marks()
        )
    except (rate_item.OutOfOrder, rate_item.StudyClosed) as refusal:
        _add_message(request, refusal)
    return redirect("study_enrolment", enrolment_uuid)


@login_required
@require_POST
def rating_vote(request: PersonRequest, enrolment_uuid: uuid.UUID) -> HttpResponse:
    enrolment = enrolment_for(request.user, enrolment_uuid)
    form = ChoiceForm(request.POST)
    if not form.is_valid():
        return _render_invalid(request, enrolment, form, has_grade=True)
    data = form.cleaned_data
    try:
        rate_item.save_vote(
            enrolment=enrolment, position=data["position"], choice=data["choice"], comment=data["comment"]
        )
    except (rate_item.OutOfOrder, rate_item.StudyClosed) as refusal:
        _add_message(request, refusal)
    return redirect("study_enrolment", enrolment_uuid)


def _render_invalid(
    request: PersonRequest, enrolment: Enrolment, form: GradeForm | ChoiceForm, *, has_grade: bool
) -> HttpResponse:
    """The step again with the input if it is still the current one; otherwise a redirect to the current page."""
    trial = rate_item.current_trial(enrolment)
    is_current = (
        trial is not None
        and hasattr(trial, "grade") == has_grade
        and enrolment.study.state == StudyState.OPEN
    )
    if not is_current or form["position"].value() != str(trial and trial.position):
        return redirect("study_enrolment", enrolment.uuid)
    return _render(request, enrolment, form=form, status=400)


def _add_message(request: PersonRequest, refusal: Exception) -> None:
    if isinstance(refusal, rate_item.StudyClosed):
        messages.error(
            request,
            _(
                "The study was closed before this rating arrived, so it was not saved. Your "
                "earlier ratings are kept."
            ),
        )
    else:
        messages.error(
            request, _("That was not the current item, so nothing was saved for it. Continue with this one.")
        )


@login_required
@require_POST
def rating_pause(request: PersonRequest, enrolment_uuid: uuid.UUID) -> HttpResponse:
    """Pause or resume; all ratings are already stored."""
    enrolment = enrolment_for(request.user, enrolment_uuid)
    if "resume" in request.POST:
        rate_item.resume(enrolment)
        return redirect(f"{request.path.removesuffix('pause/')}?begin=1")
    rate_item.pause(enrolment)
    return redirect("study_enrolment", enrolment_uuid)


@login_required
@require_POST
def rating_event(request: PersonRequest, enrolment_uuid: uuid.UUID) -> JsonResponse:
    """An event that the browser reports, such as leaving the window."""
    enrolment = enrolment_for(request.user, enrolment_uuid)
    try:
        body = json.loads(request.body)
        rate_item.record_event(enrolment=enrolment, position=int(body["position"]), kind=str(body["what"]))
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return JsonResponse({"kind": "invalid"}, status=422)
    return JsonResponse({})
