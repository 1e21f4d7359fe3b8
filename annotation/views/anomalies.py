"""The managers' report of submissions that deserve a look."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.permissions import project_for
from annotation.selectors.anomalies import MIN_SECONDS, same_texts, too_fast, unmarked
from annotation.selectors.blind_manager import BLIND_ROLES
from annotation.selectors.privacy import samples_still_showing
from config.accounts.models import Role
from config.accounts.requests import PersonRequest
from config.accounts.selectors import has_role


@login_required
@require_safe
def project_checks(request: PersonRequest, slug: str) -> HttpResponse:
    """One text for several pages, pages handed in faster than anybody can read, masks without their mark, and copies
    of redacted pages."""
    project = project_for(request.user, slug, Role.MANAGER)
    context = {
        "project": project,
        "same": same_texts(project, request.user),
        "fast": too_fast(project, request.user),
        "unmarked": unmarked(project, request.user),
        "still_showing": samples_still_showing(project),
        "least_seconds": MIN_SECONDS,
        # Who also works blind here learns of no sample they may still be given, and never whose work it is.
        "is_blind_too": has_role(request.user, project.team, *BLIND_ROLES),
    }
    return render(request, "annotation/project_checks.html", context)
