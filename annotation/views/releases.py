"""A project's releases, and freezing the next one."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation.forms.model_run import ModelRunForm
from annotation.forms.releases import ReleaseForm
from annotation.permissions import project_for
from annotation.selectors.releases import next_release
from annotation.services.release_samples import WritersCrossSplits, create_release
from config.accounts.models import Role
from config.accounts.requests import PersonRequest
from config.accounts.selectors import has_role
from evaluation.forms.release_import import ReleaseImportForm
from evaluation.imports.release import BadExport
from evaluation.permissions import release_for
from evaluation.prediction_formats import PAGE
from evaluation.selectors.releases import releases_of
from evaluation.services.freeze_release import NothingToRelease, NumberTaken
from evaluation.services.reimport_release import AlreadyHere, reimport_release
from evaluation.services.run_model import request_model_run

PAGE_SIZE = 25


@login_required
def project_releases(request: PersonRequest, slug: str) -> HttpResponse:
    """The list, for everybody in the project; only managers get to the contents."""
    project = project_for(request.user, slug)
    page = Paginator(releases_of(project.team), PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "project": project,
        "page": page,
        "is_manager": has_role(request.user, project.team, Role.MANAGER),
    }
    return render(request, "annotation/project_releases.html", context)


@login_required
def release_new(request: PersonRequest, slug: str) -> HttpResponse:
    """Freeze what is verified, after a look at what that is."""
    project = project_for(request.user, slug, Role.MANAGER)
    upcoming = next_release(project)
    form = ReleaseForm(
        request.POST if request.method == "POST" else None,
        initial={"number": upcoming.number},
        upcoming=upcoming,
    )
    if request.method == "POST" and form.is_valid():
        try:
            release = create_release(
                project=project,
                by=request.user,
                title=form.cleaned_data["title"],
                notes=form.cleaned_data["notes"],
                expected=form.cleaned_data["number"],
                formula_answers=form.cleaned_data.get("formula_answers", PAGE),
                with_imported=form.cleaned_data.get("with_imported", False),
                crossing_reason=form.cleaned_data.get("crossing_reason", ""),
            )
        except WritersCrossSplits:
            upcoming = next_release(project)
            form.add_error(
                None,
                _(
                    "The release was not frozen: some writers appear in more than one "
                    "split. Fix the splits, or give a reason."
                ),
            )
        except NumberTaken:
            messages.info(
                request,
                _(
                    "The release was not frozen: another release has been frozen "
                    "since you opened the page. It is shown here."
                ),
            )
            return redirect("project_releases", slug)
        except NothingToRelease:
            messages.error(request, _("The release was not frozen: no verified samples are left."))
        else:
            messages.success(
                request, _("Release %(number)d is frozen and will never change.") % {"number": release.number}
            )
            return redirect("release", release.pk)
    context = {"project": project, "form": form, "next": upcoming}
    return render(request, "annotation/release_new.html", context)


@login_required
def model_run_new(request: PersonRequest, pk: int) -> HttpResponse:
    """Let one of the recognisers read a release."""
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


@login_required
def release_import(request: PersonRequest, slug: str) -> HttpResponse:
    """Take an exported release in again; it becomes the next one."""
    project = project_for(request.user, slug, Role.MANAGER)
    form = ReleaseImportForm(*((request.POST, request.FILES) if request.method == "POST" else ()))
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        try:
            release = reimport_release(team=project.team, by=request.user, file=file.file)
        except BadExport as error:
            form.add_error("file", _("Nothing was imported. %(why)s") % {"why": error.message(_)})
        except NothingToRelease:
            form.add_error("file", _("Nothing was imported: the export contains no samples."))
        except AlreadyHere as same:
            messages.info(request, _("Nothing was imported: this release already contains the same records."))
            return redirect("release", same.release.pk)
        else:
            messages.success(request, _("Imported as release %(number)d.") % {"number": release.number})
            return redirect("release", release.pk)
    return render(request, "annotation/release_import.html", {"project": project, "form": form})
