"""Addresses of projects and of annotation work, one module an area."""

from __future__ import annotations

from annotation.urls import consensus, intake, pages, people, releases, suggestions, work

urlpatterns = [
    *people.urlpatterns,
    *work.urlpatterns,
    *pages.urlpatterns,
    *consensus.urlpatterns,
    *intake.urlpatterns,
    *releases.urlpatterns,
    *suggestions.urlpatterns,
]
