"""Importing pages, and the progress of an import."""

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
from config.error_responses import FormErrors
from config.jobs.queue import requeue
from config.jobs.services import request_cancel
from config.uploads import accepts_files


@accepts_files
@login_required
def project_import(request: PersonRequest, slug: str) -> HttpResponse:
    """The form and the recent imports; a POST uploads files, in one request or in several with `more` set.

    A request with `more` returns JSON {"run": id}; the following ones name that run, and the last one starts it.
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
    with FormErrors(form):
        run = _import_for(request, project, form)
        _receive_files(run, uploads, request.POST.getlist("paths"))
        if request.POST.get("more"):
            return JsonResponse({"run": run.pk})
        start_import(run=run)
        return redirect("import_run", run.pk)
    return _refuse(request, project, form)


def _import_for(request: PersonRequest, project: Project, form: ImportForm) -> ImportRun:
    """The run opened by an earlier request of this upload, or a new one. Raises RunStarted."""
    key = request.POST.get("run", "")
    if not (key.isdecimal() and len(key) <= 18):
        return open_import(project=project, by=request.user, origin="browser", defaults=form.defaults())
    run = get_object_or_404(ImportRun, pk=int(key), project=project, created_by=request.user)
    if not run.is_receiving:
        raise RunStarted
    return run


def _receive_files(run: ImportRun, uploads: list[UploadedFile[bytes]], paths: list[str]) -> None:
    """`paths` gives the paths within folders, which browsers leave out of file names, in the order of the files."""
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
    """Progress of an import and the outcome of each file. htmx polls the live part until it is over."""
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
        "error": run.error_message,
    }


@login_required
@require_POST
def import_cancel(request: PersonRequest, pk: int) -> HttpResponse:
    """Cancel. Pages already imported are kept."""
    request_cancel(import_for(request.user, pk))
    return redirect("import_run", pk)


@login_required
@require_POST
def import_again(request: PersonRequest, pk: int) -> HttpResponse:
    """Resume an import that stopped, or start with the files of an interrupted upload."""
    run = import_for(request.user, pk)
    start_import(run=run)
    requeue(run)
    return redirect("import_run", pk)
