"""The results of a closed study: a job computes and stores them; pages and files read them.

Equal ratings give equal results, so a job that was killed simply starts again.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction

from config.jobs.queue import request_one
from config.jobs.services import Claim
from evaluation.preference.analysis import PARTS, REVISION, analyse
from evaluation.preference.models import Study, StudyAnalysis, StudyState
from evaluation.preference.selectors import StudyStillOpen, build_record


def request_results(study: Study) -> StudyAnalysis:
    """Queue the computation of a closed study's results. Raises StudyStillOpen."""
    with transaction.atomic():
        locked = Study.objects.select_for_update().get(pk=study.pk)
        if locked.state != StudyState.CLOSED:
            raise StudyStillOpen
        return request_one(StudyAnalysis, study=locked)


def run_analysis(run: StudyAnalysis, *, claim: Claim) -> None:
    """Compute all parts and store them together."""
    done = 0

    def count_part(_part: str) -> None:
        nonlocal done
        done += 1
        claim.heartbeat(done=done, total=len(PARTS))

    claim.heartbeat(done=0, total=len(PARTS))
    results = analyse(build_record(run.study), on_part=count_part, tick=claim.heartbeat)
    with transaction.atomic():
        claim.heartbeat(
            done=len(PARTS), total=len(PARTS)
        )  # raises if the lease is lost, so that nothing is stored
        Study.objects.filter(pk=run.study_id, state=StudyState.CLOSED).update(results=results)


def results_of(study: Study) -> dict[str, Any] | None:
    """The stored results of a closed study; None before they are computed or if their revision is outdated.

    Raises StudyStillOpen.
    """
    if study.state != StudyState.CLOSED:
        raise StudyStillOpen
    results: dict[str, Any] = study.results
    return results if results.get("revision") == REVISION else None
