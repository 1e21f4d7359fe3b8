"""Which service does which of evaluation's jobs."""

from __future__ import annotations

from config.jobs.registry import runs
from evaluation.models import ScoreRun
from evaluation.services import scoring

runs(ScoreRun)(scoring.run_score)
