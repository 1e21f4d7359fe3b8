"""What there is to read and to take away of a release: exports, the data card, score files, what changed."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from config.accounts.models import Role
from config.accounts.requests import PersonRequest
from evaluation.exports.data_card import data_card
from evaluation.models import ExportFormat
from evaluation.permissions import release_for
from evaluation.selectors.leaderboard import scored_bundles
from evaluation.selectors.releases import changes_of


@login_required
@require_safe
def release_reports(request: PersonRequest, pk: int) -> HttpResponse:
    release = release_for(request.user, pk, Role.MANAGER)
    context = {
        "release": release,
        "changes": changes_of(release),
        "exports": release.exports.order_by("-queued_at", "-pk")[:10],
        "formats": ExportFormat,
        "bundles": scored_bundles(release),
    }
    return render(request, "evaluation/release_reports.html", context)


@login_required
@require_safe
def release_data_card(request: PersonRequest, pk: int) -> HttpResponse:
    """The Markdown that also lies in every export."""
    release = release_for(request.user, pk, Role.MANAGER)
    response = HttpResponse(data_card(release), content_type="text/markdown; charset=utf-8")
    name = f"{release.team.slug}-release-{release.number}-data-card.md"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
