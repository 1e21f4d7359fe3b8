"""A project's releases, and freezing the next one."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation.forms.releases import ReleaseForm
from annotation.permissions import project_for
from annotation.selectors.releases import next_release
from annotation.services.release import make_release
from config.accounts.models import Role
from config.accounts.requests import PersonRequest
from config.accounts.selectors import has_role
from evaluation.selectors.releases import releases_of
from evaluation.services.releases import NothingToRelease

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
    form = ReleaseForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            release = make_release(
                project=project,
                by=request.user,
                title=form.cleaned_data["title"],
                notes=form.cleaned_data["notes"],
            )
        except NothingToRelease:
            messages.error(request, _("Nothing was frozen: no sample is verified any more."))
        else:
            messages.success(
                request, _("Release %(number)d is frozen. It will never change.") % {"number": release.number}
            )
            return redirect("release", release.pk)
    context = {"project": project, "form": form, "next": next_release(project)}
    return render(request, "annotation/release_new.html", context)
