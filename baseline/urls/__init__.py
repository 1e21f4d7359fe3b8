"""Addresses of baselines: of those who take part, and of those who set them up."""

from __future__ import annotations

from baseline.urls import sessions, setup

urlpatterns = [*sessions.urlpatterns, *setup.urlpatterns]
