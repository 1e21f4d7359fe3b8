"""Every address of the site."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path
from django.views.i18n import JavaScriptCatalog

urlpatterns = [
    path("accounts/", include("allauth.urls")),
    path("account/", include("config.accounts.urls")),
    path("language/", include("django.conf.urls.i18n")),
    path("words.js", JavaScriptCatalog.as_view(), name="words"),
    path("admin/", admin.site.urls),
    path("", include("evaluation.urls")),
    path("", include("annotation.urls")),
]
