"""Progress of the recognisers, and requesting missing suggestions."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from annotation.permissions import project_for
from annotation.selectors.suggestions import is_reading, progress_of
from annotation.services.preannotate_sample import request_suggestions
from config.accounts.models import Role
from config.accounts.requests import PersonRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def project_suggestions(request: PersonRequest, slug: str) -> HttpResponse:
    """Progress and failures of each recogniser; POST requests the missing suggestions."""
    project = project_for(request.user, slug, Role.MANAGER)
    if request.method == "POST":
        queued = request_suggestions(project=project)
        if queued:
            message = ngettext("%(n)s suggestion requested.", "%(n)s suggestions requested.", queued) % {
                "n": queued
            }
            messages.success(request, message)
        else:
            messages.info(request, _("Nothing is missing: every recogniser has read every sample."))
        return redirect("project_suggestions", slug)
    context = {
        "project": project,
        "recognisers": progress_of(project, request.user),
        "is_reading": is_reading(project),
    }
    return render(request, "annotation/project_suggestions.html", context)
