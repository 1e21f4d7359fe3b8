"""Exports of a release: request, progress, download."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from config.accounts.models import Role
from config.accounts.requests import PersonRequest
from config.jobs.queue import requeue
from config.jobs.services import request_cancel
from evaluation.downloads import send_export
from evaluation.models import ExportFormat
from evaluation.permissions import export_for, release_for
from evaluation.services.export_release import delete_export, request_export


@login_required
@require_POST
def export_new(request: PersonRequest, pk: int) -> HttpResponse:
    release = release_for(request.user, pk, Role.MANAGER)
    if request.POST.get("format") not in ExportFormat.values:
        messages.error(request, _("Nothing was exported. Choose one of the formats on the page."))
        return redirect("release_reports", pk)
    run = request_export(release=release, format=ExportFormat(request.POST["format"]), by=request.user)
    return redirect("export", run.pk)


@login_required
def export_page(request: PersonRequest, pk: int) -> HttpResponse:
    run = export_for(request.user, pk, Role.MANAGER)
    return render(request, "evaluation/export.html", {"run": run, "release": run.release})


@login_required
@require_safe
def export_download(request: PersonRequest, pk: int) -> HttpResponseBase:
    """The archive, which contains the ground truth; the download is recorded."""
    run = export_for(request.user, pk, Role.MANAGER)
    return send_export(request, user=request.user, run=run)


@login_required
@require_POST
def export_action(request: PersonRequest, pk: int, action: str) -> HttpResponse:
    """Cancel a running export, run one again, or remove it."""
    run = export_for(request.user, pk, Role.MANAGER)
    if action == "cancel":
        request_cancel(run)
    elif action == "again":
        requeue(run)
    elif action == "remove" and run.is_over:
        delete_export(run)
        messages.success(request, _("The export was removed. The release is kept and can be exported again."))
        return redirect("release_reports", run.release_id)
    else:
        raise Http404
    return redirect("export", pk)
