"""The people of a project: roles and invitations. For managers only, since it shows names."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from annotation.forms.people import InvitationForm, RolesForm
from annotation.models.project import Project
from annotation.permissions import project_for
from config.accounts.models import Invitation, Role, User
from config.accounts.requests import PersonRequest
from config.accounts.selectors import members_of, people_in, roles_in
from config.accounts.services import invite, revoke_invitation, set_roles
from config.error_responses import FormErrors


@login_required
def project_people(request: PersonRequest, slug: str) -> HttpResponse:
    """Members and invitations; POST creates an invitation."""
    project = project_for(request.user, slug, Role.MANAGER)
    form = InvitationForm(
        request.POST if request.method == "POST" else None, initial={"roles": [Role.ANNOTATOR]}
    )
    if request.method == "POST" and form.is_valid():
        invite(team=project.team, by=request.user, **form.cleaned_data)
        messages.success(request, _("The link is ready. Copy it and send it."))
        return redirect("project_people", slug)
    return render(request, "annotation/project_people.html", _context(request, project) | {"form": form})


def _context(request: PersonRequest, project: Project) -> dict[str, object]:
    invitations = project.team.invitations.select_related("created_by").order_by("-created_at")
    open_rows = [row for row in invitations if row.is_open()]
    return {
        "project": project,
        "members": members_of(project.team),
        "invitations": [(row, request.build_absolute_uri(f"/invitations/{row.token}/")) for row in open_rows],
        "closed_count": len(invitations) - len(open_rows),
    }


@login_required
def person_roles(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    """Change the roles of one person; without any role they leave the project."""
    project = project_for(request.user, slug, Role.MANAGER)
    person = get_object_or_404(people_in(project.team), pk=pk)
    current = roles_in(person, project.team)
    form = RolesForm(request.POST if request.method == "POST" else None, initial={"roles": sorted(current)})
    if request.method == "POST" and form.is_valid():
        with FormErrors(form):
            set_roles(team=project.team, user=person, roles=[Role(r) for r in form.cleaned_data["roles"]])
            return _after_roles(request, project, person)
    return render(
        request, "annotation/person_roles.html", {"project": project, "person": person, "form": form}
    )


def _after_roles(request: PersonRequest, project: Project, person: User) -> HttpResponse:
    messages.success(request, _("Roles saved for %(name)s.") % {"name": person.display_name})
    still_manages = Role.MANAGER in roles_in(request.user, project.team)
    return redirect("project_people", project.slug) if still_manages else redirect("home")


@login_required
@require_POST
def invitation_revoke(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    project = project_for(request.user, slug, Role.MANAGER)
    revoke_invitation(invitation=get_object_or_404(Invitation, pk=pk, team=project.team))
    messages.success(request, _("The link no longer works. Roles given through it remain."))
    return redirect("project_people", slug)
