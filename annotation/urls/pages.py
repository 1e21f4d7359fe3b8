"""Addresses of work on a page beside its labels; a row's UUID is the only name of anything in them."""

from __future__ import annotations

from django.urls import path

from annotation.views import difficulty

urlpatterns = [
    path("projects/<slug:slug>/rate/", difficulty.rating_next, name="rating_next"),
    path("projects/<slug:slug>/difficulty/", difficulty.project_difficulty, name="project_difficulty"),
    path("rate/<uuid:rating>/", difficulty.rating_page, name="rating"),
    path("rate/<uuid:rating>/submit/", difficulty.rating_submit, name="rating_submit"),
    path("rate/<uuid:rating>/save/", difficulty.rating_save, name="rating_save"),
    path("rate/<uuid:rating>/skip/", difficulty.rating_skip, name="rating_skip"),
]
