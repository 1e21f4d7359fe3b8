"""Creating, configuring and archiving a project."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from annotation.forms.project import NewProjectForm, ProjectForm
from annotation.models.project import Project
from annotation.permissions import check_creation, project_for
from annotation.services.configure_project import (
    archive_project,
    change_project,
    start_project,
    unarchive_project,
)
from config.accounts.models import Role
from config.accounts.requests import PersonRequest


@login_required
def project_new(request: PersonRequest) -> HttpResponse:
    check_creation(request.user)
    form = NewProjectForm(
        request.POST if request.method == "POST" else None, initial={"guideline": get_language() or "en"}
    )
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        project = start_project(
            by=request.user,
            slug=data["slug"],
            guideline_language=data["guideline"],
            engines=data["recognisers"],
            **form.columns(),
        )
        messages.success(request, _("Project created. Next, import samples and invite people."))
        return redirect("project", project.slug)
    return render(request, "annotation/project_new.html", {"form": form})


@login_required
def project_settings(request: PersonRequest, slug: str) -> HttpResponse:
    project = project_for(request.user, slug, Role.MANAGER)
    form = ProjectForm(
        request.POST if request.method == "POST" else None, instance=Project.objects.get(pk=project.pk)
    )
    if request.method == "POST" and form.is_valid():
        change_project(project=project, **form.columns())
        messages.success(request, _("Settings saved."))
        return redirect("project_settings", slug)
    return render(request, "annotation/project_settings.html", {"project": project, "form": form})


@login_required
@require_POST
def project_archive(request: PersonRequest, slug: str) -> HttpResponse:
    """Archive the project, or with `undo` restore it."""
    project = project_for(request.user, slug, Role.MANAGER)
    if "undo" in request.POST:
        unarchive_project(project=project)
        messages.success(request, _("The project is restored."))
        return redirect("project", slug)
    archive_project(project=project)
    messages.success(request, _("The project is archived. Nothing was deleted."))
    return redirect("home")
