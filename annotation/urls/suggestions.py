"""URLs of suggestions."""

from __future__ import annotations

from django.urls import path

from annotation.views import suggestions

urlpatterns = [
    path(
        "projects/<slug:slug>/samples/suggestions/",
        suggestions.project_suggestions,
        name="project_suggestions",
    ),
]
