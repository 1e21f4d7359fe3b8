"""Every address of the site."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from annotation.api import urls as annotation_api
from config.accounts.display_preferences import set_display
from config.api import urls as common_api
from config.signed_images import show_image
from config.translations.views import show_script_strings
from evaluation.api import urls as evaluation_api

handler429 = "config.accounts.views.too_many_requests"  # which the sign-in library asks for
api_patterns = [*annotation_api.urlpatterns, *evaluation_api.urlpatterns, *common_api.v1_patterns]

urlpatterns = [
    path("accounts/", include("allauth.urls")),
    path("", include("config.accounts.urls")),
    path("display/", set_display, name="set_display"),
    path("images/<str:token>", show_image, name="image"),
    path("strings/<str:language>.<slug:digest>.js", show_script_strings, name="script_strings"),
    path("", include("config.api.urls")),
    path("api/v1/", include((api_patterns, "api"))),
    path("admin/", admin.site.urls),
    path("", include("baseline.urls")),
    path("", include("evaluation.urls")),
    path("", include("evaluation.preference.urls")),
    path("", include("annotation.urls")),
]
