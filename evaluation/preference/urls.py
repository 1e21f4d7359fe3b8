"""Addresses of expert studies: by number for managers, by the enrolment's UUID for raters."""

from __future__ import annotations

from django.urls import path

from evaluation.preference.views import rating, report, studies

urlpatterns = [
    path("releases/<int:pk>/studies/", studies.studies, name="studies"),
    path("releases/<int:pk>/studies/new/", studies.study_new, name="study_new"),
    path("studies/<int:pk>/", studies.study_page, name="study"),
    path("studies/<int:pk>/setup/", studies.study_setup, name="study_setup"),
    path("studies/<int:pk>/record.json", report.study_record, name="study_record"),
    path("studies/<int:pk>/sampling.svg", report.study_sampling, name="study_sampling"),
    path("studies/<int:pk>/figures/<slug:name>.<slug:kind>", report.study_figure, name="study_figure"),
    path("studies/<int:pk>/tables/<slug:name>.<slug:kind>", report.study_table, name="study_table"),
    path("studies/<int:pk>/<slug:action>/", studies.study_action, name="study_action"),
    path("expert-studies/<uuid:enrolment_uuid>/", rating.study_enrolment, name="study_enrolment"),
    path(
        "expert-studies/<uuid:enrolment_uuid>/grade/",
        rating.study_enrolment_grade,
        name="study_enrolment_grade",
    ),
    path(
        "expert-studies/<uuid:enrolment_uuid>/vote/", rating.study_enrolment_vote, name="study_enrolment_vote"
    ),
    path(
        "expert-studies/<uuid:enrolment_uuid>/pause/",
        rating.study_enrolment_pause,
        name="study_enrolment_pause",
    ),
    path(
        "expert-studies/<uuid:enrolment_uuid>/event/",
        rating.study_enrolment_event,
        name="study_enrolment_event",
    ),
]
