"""Taking part."""

from __future__ import annotations

from django.urls import path

from baseline.views import mine, room, signs

urlpatterns = [
    path("baselines/", mine.mine, name="baselines_mine"),
    path("baselines/join/<str:code>/", mine.join, name="baseline_join"),
    path("baselines/<uuid:room>/", room.room, name="baseline_room"),
    path("baselines/<uuid:room>/picture/", room.picture, name="baseline_picture"),
    path("baselines/<uuid:room>/save/<slug:seat>/", signs.save, name="baseline_save"),
    path("baselines/<uuid:room>/signs/<slug:seat>/", signs.signs, name="baseline_signs"),
    path("baselines/<uuid:room>/<slug:verb>/", room.act, name="baseline_act"),
]
