"""Which service does which of evaluation's jobs."""

from __future__ import annotations

from config.jobs.registry import runs
from evaluation.models import ExportRun, ModelRun, ScoreRun
from evaluation.services import exporting, model_runs, scoring

runs(ExportRun)(exporting.run_export)
runs(ModelRun)(model_runs.run_model)
runs(ScoreRun)(scoring.run_score)
