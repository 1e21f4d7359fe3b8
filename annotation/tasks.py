"""Which service does which of annotation's jobs."""

from __future__ import annotations

from annotation.models import SuggestionRequest
from annotation.services import preannotate
from config.jobs.registry import runs

runs(SuggestionRequest)(preannotate.run_request)
