"""Addresses of projects and of annotation work, one module an area."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
