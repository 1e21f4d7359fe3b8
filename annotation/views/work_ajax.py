"""What the workbench's scripts call: saving, heartbeat and suggestions as JSON, the log as fragments of the page."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from django import forms
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from annotation.forms.work import EvidenceForm, NoteForm, QuestionForm
from annotation.models import Assignment
from annotation.services.ask_question import ask_question, withdraw_question
from annotation.services.record_evidence import (
    change_evidence,
    record_evidence,
    record_note,
    record_suggestion_use,
    remove_evidence,
)
from annotation.services.renew_lease import renew_lease
from annotation.services.save_draft import save_draft
from annotation.services.submit_label import mark_end_reached
from annotation.stages import Stage
from annotation.visibility.labels import assignment_for, assignment_state_of
from config.accounts.requests import PersonRequest
from config.error_responses import add_error, error_status, read_json, renders_errors, script_view
from config.errors import RequestError


@script_view
@require_http_methods(["PUT", "POST"])
def work_autosave(request: PersonRequest, assignment_uuid: uuid.UUID) -> JsonResponse:
    """Save the draft. 200 {version, saved_at}."""
    assignment = assignment_for(request.user, assignment_uuid, Stage.LABEL, Stage.VERIFY)
    body = read_json(request, text=str, base_version=int, image_hash=str)
    saved = save_draft(
        assignment=assignment,
        text=body["text"],
        masks=body.get("masks"),
        base_version=body["base_version"],
        image_hash=body["image_hash"],
    )
    return JsonResponse({"version": saved.version, "saved_at": saved.saved_at.isoformat()})


@script_view
@require_POST
def work_heartbeat(request: PersonRequest, assignment_uuid: uuid.UUID) -> JsonResponse:
    """Renew the lease. 200 {lease_until}."""
    until = renew_lease(assignment=assignment_for(request.user, assignment_uuid))
    return JsonResponse({"lease_until": until.isoformat()})


@script_view
@require_POST
def work_taken(request: PersonRequest, assignment_uuid: uuid.UUID) -> HttpResponse:
    """Record that a suggestion was used, whole or in part. 204."""
    assignment = assignment_for(request.user, assignment_uuid, Stage.LABEL)
    body = read_json(request, suggestion=int, how=str, text=str)
    record_suggestion_use(
        assignment=assignment,
        suggestion_id=body["suggestion"],
        how=body["how"],
        line=body.get("line"),
        text=body["text"],
    )
    return HttpResponse(status=204)


@script_view
@require_POST
def work_reached_end(request: PersonRequest, assignment_uuid: uuid.UUID) -> HttpResponse:
    """The second reviewer has scrolled past the last line. 204."""
    mark_end_reached(assignment=assignment_for(request.user, assignment_uuid, Stage.VERIFY))
    return HttpResponse(status=204)


def _render_part(
    request: PersonRequest, assignment: Assignment, part: str, form: forms.BaseForm, *, refused: int = 422
) -> HttpResponse:
    """One part of the log as a fragment for htmx; without scripts back to the page, unless the form has errors."""
    if not request.htmx and not form.errors:
        return redirect("work", assignment.uuid)
    context = {"assignment": assignment_state_of(assignment), f"{part.rstrip('s')}_form": form}
    return render(request, f"annotation/work/{part}.html", context, status=refused if form.errors else 200)


def _part_refused(part: str, form_class: type[forms.Form]) -> Callable[..., HttpResponse]:
    """For `renders_errors`: the part again, with what was typed and the message."""

    def render_error(
        request: PersonRequest, error: RequestError, assignment_uuid: uuid.UUID, **_kwargs: int
    ) -> HttpResponse:
        form = form_class(request.POST)
        form.full_clean()
        add_error(form, error)
        assignment = assignment_for(request.user, assignment_uuid)
        return _render_part(request, assignment, part, form, refused=error_status(error))

    return render_error


@script_view
@require_POST
@renders_errors(_part_refused("notes", NoteForm))
def work_notes(request: PersonRequest, assignment_uuid: uuid.UUID) -> HttpResponse:
    """Add a note; returns the list of the person's notes."""
    assignment = assignment_for(request.user, assignment_uuid)
    form = NoteForm(request.POST)
    if form.is_valid():
        record_note(assignment=assignment, text=form.cleaned_data["text"])
    return _render_part(request, assignment, "notes", form if form.errors else NoteForm())


@script_view
@require_POST
@renders_errors(_part_refused("evidence", EvidenceForm))
def work_evidence(request: PersonRequest, assignment_uuid: uuid.UUID) -> HttpResponse:
    """Log a source that was consulted; returns the log."""
    assignment = assignment_for(request.user, assignment_uuid)
    form = EvidenceForm(request.POST)
    if form.is_valid():
        record_evidence(assignment=assignment, **form.cleaned_data)
    return _render_part(request, assignment, "evidence", form if form.errors else EvidenceForm())


@script_view
@require_POST
@renders_errors(_part_refused("evidence", EvidenceForm))
def work_evidence_entry(request: PersonRequest, assignment_uuid: uuid.UUID, pk: int) -> HttpResponse:
    """Change one of the person's entries, or remove it with `remove`; returns the log."""
    assignment = assignment_for(request.user, assignment_uuid)
    form = EvidenceForm() if "remove" in request.POST else EvidenceForm(request.POST)
    if not form.is_bound:
        remove_evidence(assignment=assignment, pk=pk)
    elif form.is_valid():
        change_evidence(assignment=assignment, pk=pk, **form.cleaned_data)
    return _render_part(request, assignment, "evidence", form if form.errors else EvidenceForm())


@script_view
@require_POST
@renders_errors(_part_refused("questions", QuestionForm))
def work_questions(request: PersonRequest, assignment_uuid: uuid.UUID) -> HttpResponse:
    """Ask a domain expert, or withdraw the unanswered question `withdraw`; returns the questions."""
    assignment = assignment_for(request.user, assignment_uuid)
    withdrawn = request.POST.get("withdraw", "")
    form = QuestionForm() if withdrawn else QuestionForm(request.POST)
    if withdrawn:
        withdraw_question(assignment=assignment, pk=int(withdrawn) if withdrawn.isdecimal() else 0)
    elif form.is_valid():
        data = form.cleaned_data
        ask_question(assignment=assignment, text=data["question"], box=data["box"])
    return _render_part(request, assignment, "questions", form if form.errors else QuestionForm())
