"""The workbench: claim the next sample, transcribe or review it, submit it."""

from __future__ import annotations

import json
import secrets
import uuid
from dataclasses import asdict
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotation.forms.work import EvidenceForm, FlagForm, NoteForm, QuestionForm, ReasonForm, SubmitForm
from annotation.models import Assignment
from annotation.permissions import project_for
from annotation.selectors.work_queue import ROLE_OF_STAGE, count_waiting_work, next_work_at
from annotation.services.claim_work import claim_work
from annotation.services.flag_sample import flag_sample
from annotation.services.return_work import release_assignment, return_to_annotator, skip_sample
from annotation.services.save_draft import NewerVersion
from annotation.services.submit_label import MarkWithoutMask, MaskWithoutMark, submit_label
from annotation.stages import Stage
from annotation.visibility.labels import assignment_for, label_sheet, verify_sheet
from annotation.worksheets import LabelSheet, MaskSheet, VerifySheet
from config.accounts.requests import PersonRequest
from config.error_responses import InvalidForm, error_message, flash_and_redirect, renders_errors
from config.errors import RequestError


@login_required
@require_POST
def next_sample(request: PersonRequest, slug: str, stage: str) -> HttpResponse:
    """Claim the next sample of a queue and open it; an empty queue says when a sample may become available."""
    if stage not in ROLE_OF_STAGE:
        raise Http404
    queue = Stage(stage)
    project = project_for(request.user, slug, ROLE_OF_STAGE[queue])
    assignment = claim_work(person=request.user, project=project, stage=queue)
    if assignment is None:
        context = {"project": project, "stage": queue, "free_at": next_work_at(project, queue)}
        return render(request, "annotation/nothing_left.html", context)
    return redirect("consensus" if queue is Stage.ADJUDICATE else "work", assignment.uuid)


@login_required
@require_GET
def work_page(request: PersonRequest, assignment_uuid: uuid.UUID) -> HttpResponse:
    """The page of one assignment at LABEL or VERIFY."""
    assignment = assignment_for(request.user, assignment_uuid, Stage.LABEL, Stage.VERIFY)
    return _render(request, assignment)


def _render(
    request: PersonRequest, assignment: Assignment, *, status: int = 200, **extra: Any
) -> HttpResponse:
    stage = Stage(assignment.stage)
    sheet = label_sheet(assignment) if stage is Stage.LABEL else verify_sheet(assignment)
    context = {
        "sheet": sheet,
        "stage": stage,
        "text": sheet.assignment.text,
        "masks": masks_text(sheet.assignment.masks),
        "primary_masks": masks_text((isinstance(sheet, VerifySheet) and sheet.primary_masks) or ()),
        "base_version": sheet.assignment.version,
        "idempotency_key": secrets.token_hex(16),
        "line_boxes": _line_boxes(sheet),
        "waiting": count_waiting_work(request.user, assignment.sample.project, stage),
        "note_form": NoteForm(),
        "evidence_form": EvidenceForm(),
        "question_form": QuestionForm(),
        "flag_form": FlagForm(),
        "return_form": ReasonForm(),
    }
    name = "closed" if sheet.assignment.is_closed else "label" if stage is Stage.LABEL else "verify"
    return render(request, f"annotation/{name}.html", context | extra, status=status)


def masks_text(masks: tuple[MaskSheet, ...]) -> str:
    """Masks as the page's form field holds them: a JSON list."""
    return json.dumps([asdict(mask) for mask in masks], ensure_ascii=False)


def _line_boxes(sheet: LabelSheet | VerifySheet) -> str:
    """The boxes of the lines on the image, as JSON, to highlight the line being written.

    From the first suggestion that has them; "" for a second reviewer, who may not see suggestions.
    """
    if isinstance(sheet, VerifySheet):
        return ""
    for suggestion in sheet.suggestions:
        boxes = [line.box for line in suggestion.lines]
        if boxes and all(boxes):
            return json.dumps(boxes)
    return ""


