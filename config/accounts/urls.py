"""Addresses of people's own pages."""

from __future__ import annotations

from django.urls import path

from config.accounts import keyboard_shortcuts, views

urlpatterns = [
    path("account/preferences/", views.preferences, name="preferences"),
    path("account/keys/", keyboard_shortcuts.own_keys, name="own_keys"),
    path("invitations/<str:token>/", views.invitation, name="invitation"),
]
