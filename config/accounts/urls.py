"""Addresses of people's own pages."""

from __future__ import annotations

from django.urls import path

from config.accounts import keys, views

urlpatterns = [
    path("account/preferences/", views.preferences, name="preferences"),
    path("account/keys/", keys.own_keys, name="own_keys"),
    path("invitations/<str:token>/", views.invitation, name="invitation"),
]
