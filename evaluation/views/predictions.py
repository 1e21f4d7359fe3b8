"""Predictions of systems for a release: list them, upload them, see what was accepted, score, remove."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from config.accounts.models import Role
from config.accounts.requests import PersonRequest
from config.error_responses import add_error
from config.jobs.queue import requeue
from config.jobs.services import request_cancel
from config.uploads import accepts_files
from evaluation.forms.predictions import PredictionsForm
from evaluation.imports.predictions import Given
from evaluation.models import PredictionSet, Release, System, SystemKind
from evaluation.permissions import prediction_set_for, release_for
from evaluation.selectors.predictions import counts_of, score_runs_of
from evaluation.selectors.releases import prediction_sets_of
from evaluation.services.record_predictions import NothingTaken, upload_predictions
from evaluation.services.score_predictions import request_score
from evaluation.upload_messages import line_for

PAGE_SIZE = 20
REPORT_PAGE = 50


@login_required
@require_safe
def release_runs(request: PersonRequest, pk: int) -> HttpResponse:
    """Everything that predicts a release: runs of recognisers with their progress, uploads, and people."""
    release = release_for(request.user, pk, Role.MANAGER)
    page = Paginator(prediction_sets_of(release), PAGE_SIZE).get_page(request.GET.get("page"))
    runs = [getattr(prediction_set, "model_run", None) for prediction_set in page]
    context = {
        "release": release,
        "page": page,
        "is_busy": any(run is not None and not run.is_over for run in runs),
    }
    return render(request, "evaluation/release_runs.html", context)


@accepts_files
@login_required
def predictions_upload(request: PersonRequest, pk: int) -> HttpResponse:
    release = release_for(request.user, pk, Role.MANAGER)
    systems = list(System.objects.filter(team=release.team).order_by("name"))
    form = PredictionsForm(request.POST if request.method == "POST" else None, systems=systems)
    faults: list[str] = []
    if request.method == "POST":
        files = _uploaded_files(request)
        if not files:
            form.add_error(None, _("Nothing was submitted. Choose at least one file."))
        if form.is_valid():
            try:
                return _upload(request, release, form, files)
            except NothingTaken as error:
                faults = error.faults()
                add_error(form, error)
        if request.headers.get("X-Requested-With") == "XMLHttpRequest":
            problems = [str(problem) for problems in form.errors.values() for problem in problems]
            return JsonResponse({"errors": [*problems, *faults]}, status=400)
    context = {"release": release, "form": form, "systems": systems, "faults": faults}
    return render(request, "evaluation/predictions_upload.html", context)


def _upload(
    request: PersonRequest, release: Release, form: PredictionsForm, files: list[Given]
) -> HttpResponse:
    prediction_set = upload_predictions(
        release=release,
        system_name=form.cleaned_data["system"],
        by=request.user,
        files=files,
        kind=SystemKind(form.cleaned_data["kind"]),
    )
    request_score(prediction_set=prediction_set)
    if prediction_set.report:
        messages.warning(request, _("Some predictions were not accepted. See the report below."))
    return redirect("prediction_set", prediction_set.pk)


def _uploaded_files(request: PersonRequest) -> list[Given]:
    """The files with their paths within folders, where the browser gives them in `paths`."""
    files: list[UploadedFile[bytes]] = request.FILES.getlist("files")
    paths = request.POST.getlist("paths")
    names = paths if len(paths) == len(files) else [file.name or "" for file in files]
    return [(name, file.file) for name, file in zip(names, files, strict=True) if file.file is not None]


@login_required
def prediction_set_page(request: PersonRequest, pk: int) -> HttpResponse:
    """What was accepted, what was refused and why, and the score runs."""
    prediction_set = prediction_set_for(request.user, pk, Role.MANAGER)
    report = Paginator(prediction_set.report, REPORT_PAGE).get_page(request.GET.get("page"))
    runs = score_runs_of(prediction_set)
    context = {
        "release": prediction_set.release,
        "answers": prediction_set,
        "counts": counts_of(prediction_set),
        "runs": runs,
        "model_run": getattr(prediction_set, "model_run", None),
        "is_busy": any(not run.is_over for run in runs),
        "page": report,
        "lines": [line_for(entry) for entry in report],
    }
    return render(request, "evaluation/prediction_set.html", context)


@login_required
@require_POST
def prediction_set_action(request: PersonRequest, pk: int, action: str) -> HttpResponse:
    """Cancel or resume a recogniser's run, or remove the predictions."""
    prediction_set = prediction_set_for(request.user, pk, Role.MANAGER)
    if action == "remove":
        return _remove(request, prediction_set)
    run = getattr(prediction_set, "model_run", None)
    if run is None or action not in ("cancel", "again"):
        raise Http404
    if action == "cancel":
        request_cancel(run)
    else:
        requeue(run)
    return redirect("prediction_set", pk)


def _remove(request: PersonRequest, prediction_set: PredictionSet) -> HttpResponse:
    release, name = prediction_set.release, prediction_set.system.name
    prediction_set.delete()
    messages.success(
        request,
        _("The predictions were removed. The system %(name)s and its other predictions are kept.")
        % {"name": name},
    )
    return redirect("release_runs", release.pk)
