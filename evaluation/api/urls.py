"""URLs under /api/v1/ for releases, exports, predictions and scores."""

from __future__ import annotations

from django.urls import path

from evaluation.api import views

urlpatterns = [
    path("releases/<int:pk>/", views.ReleaseDetailView.as_view(), name="release"),
    path("releases/<int:pk>/leaderboard/", views.LeaderboardView.as_view(), name="leaderboard"),
    path("releases/<int:pk>/exports/", views.ExportListView.as_view(), name="exports"),
    path("releases/<int:pk>/prediction-sets/", views.PredictionSetListView.as_view(), name="prediction_sets"),
    path("exports/<int:pk>/", views.ExportDetailView.as_view(), name="export"),
    path("exports/<int:pk>/download/", views.ExportDownloadView.as_view(), name="export_download"),
    path("prediction-sets/<int:pk>/", views.PredictionSetDetailView.as_view(), name="prediction_set"),
    path("prediction-sets/<int:pk>/scores/", views.ScoreRunListView.as_view(), name="scores"),
    path("score-runs/<int:pk>/", views.ScoreRunDetailView.as_view(), name="score_run"),
    path("score-runs/<int:pk>/items/", views.ScoreItemListView.as_view(), name="score_items"),
    path(
        "score-runs/<int:pk>/items/<slug:sample_id>/", views.ScoreItemDetailView.as_view(), name="score_item"
    ),
]
