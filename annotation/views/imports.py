"""Bring pages in, and watch them come."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.forms.imports import ImportForm, form_errors
from annotation.manifest import FIELDS
from annotation.models import ImportRun, Project
from annotation.permissions import import_for, project_for
from annotation.selectors.imports import count_samples, groups_of, speed_of
from annotation.services.create_import import (
    RunStarted,
    import_limits,
    open_import,
    receive_file,
    start_import,
)
from config.accounts.models import Role
from config.accounts.requests import PersonRequest
from config.jobs.queue import requeue
from config.jobs.services import request_cancel


@login_required
def project_import(request: PersonRequest, slug: str) -> HttpResponse:
    """The form with the recent imports; a POST brings files, in one request or in several with `more` set.

    A request with `more` is answered with JSON {"run": id}; the next ones name that run, the last one starts it.
    """
    project = project_for(request.user, slug, Role.MANAGER)
    form = ImportForm(request.POST if request.method == "POST" else None, project=project)
    if request.method == "POST":
        return _receive(request, project, form)
    return _page(request, project, form)


def _receive(request: PersonRequest, project: Project, form: ImportForm) -> HttpResponse:
    uploads = request.FILES.getlist("files")
    if not form.is_valid():
        return _refuse(request, project, form)
    if not uploads:
        form.add_error(None, _("Choose at least one file."))
        return _refuse(request, project, form)
    try:
        run = _import_for(request, project, form)
        _take(run, uploads, request.POST.getlist("paths"))
    except RunStarted:
        form.add_error(None, _("This import has already started. Import the remaining files separately."))
        return _refuse(request, project, form)
    if request.POST.get("more"):
        return JsonResponse({"run": run.pk})
    start_import(run=run)
    return redirect("import_run", run.pk)


def _import_for(request: PersonRequest, project: Project, form: ImportForm) -> ImportRun:
    """The run that earlier requests of this upload began, or a new one. Raises RunStarted for one that began work."""
    key = request.POST.get("run", "")
    if not (key.isdecimal() and len(key) <= 18):
        return open_import(project=project, by=request.user, origin="browser", defaults=form.defaults())
    run = get_object_or_404(ImportRun, pk=int(key), project=project, created_by=request.user)
    if not run.is_receiving:
        raise RunStarted
    return run


def _take(run: ImportRun, uploads: list[UploadedFile[bytes]], paths: list[str]) -> None:
    """Browsers send no folders in file names; `paths` carries them, in the order of the files."""
    names = paths if len(paths) == len(uploads) else [upload.name or "" for upload in uploads]
    for name, upload in zip(names, uploads, strict=True):
        receive_file(run=run, name=name, file=upload)


def _refuse(request: PersonRequest, project: Project, form: ImportForm) -> HttpResponse:
    if request.headers.get("X-Requested-With") == "XMLHttpRequest":
        return JsonResponse({"errors": list(form_errors(form))}, status=422)
    return _page(request, project, form, status=422)


def _page(request: PersonRequest, project: Project, form: ImportForm, status: int = 200) -> HttpResponse:
    context = {
        "project": project,
        "form": form,
        "limits": import_limits(),
        "manifest_fields": ("file", "page", *FIELDS),
        "runs": project.imports.select_related("created_by").order_by("-pk")[:10],
    }
    return render(request, "annotation/project_import.html", context, status=status)


@login_required
@require_safe
def import_run(request: PersonRequest, pk: int) -> HttpResponse:
    """One import: how far it is, and what came of each file. htmx asks for the live part again until it is over."""
    run = import_for(request.user, pk)
    part = "#live" if request.htmx else ""
    return render(request, f"annotation/import_run.html{part}", _context(run))


def _context(run: ImportRun) -> dict[str, Any]:
    samples, waiting = count_samples(run)
    return {
        "run": run,
        "project": run.project,
        "groups": groups_of(run),
        "speed": speed_of(run),
        "samples": samples,
        "waiting": waiting,
        "error": run.told,
    }


@login_required
@require_POST
def import_cancel(request: PersonRequest, pk: int) -> HttpResponse:
    """Stop; what came in stays."""
    request_cancel(import_for(request.user, pk))
    return redirect("import_run", pk)


@login_required
@require_POST
def import_again(request: PersonRequest, pk: int) -> HttpResponse:
    """Go on with an import that stopped, or begin with what an interrupted upload brought."""
    run = import_for(request.user, pk)
    start_import(run=run)
    requeue(run)
    return redirect("import_run", pk)
