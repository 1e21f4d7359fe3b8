"""URLs of the work pages, by the UUID of an assignment."""

from __future__ import annotations

from django.urls import path

from annotation.views import work, work_ajax

urlpatterns = [
    path("projects/<slug:slug>/next/<slug:stage>/", work.next_sample, name="next_sample"),
    path("work/<uuid:assignment_uuid>/", work.work_page, name="work"),
    path("work/<uuid:assignment_uuid>/submit/", work.work_submit, name="work_submit"),
    path("work/<uuid:assignment_uuid>/skip/", work.work_skip, name="work_skip"),
    path("work/<uuid:assignment_uuid>/flag/", work.work_flag, name="work_flag"),
    path("work/<uuid:assignment_uuid>/put-back/", work.work_put_back, name="work_put_back"),
    path("work/<uuid:assignment_uuid>/return/", work.work_return, name="work_return"),
    path("work/<uuid:assignment_uuid>/autosave/", work_ajax.work_autosave, name="work_autosave"),
    path("work/<uuid:assignment_uuid>/heartbeat/", work_ajax.work_heartbeat, name="work_heartbeat"),
    path("work/<uuid:assignment_uuid>/taken/", work_ajax.work_taken, name="work_taken"),
    path("work/<uuid:assignment_uuid>/reached-end/", work_ajax.work_reached_end, name="work_reached_end"),
    path("work/<uuid:assignment_uuid>/notes/", work_ajax.work_notes, name="work_notes"),
    path("work/<uuid:assignment_uuid>/evidence/", work_ajax.work_evidence, name="work_evidence"),
    path(
        "work/<uuid:assignment_uuid>/evidence/<int:pk>/",
        work_ajax.work_evidence_entry,
        name="work_evidence_entry",
    ),
    path("work/<uuid:assignment_uuid>/questions/", work_ajax.work_questions, name="work_questions"),
]
