"""The small calls a work page makes while somebody works: JSON in, JSON out, refusals in words."""

from __future__ import annotations

import uuid
from typing import Any

from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from annotation.forms.work import EvidenceForm, NoteForm, QuestionForm
from annotation.services.ask_question import ask_question, withdraw_question
from annotation.services.record_evidence import (
    NoSuchEntry,
    change_evidence,
    record_evidence,
    record_note,
    record_suggestion_use,
    remove_evidence,
)
from annotation.services.save_draft import (
    AssignmentClosed,
    LeaseLost,
    NewerVersion,
    WrongImage,
    renew_lease,
    save_draft,
)
from annotation.services.submit_label import mark_end_reached
from annotation.stages import Stage
from annotation.visibility.labels import assignment_for, assignment_state_of
from config.accounts.requests import PersonRequest
from evaluation.json_requests import read_json, signed_in_or_401
from evaluation.payloads.errors import BadPayload
from evaluation.payloads.text import BadText


def refusal(error: Exception) -> JsonResponse:
    """The answer to a save that was not stored; the page keeps the text and says why."""
    match error:
        case NewerVersion():
            return JsonResponse(
                {
                    "kind": "newer_version",
                    "version": error.version,
                    "text": error.text,
                    "masks": error.masks,
                    "saved_at": error.saved_at.isoformat(),
                },
                status=409,
            )
        case LeaseLost():
            message = _("Someone else has this sample now. Your text is kept on this device.")
            return JsonResponse({"kind": "lease_lost", "message": message}, status=409)
        case WrongImage():
            message = _("This text was typed for another image. Reload the page; your text is kept.")
            return JsonResponse({"kind": "wrong_image", "message": message}, status=409)
        case AssignmentClosed():
            return JsonResponse({"kind": "closed", "message": HANDED_IN}, status=409)
        case BadPayload():
            return JsonResponse({"errors": {"text": [error.message(_)]}}, status=422)
        case _:
            raise error


HANDED_IN = gettext_lazy("This sample has already been submitted and can no longer be changed here.")
REFUSALS = (NewerVersion, LeaseLost, WrongImage, AssignmentClosed, BadPayload)


@signed_in_or_401
@require_http_methods(["PUT", "POST"])
def autosave(request: PersonRequest, assignment_uuid: uuid.UUID) -> JsonResponse:
    """Store the draft. 200 {version, saved_at}; 409, 422 as `refusal` says; 401 {login_url}."""
    assignment = assignment_for(request.user, assignment_uuid, Stage.LABEL, Stage.VERIFY)
    try:
        body = read_json(request, text=str, base_version=int, image_hash=str)
        saved = save_draft(
            assignment=assignment,
            text=body["text"],
            masks=body.get("masks"),
            base_version=body["base_version"],
            image_hash=body["image_hash"],
        )
    except REFUSALS as error:
        return refusal(error)
    return JsonResponse({"version": saved.version, "saved_at": saved.saved_at.isoformat()})


@signed_in_or_401
@require_POST
def heartbeat(request: PersonRequest, assignment_uuid: uuid.UUID) -> JsonResponse:
    """Renew the lease. 200 {lease_until}; 409 lease_lost or closed."""
    assignment = assignment_for(request.user, assignment_uuid)
    try:
        until = renew_lease(assignment=assignment)
    except (LeaseLost, AssignmentClosed) as error:
        return refusal(error)
    return JsonResponse({"lease_until": until.isoformat()})


@signed_in_or_401
@require_POST
def take_suggestion(request: PersonRequest, assignment_uuid: uuid.UUID) -> HttpResponse:
    """Record that a suggestion was taken, whole or by line. 204."""
    assignment = assignment_for(request.user, assignment_uuid, Stage.LABEL)
    try:
        body = read_json(request, suggestion=int, how=str, text=str)
        record_suggestion_use(
            assignment=assignment,
            suggestion_id=body["suggestion"],
            how=body["how"],
            line=body.get("line"),
            text=body["text"],
        )
    except (BadPayload, AssignmentClosed) as error:
        return refusal(error)
    return HttpResponse(status=204)


