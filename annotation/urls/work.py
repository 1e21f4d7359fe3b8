"""Addresses of the work pages; a seat's UUID is the only name of anything in them."""

from __future__ import annotations

from django.urls import path

from annotation.views import work, work_ajax

urlpatterns = [
    path("projects/<slug:slug>/next/<slug:stage>/", work.next_sample, name="next_sample"),
    path("work/<uuid:seat>/", work.work_page, name="work"),
    path("work/<uuid:seat>/submit/", work.submit_work, name="work_submit"),
    path("work/<uuid:seat>/skip/", work.skip_sample, name="work_skip"),
    path("work/<uuid:seat>/flag/", work.flag_sample, name="work_flag"),
    path("work/<uuid:seat>/put-back/", work.put_back_sample, name="work_put_back"),
    path("work/<uuid:seat>/return/", work.return_sample, name="work_return"),
    path("work/<uuid:seat>/autosave/", work_ajax.autosave, name="work_autosave"),
    path("work/<uuid:seat>/heartbeat/", work_ajax.heartbeat, name="work_heartbeat"),
    path("work/<uuid:seat>/taken/", work_ajax.take_suggestion, name="work_taken"),
    path("work/<uuid:seat>/reached-end/", work_ajax.reached_end, name="work_reached_end"),
    path("work/<uuid:seat>/notes/", work_ajax.add_note, name="work_notes"),
    path("work/<uuid:seat>/evidence/", work_ajax.add_evidence, name="work_evidence"),
    path("work/<uuid:seat>/evidence/<int:pk>/", work_ajax.change_evidence_entry, name="work_evidence_entry"),
    path("work/<uuid:seat>/questions/", work_ajax.add_question, name="work_questions"),
]
