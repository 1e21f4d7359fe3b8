"""The services that run a study's jobs."""

from __future__ import annotations

from config.jobs.registry import runs
from evaluation.preference.models import StudyAnalysis, StudyPreparation
from evaluation.preference.services import analyse_study, prepare_study

runs(StudyPreparation)(prepare_study.run_preparation)
runs(StudyAnalysis)(analyse_study.run_analysis)
