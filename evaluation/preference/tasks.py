"""Which service does which of a study's jobs."""

from __future__ import annotations

from config.jobs.registry import runs
from evaluation.preference.models import Preparation
from evaluation.preference.services import prepare

runs(Preparation)(prepare.run_preparation)
