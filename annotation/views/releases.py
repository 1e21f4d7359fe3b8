"""A project's releases: the list, freezing and importing one, running a recogniser on one."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation.forms.model_run import ModelRunForm
from annotation.forms.releases import ReleaseForm
from annotation.models import Project
from annotation.permissions import project_for
from annotation.selectors.releases import next_release
from annotation.services.release_samples import create_release
from config.accounts.models import Role, User
from config.accounts.requests import PersonRequest
from config.accounts.selectors import has_role
from config.error_responses import FormErrors, error_message, flash_and_redirect, renders_errors
from config.uploads import accepts_files
from evaluation.forms.release_import import ReleaseImportForm
from evaluation.models import Release
from evaluation.permissions import closed_figures, release_for
from evaluation.prediction_formats import PAGE
from evaluation.selectors.releases import releases_of
from evaluation.services.freeze_release import NumberTaken
from evaluation.services.reimport_release import AlreadyHere, reimport_release
from evaluation.services.run_model import request_model_run

PAGE_SIZE = 25


@login_required
def project_releases(request: PersonRequest, slug: str) -> HttpResponse:
    """The list, for all members; only managers can open a release. Links that a study closes to the person are left
    out, and the reason stands there."""
    project = project_for(request.user, slug)
    page = Paginator(releases_of(project.team), PAGE_SIZE).get_page(request.GET.get("page"))
    releases = list(page.object_list)
    closed = closed_figures(request.user, releases)
    context = {
        "project": project,
        "page": page,
        "rows": [(release, closed.get(release.pk, "")) for release in releases],
        "is_manager": has_role(request.user, project.team, Role.MANAGER),
    }
    return render(request, "annotation/project_releases.html", context)


@login_required
@renders_errors(flash_and_redirect("project_releases", "slug"))
def release_new(request: PersonRequest, slug: str) -> HttpResponse:
    """Freeze the verified samples as the next release; the page shows which."""
    project = project_for(request.user, slug, Role.MANAGER)
    upcoming = next_release(project)
    form = ReleaseForm(
        request.POST if request.method == "POST" else None,
        initial={"number": upcoming.number},
        upcoming=upcoming,
    )
    if request.method == "POST" and form.is_valid():
        with FormErrors(form, but=NumberTaken):
            release = _freeze(project, request.user, form)
            messages.success(
                request, _("Release %(number)d is frozen and will never change.") % {"number": release.number}
            )
            return redirect("release", release.pk)
        upcoming = next_release(project)
    context = {"project": project, "form": form, "next": upcoming}
    return render(request, "annotation/release_new.html", context)


def _freeze(project: Project, manager: User, form: ReleaseForm) -> Release:
    data = form.cleaned_data
    return create_release(
        project=project,
        by=manager,
        title=data["title"],
        notes=data["notes"],
        expected=data["number"],
        formula_answers=data.get("formula_answers", PAGE),
        with_imported=data.get("with_imported", False),
        crossing_reason=data.get("crossing_reason", ""),
    )


@login_required
def model_run_new(request: PersonRequest, pk: int) -> HttpResponse:
    """Run one of the recognisers on a release."""
    release = release_for(request.user, pk, Role.MANAGER)
    project = project_for(request.user, release.team.slug, Role.MANAGER)
    form = ModelRunForm(request.POST if request.method == "POST" else None, project=project)
    if request.method == "POST" and form.is_valid():
        run = request_model_run(
            release=release,
            recogniser=form.chosen(),
            by=request.user,
            system_name=form.cleaned_data["system"],
        )
        return redirect("prediction_set", run.prediction_set_id)
    context = {"project": project, "release": release, "form": form}
    return render(request, "annotation/model_run_new.html", context)


@accepts_files
@login_required
def release_import(request: PersonRequest, slug: str) -> HttpResponse:
    """Import an exported release as the next release."""
    project = project_for(request.user, slug, Role.MANAGER)
    form = ReleaseImportForm(*((request.POST, request.FILES) if request.method == "POST" else ()))
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        try:
            with FormErrors(form, but=AlreadyHere):
                release = reimport_release(team=project.team, by=request.user, file=file.file)
                messages.success(request, _("Imported as release %(number)d.") % {"number": release.number})
                return redirect("release", release.pk)
        except AlreadyHere as error:
            messages.info(request, error_message(error))
            return redirect("release", error.release.pk)
    return render(request, "annotation/release_import.html", {"project": project, "form": form})
