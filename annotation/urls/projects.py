"""Home, projects, their people and their settings."""

from __future__ import annotations

from django.urls import path

from annotation.views import (
    agreement,
    anomalies,
    guideline,
    home,
    overview,
    people,
    projects,
    recognisers,
    sample,
    screening,
)

urlpatterns = [
    path("", home.home, name="home"),
    path("projects/new/", projects.project_new, name="project_new"),
    path("projects/<slug:slug>/", overview.project_overview, name="project"),
    path("projects/<slug:slug>/samples/", overview.project_samples, name="project_samples"),
    path("projects/<slug:slug>/quality/", agreement.project_agreement, name="project_agreement"),
    path("projects/<slug:slug>/quality/checks/", anomalies.project_checks, name="project_checks"),
    path("projects/<slug:slug>/settings/", projects.project_settings, name="project_settings"),
    path("projects/<slug:slug>/archive/", projects.project_archive, name="project_archive"),
    path("projects/<slug:slug>/people/", people.project_people, name="project_people"),
    path("projects/<slug:slug>/people/<int:pk>/", people.person_roles, name="person_roles"),
    path(
        "projects/<slug:slug>/people/invitations/<int:pk>/revoke/",
        people.invitation_revoke,
        name="invitation_revoke",
    ),
    path("projects/<slug:slug>/quality/guideline/", guideline.project_guideline, name="project_guideline"),
    path("projects/<slug:slug>/quality/guideline/edit/", guideline.guideline_edit, name="guideline_edit"),
    path(
        "projects/<slug:slug>/quality/guideline/<int:number>/",
        guideline.project_guideline,
        name="guideline_version",
    ),
    path(
        "projects/<slug:slug>/settings/recognisers/",
        recognisers.project_recognisers,
        name="project_recognisers",
    ),
    path(
        "projects/<slug:slug>/settings/recognisers/<int:slot>/clear/",
        recognisers.recogniser_clear,
        name="recogniser_clear",
    ),
    path(
        "projects/<slug:slug>/settings/recognisers/<int:slot>/<slug:kind>/",
        recognisers.recogniser_edit,
        name="recogniser_edit",
    ),
    path("samples/<uuid:sample>/", sample.sample_page, name="sample"),
    path("samples/<uuid:sample>/labels/", sample.sample_labels, name="sample_labels"),
    path("samples/<uuid:sample>/unredacted/", screening.sample_unredacted, name="sample_unredacted"),
    path("samples/<uuid:sample>/screen-again/", screening.sample_screen_again, name="sample_screen_again"),
    path("samples/<uuid:sample>/flags/<int:pk>/close/", sample.flag_close, name="flag_close"),
    path("samples/<uuid:sample>/<slug:verb>/", sample.sample_move, name="sample_move"),
]
