"""Taking part."""

from __future__ import annotations

from django.urls import path

from baseline.views import heartbeat, my_sessions, session

urlpatterns = [
    path("baselines/", my_sessions.mine, name="baselines_mine"),
    path("baselines/join/<str:code>/", my_sessions.join, name="baseline_join"),
    path("baselines/<uuid:session>/", session.session_page, name="baseline_session"),
    path("baselines/<uuid:session>/image/", session.image, name="baseline_image"),
    path("baselines/<uuid:session>/save/<slug:tab_token>/", heartbeat.save, name="baseline_save"),
    path("baselines/<uuid:session>/signs/<slug:tab_token>/", heartbeat.signs, name="baseline_signs"),
    path("baselines/<uuid:session>/<slug:verb>/", session.act, name="baseline_act"),
]
