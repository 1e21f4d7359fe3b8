"""A rater's pages: one URL, at which the server shows the current step."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from config.accounts.requests import PersonRequest
from config.error_responses import flash_and_redirect, read_json, renders_errors, script_view
from config.markdown import render_markdown
from evaluation.preference.forms import ChoiceForm, GradeForm
from evaluation.preference.models import Enrolment, StudyState
from evaluation.preference.permissions import enrolment_for
from evaluation.preference.selectors import current_trial
from evaluation.preference.services import rate_item
from evaluation.preference.worksheets import GradeSheet


@login_required
@require_safe
def study_enrolment(request: PersonRequest, enrolment_uuid: uuid.UUID) -> HttpResponse:
    """The current page of the rater: start, pause, step 1, step 2, or end."""
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
        instructions = render_markdown(study.instructions) if study.instructions else ""
        more = {
            "instructions": instructions,
            "done": answered,
            "total": enrolment.trials.count(),
            "is_paused": enrolment.is_paused,
        }
        return render(request, "preference/rating_start.html", context | more)
    sheet = rate_item.open_sheet(enrolment)
    if sheet is None:
        return render(request, "preference/rating_over.html", context)
    is_grading = isinstance(sheet, GradeSheet)
    initial = {"position": sheet.progress.position}
    form = form or (GradeForm(initial=initial) if is_grading else ChoiceForm(initial=initial))
    page = "rating_grade" if is_grading else "rating_choice"
    return render(request, f"preference/{page}.html", context | {"sheet": sheet, "form": form}, status=status)


def _has_begun(enrolment: Enrolment) -> bool:
    trial = current_trial(enrolment)
    return trial is None or trial.events.exists()


@login_required
@require_POST
@renders_errors(flash_and_redirect("study_enrolment", "enrolment_uuid"))
def study_enrolment_grade(request: PersonRequest, enrolment_uuid: uuid.UUID) -> HttpResponse:
    enrolment = enrolment_for(request.user, enrolment_uuid)
    form = GradeForm(request.POST)
    if not form.is_valid():
        return _render_invalid(request, enrolment, form, has_grade=False)
    data = form.cleaned_data
    rate_item.save_grade(
        enrolment=enrolment, position=data["position"], value=data["grade"], marks=form.marks()
    )
    return redirect("study_enrolment", enrolment_uuid)


@login_required
@require_POST
@renders_errors(flash_and_redirect("study_enrolment", "enrolment_uuid"))
def study_enrolment_vote(request: PersonRequest, enrolment_uuid: uuid.UUID) -> HttpResponse:
    enrolment = enrolment_for(request.user, enrolment_uuid)
    form = ChoiceForm(request.POST)
    if not form.is_valid():
        return _render_invalid(request, enrolment, form, has_grade=True)
    data = form.cleaned_data
    rate_item.save_vote(
        enrolment=enrolment, position=data["position"], choice=data["choice"], comment=data["comment"]
    )
    return redirect("study_enrolment", enrolment_uuid)


def _render_invalid(
    request: PersonRequest, enrolment: Enrolment, form: GradeForm | ChoiceForm, *, has_grade: bool
) -> HttpResponse:
    """The step again with what was typed, if it is still the current step; otherwise a redirect to the current page."""
    trial = current_trial(enrolment)
    is_current = (
        trial is not None
        and hasattr(trial, "grade") == has_grade
        and enrolment.study.state == StudyState.OPEN
    )
    if not is_current or form["position"].value() != str(trial and trial.position):
        return redirect("study_enrolment", enrolment.uuid)
    return _render(request, enrolment, form=form, status=400)


@login_required
@require_POST
def study_enrolment_pause(request: PersonRequest, enrolment_uuid: uuid.UUID) -> HttpResponse:
    """Pause, or resume; all ratings so far are stored."""
    enrolment = enrolment_for(request.user, enrolment_uuid)
    if "resume" in request.POST:
        rate_item.resume(enrolment)
        return redirect(f"{request.path.removesuffix('pause/')}?begin=1")
    rate_item.pause(enrolment)
    return redirect("study_enrolment", enrolment_uuid)


@script_view
@require_POST
def study_enrolment_event(request: PersonRequest, enrolment_uuid: uuid.UUID) -> JsonResponse:
    """An event reported by the browser, such as leaving the window, for the timing."""
    enrolment = enrolment_for(request.user, enrolment_uuid)
    body = read_json(request, position=int, what=str)
    rate_item.record_event(enrolment=enrolment, position=body["position"], kind=body["what"])
    return JsonResponse({})
