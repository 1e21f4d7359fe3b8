"""What the API tells of work in the background."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.models import ExportRun, ScoreRun


@dataclass(frozen=True, slots=True)
class JobAnswer:
    """Work in the background: queued, running, done, failed or cancelled."""

    state: str
    progress_done: int
    progress_total: int
    error: str


def job_answer(job: ExportRun | ScoreRun) -> JobAnswer:
    return JobAnswer(job.state, job.progress_done, job.progress_total, job.told)
