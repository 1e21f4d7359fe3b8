"""Addresses of releases, exports, systems and scores, one module an area."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
