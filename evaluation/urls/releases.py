"""Releases, their exports, the predictions for them and their scores."""

from __future__ import annotations

from django.urls import path

from evaluation.views import exports, items, leaderboard, predictions, releases, reports

urlpatterns = [
    path("releases/<int:pk>/", releases.release_page, name="release"),
    path("releases/<int:pk>/check/", releases.release_check, name="release_check"),
    path("releases/<int:pk>/runs/", predictions.release_runs, name="release_runs"),
    path("releases/<int:pk>/reports/", reports.release_reports, name="release_reports"),
    path("releases/<int:pk>/changes/", releases.release_changes, name="release_changes"),
    path("releases/<int:pk>/data-card.md", reports.release_data_card, name="release_data_card"),
    path("releases/<int:pk>/leaderboard/", leaderboard.leaderboard_page, name="leaderboard"),
    path("releases/<int:pk>/leaderboard.<slug:kind>", leaderboard.leaderboard_file, name="leaderboard_file"),
    path("prediction-sets/<int:pk>/score/", leaderboard.prediction_set_score, name="prediction_set_score"),
    path("releases/<int:pk>/exports/", exports.export_new, name="export_new"),
    path("exports/<int:pk>/", exports.export_page, name="export"),
    path("exports/<int:pk>/download/", exports.export_download, name="export_download"),
    path("exports/<int:pk>/<slug:action>/", exports.export_action, name="export_action"),
    path("releases/<int:pk>/predictions/", predictions.predictions_upload, name="predictions_upload"),
    path("prediction-sets/<int:pk>/", predictions.prediction_set_page, name="prediction_set"),
    path(
        "prediction-sets/<int:pk>/<slug:action>/",
        predictions.prediction_set_action,
        name="prediction_set_action",
    ),
    path("score-runs/<int:pk>/", items.score_run_page, name="score_run"),
    path("score-runs/<int:pk>/items/<slug:sample_id>/", items.item_score, name="item_score"),
]
