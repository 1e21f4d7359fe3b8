"""Releases, their exports, the predictions for them and their scores."""

from __future__ import annotations

from django.urls import path

from evaluation.views import leaderboard, releases

urlpatterns = [
    path("releases/<int:pk>/", releases.release_page, name="release"),
    path("releases/<int:pk>/check/", releases.release_check, name="release_check"),
    path("releases/<int:pk>/changes/", releases.release_changes, name="release_changes"),
    path("releases/<int:pk>/leaderboard/", leaderboard.leaderboard_page, name="leaderboard"),
    path("releases/<int:pk>/leaderboard.<slug:kind>", leaderboard.leaderboard_file, name="leaderboard_file"),
    path("prediction-sets/<int:pk>/score/", leaderboard.prediction_set_score, name="prediction_set_score"),
]
