"""Responses about background jobs."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.models import ExportRun, ScoreRun


@dataclass(frozen=True, slots=True)
class JobResponse:
    """A background job: queued, running, done, failed or cancelled."""

    state: str
    progress_done: int
    progress_total: int
    error: str


def job_response(job: ExportRun | ScoreRun) -> JobResponse:
    return JobResponse(job.state, job.progress_done, job.progress_total, job.error_message)