@signed_in_or_401
@require_POST
def reached_end(request: PersonRequest, assignment_uuid: uuid.UUID) -> HttpResponse:
    """The second reviewer has scrolled past the last line. 204."""
    mark_end_reached(assignment=assignment_for(request.user, assignment_uuid, Stage.VERIFY))
    return HttpResponse(status=204)


@signed_in_or_401
@require_POST
def add_note(request: PersonRequest, assignment_uuid: uuid.UUID) -> HttpResponse:
    """Keep a note; answers with the list of own notes, or goes back to the page where there is no script."""
    assignment = assignment_for(request.user, assignment_uuid)
    form = NoteForm(request.POST)
    if form.is_valid():
        try:
            record_note(assignment=assignment, text=form.cleaned_data["text"])
        except AssignmentClosed:
            form.add_error("text", ValidationError(HANDED_IN, code="closed"))
    return _render_part(request, assignment, "notes", form if form.errors else NoteForm())


@signed_in_or_401
@require_POST
def add_evidence(request: PersonRequest, assignment_uuid: uuid.UUID) -> HttpResponse:
    """Log something consulted; answers like `add_note`."""
    assignment = assignment_for(request.user, assignment_uuid)
    form = EvidenceForm(request.POST)
    if form.is_valid():
        try:
            record_evidence(assignment=assignment, **form.cleaned_data)
        except AssignmentClosed:
            form.add_error("note", ValidationError(HANDED_IN, code="closed"))
    return _render_part(request, assignment, "evidence", form if form.errors else EvidenceForm())


@signed_in_or_401
@require_POST
def change_evidence_entry(request: PersonRequest, assignment_uuid: uuid.UUID, pk: int) -> HttpResponse:
    """Mend an own entry, or with `remove` take it out; answers like `add_note`."""
    assignment = assignment_for(request.user, assignment_uuid)
    form = EvidenceForm() if "remove" in request.POST else EvidenceForm(request.POST)
    try:
        if not form.is_bound:
            remove_evidence(assignment=assignment, pk=pk)
        elif form.is_valid():
            change_evidence(assignment=assignment, pk=pk, **form.cleaned_data)
    except NoSuchEntry:
        raise Http404 from None
    except AssignmentClosed:
        form = EvidenceForm(request.POST)
        form.is_valid()
        form.add_error("note", ValidationError(HANDED_IN, code="closed"))
    return _render_part(request, assignment, "evidence", form if form.errors else EvidenceForm())


@signed_in_or_401
@require_POST
def add_question(request: PersonRequest, assignment_uuid: uuid.UUID) -> HttpResponse:
    """Ask a domain expert; with `withdraw` take an unanswered question back. Answers like `add_note`."""
    assignment = assignment_for(request.user, assignment_uuid)
    form = QuestionForm(request.POST)
    withdrawn = request.POST.get("withdraw", "")
    try:
        if withdrawn:
            form = QuestionForm()
            withdraw_question(assignment=assignment, pk=int(withdrawn) if withdrawn.isdecimal() else 0)
        elif form.is_valid():
            ask_question(
                assignment=assignment, text=form.cleaned_data["question"], box=form.cleaned_data["box"]
            )
    except AssignmentClosed:
        form = QuestionForm(request.POST)
        form.is_valid()
        words = _("This question has been answered in the meantime.") if withdrawn else HANDED_IN
        form.add_error("question", ValidationError(words, code="closed"))
    except BadText as refused:
        form.add_error("box" if form.cleaned_data.get("box") else "question", refused.message(_))
    return _render_part(request, assignment, "questions", form if form.errors else QuestionForm())


def _render_part(request: PersonRequest, assignment: Any, part: str, form: Any) -> HttpResponse:
    if not request.htmx and not form.errors:
        return redirect("work", assignment.uuid)
    context = {"assignment": assignment_state_of(assignment), f"{part.rstrip('s')}_form": form}
    is_closed = any(form.has_error(name, "closed") for name in form.fields)
    status = 409 if is_closed else 422 if form.errors else 200
    return render(request, f"annotation/work/{part}.html", context, status=status)
