"""Expert studies, for their managers: setting up, progress, closing."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from config.accounts.models import Role, User
from config.accounts.requests import PersonRequest
from config.accounts.selectors import people_in
from config.error_responses import flash_and_redirect, renders_errors
from config.uploads import accepts_files
from evaluation.models import Release
from evaluation.permissions import release_for
from evaluation.preference.forms import SetUpForm, StudyForm
from evaluation.preference.labels import FIGURES, TABLES, summary
from evaluation.preference.models import Study, StudyState
from evaluation.preference.permissions import study_for
from evaluation.preference.selectors import progress_of, studies_of
from evaluation.preference.services.analyse_study import request_results, results_of
from evaluation.preference.services.configure_study import (
    configure,
    create_study,
    draw_again,
    remove_study,
    scores_of,
)
from evaluation.preference.services.open_study import close_study, open_study
from evaluation.preference.views.setup_checks import draft_context, setup_initial
from evaluation.selectors.releases import prediction_sets_of


@login_required
def studies(request: PersonRequest, pk: int) -> HttpResponse:
    release = release_for(request.user, pk, Role.MANAGER)
    context = {"release": release, "studies": studies_of(release, request.user)}
    return render(request, "preference/studies.html", context)


@accepts_files
@login_required
def study_new(request: PersonRequest, pk: int) -> HttpResponse:
    release = release_for(request.user, pk, Role.MANAGER)
    sets = prediction_sets_of(release)
    form = StudyForm(request.POST or None, request.FILES or None, sets=sets)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        study = create_study(
            release=release,
            by=request.user,
            title=data["title"],
            prediction_sets=list(data["prediction_sets"]),
            scores=data["scores"],
        )
        return redirect("study_setup", study.pk)
    context = {
        "release": release,
        "form": form,
        "has_systems": sets.exists(),
        "n_ready": _count_ready(release),
    }
    return render(request, "preference/study_new.html", context, status=400 if form.errors else 200)


@login_required
@renders_errors(flash_and_redirect("study", "pk"))
def study_setup(request: PersonRequest, pk: int) -> HttpResponse:
    study = study_for(request.user, pk)
    if study.state != StudyState.DRAFT:
        return redirect("study", pk)
    form = SetUpForm(
        request.POST or None, scores=scores_of(study), people=_raters_for(study), initial=setup_initial(study)
    )
    if request.method == "POST" and form.is_valid():
        configure(study=study, plan=form.plan())
        return redirect("study", pk)
    context = {"study": study, "release": study.release, "form": form}
    return render(request, "preference/study_setup.html", context, status=400 if form.errors else 200)


@login_required
def study_page(request: PersonRequest, pk: int) -> HttpResponse:
    """By state: the checks before it opens, the progress while it is open, the report once computed."""
    study = study_for(request.user, pk)
    sources = list(study.score_sources.all())
    context: dict[str, Any] = {"study": study, "release": study.release, "score_sources": sources}
    if study.state == StudyState.DRAFT:
        return render(request, "preference/study_draft.html", context | draft_context(study))
    progress = progress_of(study)
    context |= {"progress": progress, "n_missing": sum(rater.total - rater.done for rater in progress)}
    if study.state == StudyState.OPEN:
        return render(request, "preference/study_open.html", context)
    results = results_of(study)
    if results is None:
        context["run"] = getattr(study, "analysis", None)
        return render(request, "preference/study_closed.html", context)
    first, second = (source.label for source in sources[:2])
    context |= {"results": results, "first": first, "second": second, "tables": TABLES}
    context |= {"sentences": summary(results, first, second), "figures": FIGURES}
    return render(request, "preference/report.html", context)


@login_required
@require_POST
@renders_errors(flash_and_redirect("study", "pk"))
def study_action(request: PersonRequest, pk: int, action: str) -> HttpResponse:
    """Draw again, open, close, compute the results again, or remove."""
    study = study_for(request.user, pk)
    if action == "draw":
        draw_again(study)
    elif action == "open":
        open_study(study)
    elif action == "close" and study.state != StudyState.DRAFT:
        close_study(study)
    elif action == "analyse" and study.state == StudyState.CLOSED:
        request_results(study)
    elif action == "remove":
        remove_study(study)
        messages.success(request, _("The draft was removed."))
        return redirect("studies", study.release_id)
    else:
        raise Http404
    return redirect("study", pk)


def _raters_for(study: Study) -> QuerySet[User]:
    team = study.release.team
    managers = people_in(team, Role.MANAGER).values("pk")
    return people_in(team).exclude(pk__in=managers).order_by("username")


def _count_ready(release: Release) -> int:
    """The number of samples with a problem and a reference answer."""
    rows = release.items.exclude(record__extra__problem=None).exclude(record__extra__problem="")
    return (
        rows.exclude(record__extra__reference_answer=None).exclude(record__extra__reference_answer="").count()
    )
