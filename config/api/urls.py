"""URLs of the tokens, the OpenAPI schema and its page, and what every app's API shares."""

from __future__ import annotations

from django.urls import path, re_path

from config.api import views

urlpatterns = [
    path("account/tokens/", views.api_tokens, name="api_tokens"),
    path("account/tokens/<int:pk>/revoke/", views.api_token_revoke, name="api_token_revoke"),
    path("api/schema/", views.SchemaView.as_view(), name="api_schema"),
    path("api/docs/", views.DocsView.as_view(), name="api_docs"),
]
v1_patterns = [
    path("images/<str:token>/", views.ImageView.as_view(), name="image"),
    re_path(r"^.*$", views.NothingView.as_view(), name="nothing"),
]
