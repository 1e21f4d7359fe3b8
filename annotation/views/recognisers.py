"""The three recogniser slots of a project."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from annotation.forms.recogniser import EmbeddedForm, EndpointForm
from annotation.models.project import RecogniserKind
from annotation.permissions import project_for
from annotation.services.configure_project import clear_recogniser, set_recogniser
from config.accounts.models import Role
from config.accounts.requests import PersonRequest

SLOTS = (1, 2, 3)
FORMS: dict[str, type[EmbeddedForm] | type[EndpointForm]] = {
    RecogniserKind.EMBEDDED.value: EmbeddedForm,
    RecogniserKind.ENDPOINT.value: EndpointForm,
}


@login_required
def project_recognisers(request: PersonRequest, slug: str) -> HttpResponse:
    project = project_for(request.user, slug, Role.MANAGER)
    in_force = {row.slot: row for row in project.recognisers.filter(retired_at=None)}
    retired = project.recognisers.exclude(retired_at=None).order_by("-retired_at")
    context = {
        "project": project,
        "slots": [(slot, "ABC"[slot - 1], in_force.get(slot)) for slot in SLOTS],
        "retired": retired,
    }
    return render(request, "annotation/project_recognisers.html", context)


@login_required
def recogniser_edit(request: PersonRequest, slug: str, slot: int, kind: str) -> HttpResponse:
    """Configure the recogniser of a slot."""
    project = project_for(request.user, slug, Role.MANAGER)
    if slot not in SLOTS or kind not in FORMS:
        raise Http404
    current = project.recognisers.filter(slot=slot, retired_at=None).first()
    form = FORMS[kind](request.POST if request.method == "POST" else None, current=current)
    if request.method == "POST" and form.is_valid():
        set_recogniser(project=project, slot=slot, **form.columns())
        messages.success(request, _("Recogniser %(letter)s is saved.") % {"letter": "ABC"[slot - 1]})
        return redirect("project_recognisers", slug)
    context = {
        "project": project,
        "form": form,
        "kind": kind,
        "letter": "ABC"[slot - 1],
        "slot": slot,
        "current": current,
    }
    return render(request, "annotation/recogniser_edit.html", context)


@login_required
@require_POST
def recogniser_clear(request: PersonRequest, slug: str, slot: int) -> HttpResponse:
    project = project_for(request.user, slug, Role.MANAGER)
    clear_recogniser(project=project, slot=slot)
    messages.success(request, _("The slot is now empty. Its suggestions are kept."))
    return redirect("project_recognisers", slug)
