"""Which function runs which kind of job. Apps register their own in `tasks.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from config.jobs.models import Job

Runner = Callable[..., None]
_runners: dict[type[Job], Runner] = {}


def runs(model: type[Job]) -> Callable[[Runner], Runner]:
    """Decorate the function that does the work of `model`: `run(job, *, claim)`.

    It must be idempotent: after a kill it starts again on the same row, and repeats at most one chunk.
    """

    def register(run: Runner) -> Runner:
        _runners[model] = run
        return run

    return register


def runner_of(model: type[Job]) -> Runner:
    return _runners[model]


def job_models() -> list[type[Job]]:
    """Every registered kind, in a stable order."""
    return sorted(_runners, key=lambda model: model._meta.label_lower)


def model_named(label: str) -> type[Any]:
    """The registered model with this lower-case label (`annotation.importrun`)."""
    return next(model for model in _runners if model._meta.label_lower == label)
