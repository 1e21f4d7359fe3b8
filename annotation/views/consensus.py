"""The discussion page: two versions, one text, line by line."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotation.forms.consensus import ConsensusDecisionForm, FieldChoiceForm, MessageForm
from annotation.forms.work import ReasonForm
from annotation.models import Assignment
from annotation.services.claim_work import claim_work
from annotation.services.move_work import Archived, NotAllowed, StaleWork
from annotation.services.resolve_dispute import (
    FieldSettled,
    NotSettled,
    decide_dispute,
    disclose_reasoning,
    escalate_discussion,
    post_message,
    sign_field,
)
from annotation.stages import Stage
from annotation.visibility.labels import assignment_for, consensus_sheet
from annotation.worksheets import ConsensusSheet, FieldSheet
from config.accounts.requests import PersonRequest
from evaluation.payloads.errors import BadPayload
from evaluation.payloads.text import BadText

SEATS = (Stage.LABEL, Stage.VERIFY, Stage.ADJUDICATE)


@login_required
@require_GET
def consensus_page(request: PersonRequest, assignment_uuid: uuid.UUID) -> HttpResponse:
    """The whole discussion of one sample, as this assignment sees it."""
    return _render(request, assignment_for(request.user, assignment_uuid, *SEATS))


def _render(request: PersonRequest, assignment: Assignment, status: int = 200, **extra: Any) -> HttpResponse:
    sheet = consensus_sheet(assignment)
    disputed = [field for field in sheet.fields if field.is_disputed]
    context = {
        "sheet": sheet,
        "disputed": disputed,
        "settled": sum(field.is_settled for field in disputed),
        "escalate_form": ReasonForm(),
    }
    return render(request, "annotation/consensus.html", context | extra, status=status)


def _answer(request: PersonRequest, assignment: Assignment, position: int, error: str = "") -> HttpResponse:
    """The one field for htmx; the whole page otherwise. When the last field was settled, the whole page either way."""
    sheet = consensus_sheet(assignment)
    status = 422 if error else 200
    if not request.htmx:
        if error:
            return _render(request, assignment, status=status, error=error, error_position=position)
        return redirect(f"{request.path.rsplit('/', 3)[0]}/#field-{position}")
    if sheet.is_over or not sheet.is_open:
        response = HttpResponse(status=204)
        response["HX-Refresh"] = "true"
        return response
    context = {
        "sheet": sheet,
        "field": _field_at(sheet, position),
        "error": error,
        "error_position": position,
    }
    return render(request, "annotation/consensus/field.html", context, status=status)


def _field_at(sheet: ConsensusSheet, position: int) -> FieldSheet:
    """Raises Http404 for a line that neither version has."""
    for field in sheet.fields:
        if field.position == position:
            return field
    raise Http404


def _words(error: Exception) -> str:
    match error:
        case BadPayload():
            return error.message(_)
        case FieldSettled():
            return _("This is already settled.")
        case Archived():
            return _("This project is archived, so nothing can be decided until a manager restores it.")
        case NotSettled():
            return _("First choose a version for every field that is still open.")
        case _:
            return _("You cannot take part in this discussion now. Reload the page to see its current state.")


REFUSALS = (BadPayload, FieldSettled, NotSettled, NotAllowed, StaleWork)


@login_required
@require_POST
def consensus_sign(request: PersonRequest, assignment_uuid: uuid.UUID, position: int) -> HttpResponse:
    """Stand behind one text for one line: the annotator's, the reviewer's, a new one, or none."""
    assignment = assignment_for(request.user, assignment_uuid, Stage.LABEL, Stage.VERIFY)
    sheet = consensus_sheet(assignment)
    form = FieldChoiceForm(request.POST, field=_field_at(sheet, position))
    if not form.is_valid():
        return _answer(request, assignment, position, str(next(iter(form.errors.values()))[0]))
    try:
        sign_field(assignment=assignment, position=position, text=form.chosen_text())
    except REFUSALS as error:
        return _answer(request, assignment, position, _words(error))
    return _answer(request, assignment, position)


@login_required
@require_POST
def consensus_say(request: PersonRequest, assignment_uuid: uuid.UUID, position: int) -> HttpResponse:
    """Add to the thread of one line."""
    assignment = assignment_for(request.user, assignment_uuid, *SEATS)
    _field_at(consensus_sheet(assignment), position)
    form = MessageForm(request.POST)
    if not form.is_valid():
        return _answer(request, assignment, position, str(next(iter(form.errors.values()))[0]))
    try:
        post_message(assignment=assignment, position=position, text=form.cleaned_data["text"])
    except REFUSALS as error:
        return _answer(request, assignment, position, _words(error))
    return _answer(request, assignment, position)


@login_required
@require_POST
def consensus_show(request: PersonRequest, assignment_uuid: uuid.UUID) -> HttpResponse:
    """Show the other side one of the own notes or evidence entries."""
    assignment = assignment_for(request.user, assignment_uuid, Stage.LABEL, Stage.VERIFY)
    chosen = request.POST.get("text", "")
    try:
        if chosen not in consensus_sheet(assignment).disclosable:
            raise BadText(_("Choose one of your own notes or evidence entries."))
        disclose_reasoning(assignment=assignment, text=chosen)
    except REFUSALS as error:
        messages.error(request, _words(error))
    return redirect("consensus", assignment.uuid)


@login_required
@require_POST
def consensus_escalate(request: PersonRequest, assignment_uuid: uuid.UUID) -> HttpResponse:
    """A stalemate: hand what is open to an adjudicator, with a reason."""
    assignment = assignment_for(request.user, assignment_uuid, Stage.LABEL, Stage.VERIFY)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Explain why an adjudicator is needed."))
        return redirect("consensus", assignment.uuid)
    try:
        escalate_discussion(assignment=assignment, reason=form.cleaned_data["reason"])
    except REFUSALS as error:
        messages.error(request, _words(error))
    else:
        messages.success(request, _("An adjudicator will decide the lines that are still open."))
    return redirect("consensus", assignment.uuid)


@login_required
@require_POST
def consensus_decide(request: PersonRequest, assignment_uuid: uuid.UUID) -> HttpResponse:
    """The adjudicator settles every open line at once and goes on to the next dispute."""
    assignment = assignment_for(request.user, assignment_uuid, Stage.ADJUDICATE)
    form = ConsensusDecisionForm(request.POST, fields=consensus_sheet(assignment).fields)
    try:
        if not form.is_valid():
            raise NotSettled
        decide_dispute(assignment=assignment, texts=form.chosen_texts())
    except REFUSALS as error:
        return _render(request, assignment, status=422, error=_words(error), posted=request.POST)
    messages.success(request, _("Sample %(number)s is settled.") % {"number": assignment.sample.number})
    following = claim_work(person=request.user, project=assignment.sample.project, stage=Stage.ADJUDICATE)
    return redirect("consensus", following.uuid) if following else redirect("home")
