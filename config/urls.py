"""Every address of the site."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from config.accounts.display import set_display
from config.pictures import show_picture

urlpatterns = [
    path("accounts/", include("allauth.urls")),
    path("", include("config.accounts.urls")),
    path("display/", set_display, name="set_display"),
    path("pictures/<str:token>", show_picture, name="picture"),
    path("admin/", admin.site.urls),
    path("", include("evaluation.urls")),
    path("", include("annotation.urls")),
]
