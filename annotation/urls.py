"""Addresses of projects and of annotation work."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
