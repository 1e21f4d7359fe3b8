"""Exports of a release: ask for one, watch it, fetch it."""

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
from config.blobs import has_blob, open_blob
from config.downloads import send_file
from config.jobs.models import JobState
from config.jobs.queue import requeue
from config.jobs.services import request_cancel
from evaluation.models import ExportFormat, ExportRun
from evaluation.permissions import export_for, release_for
from evaluation.services.exporting import delete_export, request_export
from evaluation.visibility import note_gold_seen


@login_required
@require_POST
def export_new(request: PersonRequest, pk: int) -> HttpResponse:
    release = release_for(request.user, pk, Role.MANAGER)
    if request.POST.get("format") not in ExportFormat.values:
        messages.error(request, _("Nothing was exported: choose one of the formats on the page."))
        return redirect("release", pk)
    run = request_export(release=release, format=ExportFormat(request.POST["format"]), by=request.user)
    return redirect("export", run.pk)


@login_required
def export_page(request: PersonRequest, pk: int) -> HttpResponse:
    run = export_for(request.user, pk, Role.MANAGER)
    return render(request, "evaluation/export.html", {"run": run, "release": run.release})


@login_required
@require_safe
def export_download(request: PersonRequest, pk: int) -> HttpResponseBase:
    """The archive, whole or from where a broken download stopped. Whoever takes it has the ground truth."""
    run = export_for(request.user, pk, Role.MANAGER)
    if run.state != JobState.DONE or not has_blob(run.checksum):
        raise Http404
    if not request.headers.get("Range"):
        note_gold_seen(user=request.user, items=run.release.items.only("pixel_hash"), place="export")
    return send_file(
        request,
        open_blob(run.checksum),
        name=file_name(run),
        size=run.size,
        etag=run.checksum,
        content_type="application/zip",
    )


def file_name(run: ExportRun) -> str:
    """What the archive is called on the person's own disk."""
    return f"{run.release.team.slug}-release-{run.release.number}-{run.format}.zip"


@login_required
@require_POST
def export_action(request: PersonRequest, pk: int, action: str) -> HttpResponse:
    """Stop an export that runs, run one again, or remove it."""
    run = export_for(request.user, pk, Role.MANAGER)
    if action == "cancel":
        request_cancel(run)
    elif action == "again":
        requeue(run)
    elif action == "remove" and run.is_over:
        delete_export(run)
        messages.success(request, _("The export is removed. The release stays, and can be exported again."))
        return redirect("release", run.release_id)
    else:
        raise Http404
    return redirect("export", pk)
