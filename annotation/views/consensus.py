"""The discussion page: two versions, settled field by field."""

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
from annotation.services.resolve_dispute import (
    NotOwnReasoning,
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
from config.error_responses import InvalidForm, error_message, flash_and_redirect, renders_errors
from config.errors import RequestError

PARTICIPANT_STAGES = (Stage.LABEL, Stage.VERIFY, Stage.ADJUDICATE)


@login_required
@require_GET
def consensus_page(request: PersonRequest, assignment_uuid: uuid.UUID) -> HttpResponse:
    """The discussion of one sample, as visible to this assignment."""
    return _render(request, assignment_for(request.user, assignment_uuid, *PARTICIPANT_STAGES))


def _render(request: PersonRequest, assignment: Assignment, **extra: Any) -> HttpResponse:
    sheet = consensus_sheet(assignment)
    disputed = [field for field in sheet.fields if field.is_disputed]
    context = {
        "sheet": sheet,
        "disputed": disputed,
        "settled": sum(field.is_settled for field in disputed),
        "escalate_form": ReasonForm(),
    }
    return render(request, "annotation/consensus.html", context | extra)


def _render_field(
    request: PersonRequest, assignment: Assignment, position: int, error: str = ""
) -> HttpResponse:
    """One field for htmx, or a reload once the last field is settled; without scripts the whole page."""
    sheet = consensus_sheet(assignment)
    shown_error = {"error": error, "error_position": position}
    if not request.htmx:
        if error:
            return _render(request, assignment, **shown_error)
        return redirect(f"{request.path.rsplit('/', 3)[0]}/#field-{position}")
    if sheet.is_over or not sheet.is_open:
        response = HttpResponse(status=204)
        response["HX-Refresh"] = "true"
        return response
    context = {"sheet": sheet, "field": _field_at(sheet, position), **shown_error}
    return render(request, "annotation/consensus/field.html", context)


def _field_refused(
    request: PersonRequest, error: RequestError, assignment_uuid: uuid.UUID, position: int
) -> HttpResponse:
    assignment = assignment_for(request.user, assignment_uuid, *PARTICIPANT_STAGES)
    return _render_field(request, assignment, position, error_message(error))


def _field_at(sheet: ConsensusSheet, position: int) -> FieldSheet:
    """Raises Http404 for a position that neither version has."""
    for field in sheet.fields:
        if field.position == position:
            return field
    raise Http404


class ProblemOfField(InvalidForm):
    """The form of a field is not valid; the message is the problem alone."""

    msgid = "%(problem)s"


@login_required
@require_POST
@renders_errors(_field_refused)
def consensus_sign(request: PersonRequest, assignment_uuid: uuid.UUID, position: int) -> HttpResponse:
    """Choose a version of one field: the annotator's, the reviewer's, a new one, or none."""
    assignment = assignment_for(request.user, assignment_uuid, Stage.LABEL, Stage.VERIFY)
    sheet = consensus_sheet(assignment)
    form = FieldChoiceForm(request.POST, field=_field_at(sheet, position))
    if not form.is_valid():
        raise ProblemOfField(form)
    sign_field(assignment=assignment, position=position, text=form.chosen_text())
    return _render_field(request, assignment, position)


@login_required
@require_POST
@renders_errors(_field_refused)
def consensus_say(request: PersonRequest, assignment_uuid: uuid.UUID, position: int) -> HttpResponse:
    """Post to the thread of one field."""
    assignment = assignment_for(request.user, assignment_uuid, *PARTICIPANT_STAGES)
    _field_at(consensus_sheet(assignment), position)
    form = MessageForm(request.POST)
    if not form.is_valid():
        raise ProblemOfField(form)
    post_message(assignment=assignment, position=position, text=form.cleaned_data["text"])
    return _render_field(request, assignment, position)


@login_required
@require_POST
@renders_errors(flash_and_redirect("consensus", "assignment_uuid"))
def consensus_show(request: PersonRequest, assignment_uuid: uuid.UUID) -> HttpResponse:
    """Disclose one of one's own notes or evidence entries to the other person."""
    assignment = assignment_for(request.user, assignment_uuid, Stage.LABEL, Stage.VERIFY)
    chosen = request.POST.get("text", "")
    if chosen not in consensus_sheet(assignment).disclosable:
        raise NotOwnReasoning
    disclose_reasoning(assignment=assignment, text=chosen)
    return redirect("consensus", assignment.uuid)


@login_required
@require_POST
@renders_errors(flash_and_redirect("consensus", "assignment_uuid"))
def consensus_escalate(request: PersonRequest, assignment_uuid: uuid.UUID) -> HttpResponse:
    """Pass the open fields to an adjudicator, with a reason."""
    assignment = assignment_for(request.user, assignment_uuid, Stage.LABEL, Stage.VERIFY)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Explain why an adjudicator is needed."))
        return redirect("consensus", assignment.uuid)
    escalate_discussion(assignment=assignment, reason=form.cleaned_data["reason"])
    messages.success(request, _("An adjudicator will decide the lines that are still open."))
    return redirect("consensus", assignment.uuid)


def _decision_refused(
    request: PersonRequest, error: RequestError, assignment_uuid: uuid.UUID
) -> HttpResponse:
    """The page again, with the choices as they were sent."""
    assignment = assignment_for(request.user, assignment_uuid, Stage.ADJUDICATE)
    return _render(request, assignment, error=error_message(error), posted=request.POST)


@login_required
@require_POST
@renders_errors(_decision_refused)
def consensus_decide(request: PersonRequest, assignment_uuid: uuid.UUID) -> HttpResponse:
    """The adjudicator settles all open fields at once and goes on to the next disagreement."""
    assignment = assignment_for(request.user, assignment_uuid, Stage.ADJUDICATE)
    form = ConsensusDecisionForm(request.POST, fields=consensus_sheet(assignment).fields)
    if not form.is_valid():
        raise NotSettled
    decide_dispute(assignment=assignment, texts=form.chosen_texts())
    messages.success(request, _("Sample %(number)s is settled.") % {"number": assignment.sample.number})
    following = claim_work(person=request.user, project=assignment.sample.project, stage=Stage.ADJUDICATE)
    return redirect("consensus", following.uuid) if following else redirect("home")
