"""Taking part."""

from __future__ import annotations

from django.urls import path

from baseline.views import heartbeat, my_sessions, session

urlpatterns = [
    path("baselines/", my_sessions.baselines_mine, name="baselines_mine"),
    path("baselines/join/<str:code>/", my_sessions.baseline_join, name="baseline_join"),
    path("baselines/<uuid:session>/", session.baseline_session, name="baseline_session"),
    path("baselines/<uuid:session>/image/", session.baseline_image, name="baseline_image"),
    path("baselines/<uuid:session>/save/<slug:tab_token>/", heartbeat.baseline_save, name="baseline_save"),
    path("baselines/<uuid:session>/signs/<slug:tab_token>/", heartbeat.baseline_signs, name="baseline_signs"),
    path("baselines/<uuid:session>/<slug:verb>/", session.baseline_act, name="baseline_act"),
]
