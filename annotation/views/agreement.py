"""How annotators and second reviewers agree."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.permissions import project_for
from annotation.selectors.agreement import agreement_of
from config.accounts.models import Role
from config.accounts.requests import PersonRequest


@login_required
@require_safe
def project_agreement(request: PersonRequest, slug: str) -> HttpResponse:
    """Figures over all second reviews, before and after discussion."""
    project = project_for(request.user, slug, Role.MANAGER)
    context = {"project": project, "agreement": agreement_of(project)}
    return render(request, "annotation/project_agreement.html", context)
