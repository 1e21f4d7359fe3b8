"""Addresses of baselines: of those who take part, and of those who set them up."""

from __future__ import annotations

from baseline.urls import managing, taking

urlpatterns = [*taking.urlpatterns, *managing.urlpatterns]
