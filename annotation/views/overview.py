"""The manager's overview and list of samples."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render

from annotation.forms.samples import SampleFilterForm
from annotation.permissions import project_for
from annotation.selectors.manager_tasks import count_for_managers, tasks_for_managers
from annotation.selectors.overview import FLOW, columns_of, distribution_of
from annotation.selectors.samples import SampleFilter, SamplePages, samples_of, state_of
from annotation.stages import SampleState
from config.accounts.models import Role
from config.accounts.requests import PersonRequest

PAGE_SIZE = 50


@login_required
def project_overview(request: PersonRequest, slug: str) -> HttpResponse:
    """The flow of samples, what needs a manager, and how the samples are distributed."""
    project = project_for(request.user, slug, Role.MANAGER)
    columns = columns_of(project)
    counts = count_for_managers(project)
    by_structure, by_scenario = distribution_of(project)
    context = {
        "project": project,
        "flow": [columns[state] for state in FLOW if columns[state].count or state not in _RARE],
        "excluded": columns[SampleState.EXCLUDED],
        "count": sum(column.count for column in columns.values()),
        "tasks": tasks_for_managers(project, counts, columns),
        "manager_counts": counts,
        "by_structure": by_structure,
        "by_scenario": by_scenario,
    }
    return render(request, "annotation/project_overview.html", context)


_RARE = {SampleState.IMPORTED, SampleState.SCREENING, SampleState.DUPLICATE}  # shown unless empty


@login_required
def project_samples(request: PersonRequest, slug: str) -> HttpResponse:
    """The list of samples. Filters are in the URL, so that a view can be bookmarked and shared."""
    project = project_for(request.user, slug, Role.MANAGER)
    form = SampleFilterForm(request.GET, project=project)
    chosen = form.chosen() if form.is_valid() else SampleFilter()
    page = SamplePages(samples_of(project, chosen, request.user), PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "project": project,
        "form": form,
        "chosen": chosen,
        "page": page,
        "rows": [(sample, state_of(sample)) for sample in page],
    }
    return render(request, "annotation/project_samples.html", context)
