"""Addresses of releases, exports, systems and scores, one module an area."""

from __future__ import annotations

from evaluation.urls import releases

urlpatterns = [*releases.urlpatterns]