def _render_refused(request: PersonRequest, error: RequestError, assignment_uuid: uuid.UUID) -> HttpResponse:
    """The page again, with the text and masks as they were sent."""
    assignment = assignment_for(request.user, assignment_uuid, Stage.LABEL, Stage.VERIFY)
    sent = request.POST
    extra: dict[str, Any] = {"masks": sent["masks"]} if "masks" in sent else {}
    extra |= {"idempotency_key": sent.get("idempotency_key") or secrets.token_hex(16)}
    extra |= {"text": sent.get("text", ""), "mask_reason": sent.get("mask_reason", "")}
    if isinstance(error, NewerVersion):
        extra |= {
            "newer": error,
            "sent_version": sent.get("base_version"),
            "stored_masks": json.dumps(error.masks),
        }
    elif isinstance(error, MaskWithoutMark | MarkWithoutMask):
        extra["unmatched"] = error_message(error)
    else:
        extra["error"] = error_message(error)
    return _render(request, assignment, **extra)


@login_required
@require_POST
@renders_errors(_render_refused)
def work_submit(request: PersonRequest, assignment_uuid: uuid.UUID) -> HttpResponse:
    """Submit and go on to the next sample. An error shows the page again with the text as it was sent."""
    assignment = assignment_for(request.user, assignment_uuid, Stage.LABEL, Stage.VERIFY)
    form = SubmitForm(request.POST)
    if not form.is_valid():
        raise InvalidForm(form)
    submit_label(assignment=assignment, **form.cleaned_data)
    messages.success(request, _("Sample %(number)s submitted.") % {"number": assignment.sample.number})
    return _go_on(request, assignment)


def _go_on(request: PersonRequest, assignment: Assignment) -> HttpResponse:
    """The next sample of the same queue, or home if there is none."""
    following = claim_work(
        person=request.user, project=assignment.sample.project, stage=Stage(assignment.stage)
    )
    return redirect("work", following.uuid) if following else redirect("home")


def _skip_refused(request: PersonRequest, error: RequestError, assignment_uuid: uuid.UUID) -> HttpResponse:
    messages.warning(request, error_message(error))
    return _go_on(request, assignment_for(request.user, assignment_uuid, Stage.LABEL, Stage.VERIFY))


@login_required
@require_POST
@renders_errors(_skip_refused)
def work_skip(request: PersonRequest, assignment_uuid: uuid.UUID) -> HttpResponse:
    """Skip the sample permanently and go on to the next."""
    assignment = assignment_for(request.user, assignment_uuid, Stage.LABEL, Stage.VERIFY)
    skip_sample(assignment=assignment)
    return _go_on(request, assignment)


@login_required
@require_POST
@renders_errors(flash_and_redirect("home"))
def work_put_back(request: PersonRequest, assignment_uuid: uuid.UUID) -> HttpResponse:
    """Release the sample to the queue; the draft is kept."""
    release_assignment(assignment=assignment_for(request.user, assignment_uuid))
    return redirect("home")


@login_required
@require_POST
def work_flag(request: PersonRequest, assignment_uuid: uuid.UUID) -> HttpResponse:
    """Report a problem to the managers; the sample stays with the person."""
    assignment = assignment_for(request.user, assignment_uuid)
    form = FlagForm(request.POST)
    if form.is_valid():
        flag_sample(assignment=assignment, message=form.cleaned_data["message"])
        messages.success(request, _("A manager will look at it."))
    else:
        messages.error(request, _("Describe what is wrong with the sample so that a manager can fix it."))
    return redirect("work", assignment.uuid)


@login_required
@require_POST
@renders_errors(flash_and_redirect("home"))
def work_return(request: PersonRequest, assignment_uuid: uuid.UUID) -> HttpResponse:
    """Second review: return the sample to the annotator, with a reason."""
    assignment = assignment_for(request.user, assignment_uuid, Stage.VERIFY)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        messages.error(
            request, _("Explain why you are returning the sample so that the annotator can fix it.")
        )
        return redirect("work", assignment.uuid)
    return_to_annotator(assignment=assignment, reason=form.cleaned_data["reason"])
    messages.success(request, _("The sample was returned to the annotator."))
    return _go_on(request, assignment)
