"""Results of a closed study: a job computes them, pages and files read what it stored.

Equal answers give equal results, so a run that was killed simply starts again.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction

from config.jobs.queue import request_one
from config.jobs.services import Claim
from evaluation.preference.analysis import PARTS, REVISION, analyse
from evaluation.preference.models import Study, StudyAnalysis, StudyState
from evaluation.preference.selectors import StillOpen, record_of


def request_results(study: Study) -> StudyAnalysis:
    """Have a closed study's results computed, or computed again. Raises StillOpen."""
    with transaction.atomic():
        held = Study.objects.select_for_update().get(pk=study.pk)
        if held.state != StudyState.CLOSED:
            raise StillOpen
        return request_one(StudyAnalysis, study=held)


def run_analysis(run: StudyAnalysis, *, claim: Claim) -> None:
    """Compute everything, one part after the other, and store it at once."""
    done = 0

    def note(_part: str) -> None:
        nonlocal done
        done += 1
        claim.heartbeat(done=done, total=len(PARTS))

    claim.heartbeat(done=0, total=len(PARTS))
    results = analyse(record_of(run.study), on_part=note, tick=claim.heartbeat)
    with transaction.atomic():
        claim.heartbeat(done=len(PARTS), total=len(PARTS))  # who lost the lease stores nothing
        Study.objects.filter(pk=run.study_id, state=StudyState.CLOSED).update(results=results)


def results_of(study: Study) -> dict[str, Any] | None:
    """The stored results of a closed study; None until they are computed, or if their definition is an older one.

    Raises StillOpen before it is closed.
    """
    if study.state != StudyState.CLOSED:
        raise StillOpen
    found: dict[str, Any] = study.results
    return found if found.get("revision") == REVISION else None
