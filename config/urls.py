"""Every address of the site."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from config.accounts.display import set_display

urlpatterns = [
    path("accounts/", include("allauth.urls")),
    path("account/", include("config.accounts.urls")),
    path("display/", set_display, name="set_display"),
    path("admin/", admin.site.urls),
    path("", include("evaluation.urls")),
    path("", include("annotation.urls")),
]
