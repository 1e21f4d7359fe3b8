"""Imports and duplicates."""

from __future__ import annotations

from django.urls import path

from annotation.views import duplicates, imports

urlpatterns = [
    path("projects/<slug:slug>/samples/import/", imports.project_import, name="project_import"),
    path("imports/<int:pk>/", imports.import_run, name="import_run"),
    path("imports/<int:pk>/cancel/", imports.import_cancel, name="import_cancel"),
    path("imports/<int:pk>/again/", imports.import_again, name="import_again"),
    path(
        "projects/<slug:slug>/samples/duplicates/", duplicates.project_duplicates, name="project_duplicates"
    ),
    path("duplicates/<int:pk>/", duplicates.duplicate_pair, name="duplicate_pair"),
    path("duplicates/<int:pk>/undo/", duplicates.duplicate_undo, name="duplicate_undo"),
]
