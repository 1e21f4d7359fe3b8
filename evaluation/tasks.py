"""Which service does which of evaluation's jobs."""

from __future__ import annotations

from config.jobs.registry import runs
from evaluation.models import ExportRun, ModelRun, ScoreRun
from evaluation.services import export_release, run_model, score_predictions

runs(ExportRun)(export_release.run_export)
runs(ModelRun)(run_model.run_model)
runs(ScoreRun)(score_predictions.run_score)
