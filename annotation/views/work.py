"""The work page: take the next sample, transcribe or review it, hand it in."""

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
from annotation.services.move_work import Archived, StaleWork
from annotation.services.return_work import release_assignment, return_to_annotator, skip_sample
from annotation.services.save_draft import AssignmentClosed, LeaseLost, NewerVersion, WrongImage
from annotation.services.submit_label import (
    EndNotReached,
    MarkWithoutMask,
    MaskWithoutMark,
    NoLongerBlind,
    submit_label,
)
from annotation.stages import Stage
from annotation.visibility.labels import assignment_for, label_sheet, verify_sheet
from annotation.worksheets import LabelSheet, MaskSheet, VerifySheet
from config.accounts.requests import PersonRequest
from evaluation.payloads.errors import BadPayload


@login_required
@require_POST
def next_sample(request: PersonRequest, slug: str, stage: str) -> HttpResponse:
    """Claim the next sample of a queue and go to it; an empty queue says when something may fall free."""
    if stage not in ROLE_OF_STAGE:
        raise Http404
    wanted = Stage(stage)
    project = project_for(request.user, slug, ROLE_OF_STAGE[wanted])
    assignment = claim_work(person=request.user, project=project, stage=wanted)
    if assignment is None:
        context = {"project": project, "stage": wanted, "free_at": next_work_at(project, wanted)}
        return render(request, "annotation/nothing_left.html", context)
    return redirect("consensus" if wanted is Stage.ADJUDICATE else "work", assignment.uuid)


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
    """Masks as the page's own field holds them: a JSON list."""
    return json.dumps([asdict(mask) for mask in masks], ensure_ascii=False)


def _line_boxes(sheet: LabelSheet | VerifySheet) -> str:
    """Where the lines stand on the image, as JSON numbers, to light the line that is written. From the first
    suggestion that tells; a second reviewer gets none, as suggestions are not theirs to see."""
    if isinstance(sheet, VerifySheet):
        return ""
    for suggestion in sheet.suggestions:
        boxes = [line.box for line in suggestion.lines]
        if boxes and all(boxes):
            return json.dumps(boxes)
    return ""


@login_required
@require_POST
def work_submit(request: PersonRequest, assignment_uuid: uuid.UUID) -> HttpResponse:
    """Hand in and go on to the next sample. A refusal shows the page again with the text as it was sent."""
    assignment = assignment_for(request.user, assignment_uuid, Stage.LABEL, Stage.VERIFY)
    form = SubmitForm(request.POST)
    if not form.is_valid():
        return _refused(request, assignment, 422, error=_first_error(form))
    try:
        submit_label(assignment=assignment, **form.cleaned_data)
    except NewerVersion as error:
        sent = form.cleaned_data["base_version"]
        masks = json.dumps(error.masks)
        return _refused(request, assignment, 409, newer=error, sent_version=sent, stored_masks=masks)
    except (LeaseLost, AssignmentClosed, WrongImage, NoLongerBlind, Archived, StaleWork) as error:
        return _refused(request, assignment, 409, error=_words(error))
    except EndNotReached:
        return _refused(request, assignment, 422, error=_("Read the transcription to the end first."))
    except (MaskWithoutMark, MarkWithoutMask) as error:
        return _refused(request, assignment, 422, unmatched=_unmatched(error))
    except BadPayload as error:
        return _refused(request, assignment, 422, error=error.message(_))
    messages.success(request, _("Sample %(number)s submitted.") % {"number": assignment.sample.number})
    return _go_on(request, assignment)


def _go_on(request: PersonRequest, assignment: Assignment) -> HttpResponse:
    """The next sample of the same queue, or home when there is none."""
    following = claim_work(
        person=request.user, project=assignment.sample.project, stage=Stage(assignment.stage)
    )
    return redirect("work", following.uuid) if following else redirect("home")


def _refused(request: PersonRequest, assignment: Assignment, status: int, **extra: Any) -> HttpResponse:
    typed = request.POST.get("text", "")
    if "masks" in request.POST:
        extra["masks"] = request.POST["masks"]
    extra = {"idempotency_key": request.POST.get("idempotency_key") or secrets.token_hex(16)} | extra
    extra["mask_reason"] = request.POST.get("mask_reason", "")
    return _render(request, assignment, status=status, text=typed, **extra)


def _first_error(form: SubmitForm) -> str:
    name, errors = next(iter(form.errors.items()))
    return f"{form.fields[name].label or name}: {errors[0]}"


def _unmatched(error: MaskWithoutMark | MarkWithoutMask) -> str:
    if isinstance(error, MaskWithoutMark):
        return _(
            "The image has a mask, but the text has no ⟦masked⟧ mark. Put the mark where the "
            "masked writing is (Masks, “Mark in text”)."
        )
    return _(
        "The text has a ⟦masked⟧ mark, but nothing is masked in the image, so a correct "
        "transcription would lose points there. Mask that place, or write it out."
    )


def _words(error: Exception) -> str:
    if isinstance(error, LeaseLost):
        return _("Someone else has this sample now. Your text is below; copy it if you need it.")
    if isinstance(error, WrongImage):
        return _("This text was typed for another image and was not submitted.")
    if isinstance(error, Archived):
        return _(
            "This project is archived, so nothing can be submitted until a manager restores "
            "it. Your text is below and the draft is kept."
        )
    if isinstance(error, NoLongerBlind):
        return _(
            "You have seen what others wrote for this image, so someone else will "
            "review it. Release the sample."
        )
    return _("This sample has already been submitted. Nothing was changed.")


@login_required
@require_POST
def work_skip(request: PersonRequest, assignment_uuid: uuid.UUID) -> HttpResponse:
    """Pass the sample by for good and take the next."""
    assignment = assignment_for(request.user, assignment_uuid, Stage.LABEL, Stage.VERIFY)
    try:
        skip_sample(assignment=assignment)
    except (LeaseLost, AssignmentClosed) as error:
        messages.warning(request, _words(error))
    return _go_on(request, assignment)


@login_required
@require_POST
def work_release(request: PersonRequest, assignment_uuid: uuid.UUID) -> HttpResponse:
    """Stop here: the sample goes back to the queue, the draft is kept."""
    assignment = assignment_for(request.user, assignment_uuid)
    try:
        release_assignment(assignment=assignment)
    except (LeaseLost, AssignmentClosed) as error:
        messages.warning(request, _words(error))
    return redirect("home")


@login_required
@require_POST
def work_flag(request: PersonRequest, assignment_uuid: uuid.UUID) -> HttpResponse:
    """Tell the managers; the sample stays in hand."""
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
def work_return(request: PersonRequest, assignment_uuid: uuid.UUID) -> HttpResponse:
    """Second review: back to the annotator, with a reason."""
    assignment = assignment_for(request.user, assignment_uuid, Stage.VERIFY)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        messages.error(
            request, _("Explain why you are returning the sample so that the annotator can fix it.")
        )
        return redirect("work", assignment.uuid)
    try:
        return_to_annotator(assignment=assignment, reason=form.cleaned_data["reason"])
    except (LeaseLost, AssignmentClosed, StaleWork) as error:
        messages.warning(request, _words(error))
        return redirect("home")
    messages.success(request, _("The sample was returned to the annotator."))
    return _go_on(request, assignment)
