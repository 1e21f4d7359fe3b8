"""A manager's page of one sample: image, metadata, history and actions."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from annotation.forms.work import ReasonForm
from annotation.models.sample import Sample
from annotation.permissions import sample_for
from annotation.selectors.difficulty import difficulty_of
from annotation.selectors.sample import MANAGER_VERBS, history_of, verbs_for_manager
from annotation.selectors.samples import state_of
from annotation.selectors.screening_queue import may_be_screened_again
from annotation.services.flag_sample import close_flag
from annotation.services.open_sample import open_labels
from annotation.services.return_work import move_work_as_manager
from annotation.stages import Intake, Verb
from config.accounts.models import Role
from config.accounts.requests import PersonRequest
from config.error_responses import flash_and_redirect, renders_errors
from config.exposure.models import SeenContent
from config.exposure.selectors import has_seen, is_restricted
from config.exposure.services import record_exposure
from config.signed_images import image_token


@login_required
def sample_page(request: PersonRequest, sample: uuid.UUID) -> HttpResponse:
    row = sample_for(request.user, sample, Role.MANAGER)
    if row.intake != Intake.SCREENING:  # during screening the image is not shown
        record_exposure(
            user=request.user,
            image_hash=row.pixel_hash,
            role=Role.MANAGER,
            saw=SeenContent.IMAGE,
            place="sample",
        )
    return render_sample(request, row)


def render_sample(request: PersonRequest, sample: Sample, **extra: object) -> HttpResponse:
    context = {
        "project": sample.project,
        "sample": sample,
        "work": getattr(sample, "work", None),
        "state": state_of(sample),
        "image": image_token(person=request.user, blob=sample.full_blob, team=sample.project.team),
        # also for a copy of such a page that waits for a decision
        "is_screening": sample.intake == Intake.SCREENING
        or is_restricted(sample.project.team_id, sample.full_blob),
        "can_screen_again": may_be_screened_again(sample),
        "past": history_of(sample, request.user),
        "verbs": verbs_for_manager(getattr(sample, "work", None)),
        "difficulty": difficulty_of(sample, request.user),
        "reason_form": ReasonForm(),
        "has_seen_labels": has_seen(request.user, sample.pixel_hash, SeenContent.LABEL),
    }
    return render(request, "annotation/sample.html", context | extra)


@login_required
@require_POST
@renders_errors(flash_and_redirect("sample", "sample"))
def sample_move(request: PersonRequest, sample: uuid.UUID, verb: str) -> HttpResponse:
    """Return, reopen, release, pass to the adjudicator, withdraw or restore, with a reason."""
    row = sample_for(request.user, sample, Role.MANAGER)
    if verb not in MANAGER_VERBS:
        raise Http404
    form = ReasonForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() else ""
    move_work_as_manager(sample=row, verb=Verb(verb), manager=request.user, reason=reason)
    messages.success(request, _("Done. This was recorded in the history."))
    return redirect("sample", row.uuid)


@login_required
@require_POST
@renders_errors(flash_and_redirect("sample", "sample"))
def sample_labels(request: PersonRequest, sample: uuid.UUID) -> HttpResponse:
    """Open the transcriptions. The service logs it and excludes the manager from blind work on this image."""
    row = sample_for(request.user, sample, Role.MANAGER)
    return render_sample(
        request, row, labels=open_labels(manager=request.user, sample=row), has_seen_labels=True
    )


@login_required
@require_POST
def flag_close(request: PersonRequest, sample: uuid.UUID, pk: int) -> HttpResponse:
    row = sample_for(request.user, sample, Role.MANAGER)
    close_flag(flag=get_object_or_404(row.flags, pk=pk), manager=request.user)
    messages.success(request, _("Flag closed."))
    return redirect("sample", row.uuid)
