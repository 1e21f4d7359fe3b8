"""Setting baselines up, watching them, and their results."""

from __future__ import annotations

from django.urls import path

from baseline.views import results, setup

urlpatterns = [
    path("releases/<int:pk>/baselines/", setup.baselines, name="baselines"),
    path("releases/<int:pk>/baselines/new/", setup.baseline_new, name="baseline_new"),
    path("baselines/<int:pk>/", setup.baseline_page, name="baseline"),
    path("baselines/<int:pk>/edit/", setup.baseline_edit, name="baseline_edit"),
    path("baselines/<int:pk>/people/", setup.baseline_people, name="baseline_people"),
    path(
        "baselines/<int:pk>/people/<int:number>/<slug:action>/",
        setup.baseline_person,
        name="baseline_person",
    ),
    path("baselines/<int:pk>/results/", results.baseline_results, name="baseline_results"),
    path("baselines/<int:pk>/conduct.<slug:kind>", results.baseline_conduct, name="baseline_conduct"),
    path("baselines/<int:pk>/<slug:action>/", setup.baseline_action, name="baseline_action"),
]
