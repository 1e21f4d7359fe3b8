"""URLs of projects and annotation work, one module for each area."""

from __future__ import annotations

from django.urls import include, path

from annotation.urls import consensus, imports, moved, page_tasks, projects, releases, suggestions, work

urlpatterns = [
    *projects.urlpatterns,
    *work.urlpatterns,
    *page_tasks.urlpatterns,
    *consensus.urlpatterns,
    *imports.urlpatterns,
    *releases.urlpatterns,
    *suggestions.urlpatterns,
    path("", include(moved)),
]
