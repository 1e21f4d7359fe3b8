"""The services that run annotation's jobs."""

from __future__ import annotations

from annotation.models import ImportRun, SuggestionRequest
from annotation.services import preannotate_sample, run_import
from config.jobs.registry import runs

runs(SuggestionRequest)(preannotate_sample.run_suggestion_request)
runs(ImportRun)(run_import.run_import)
