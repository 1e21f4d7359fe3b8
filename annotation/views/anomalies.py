"""The managers' report of suspicious submissions."""

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
    """Identical texts of several pages, submissions faster than reading, masks without a mark, and visible copies of
    redacted pages."""
    project = project_for(request.user, slug, Role.MANAGER)
    context = {
        "project": project,
        "same": same_texts(project, request.user),
        "fast": too_fast(project, request.user),
        "unmarked": unmarked(project, request.user),
        "still_showing": samples_still_showing(project),
        "least_seconds": MIN_SECONDS,
        # Managers who also work blind do not see samples they may still be assigned, nor whose work it is.
        "is_blind_too": has_role(request.user, project.team, *BLIND_ROLES),
    }
    return render(request, "annotation/project_checks.html", context)
