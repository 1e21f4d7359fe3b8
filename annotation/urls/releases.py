"""A project's releases and freezing the next one."""

from __future__ import annotations

from django.urls import path

from annotation.views import releases

urlpatterns = [
    path("projects/<slug:slug>/releases/", releases.project_releases, name="project_releases"),
    path("projects/<slug:slug>/releases/new/", releases.release_new, name="release_new"),
    path("projects/<slug:slug>/releases/import/", releases.release_import, name="release_import"),
    path("releases/<int:pk>/runs/new/", releases.model_run_new, name="model_run_new"),
]
