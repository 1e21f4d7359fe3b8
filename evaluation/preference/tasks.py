"""Which service does which of a study's jobs."""

from __future__ import annotations

from config.jobs.registry import runs
from evaluation.preference.models import Analysis, Preparation
from evaluation.preference.services import prepare, results

runs(Preparation)(prepare.run_preparation)
runs(Analysis)(results.run_analysis)
