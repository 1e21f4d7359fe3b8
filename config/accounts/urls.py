"""Addresses of people's own pages."""

from __future__ import annotations

from django.urls import path

from config.accounts import views

urlpatterns = [
    path("account/preferences/", views.preferences, name="preferences"),
    path("invitations/<str:token>/", views.invitation, name="invitation"),
]
