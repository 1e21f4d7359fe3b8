"""Addresses of the API under /api/v1/ for releases, exports, predictions and scores."""

from __future__ import annotations

from django.urls import path

from evaluation.api import views

urlpatterns = [
    path("releases/<int:pk>/", views.ReleaseItem.as_view(), name="release"),
    path("releases/<int:pk>/leaderboard/", views.Leaderboard.as_view(), name="leaderboard"),
    path("releases/<int:pk>/exports/", views.ExportList.as_view(), name="exports"),
    path("releases/<int:pk>/prediction-sets/", views.PredictionSetList.as_view(), name="prediction_sets"),
    path("exports/<int:pk>/", views.ExportItem.as_view(), name="export"),
    path("exports/<int:pk>/download/", views.ExportDownload.as_view(), name="export_download"),
    path("prediction-sets/<int:pk>/", views.PredictionSetItem.as_view(), name="prediction_set"),
    path("prediction-sets/<int:pk>/scores/", views.ScoreRunList.as_view(), name="scores"),
    path("score-runs/<int:pk>/", views.ScoreRunItem.as_view(), name="score_run"),
    path("score-runs/<int:pk>/items/", views.ScoreItems.as_view(), name="score_items"),
    path("score-runs/<int:pk>/items/<slug:sample_id>/", views.ScoreItem.as_view(), name="score_item"),
]
