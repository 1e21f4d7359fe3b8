"""Home: the tasks of the signed-in person."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render

from annotation.selectors.overview import stuck_in
from annotation.selectors.project_tasks import projects_of, tasks_by_project
from config.accounts.requests import PersonRequest
from config.accounts.selectors import may_create_projects


@login_required
def home(request: PersonRequest) -> HttpResponse:
    all_tasks = tasks_by_project(request.user)
    context = {
        "all_tasks": all_tasks,
        "may_create_projects": may_create_projects(request.user),
        "stuck": stuck_in([tasks.project for tasks in all_tasks if tasks.is_manager]),
        "archived": [project for project, _roles in projects_of(request.user, archived=True)],
    }
    return render(request, "annotation/home.html", context)
