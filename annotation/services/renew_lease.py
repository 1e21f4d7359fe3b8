"""Renew the lease of an assignment, and refuse what comes after it was lost or its work moved on."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext_noop

from annotation.models import Assignment, Work
from annotation.selectors.work_queue import lease_end
from annotation.stages import Status
from config.errors import ApplicationError
from config.transactions import locked


class LeaseLost(ApplicationError):
    """Somebody else has the sample now; the page keeps the text on the device."""

    kind = "lease_lost"
    msgid = gettext_noop("Someone else has this sample now. Nothing was saved.")


class AssignmentClosed(ApplicationError):
    """The assignment was submitted, or its work has moved on."""

    kind = "closed"
    msgid = gettext_noop("This sample has already been submitted and can no longer be changed here.")


def renew_lease(*, assignment: Assignment) -> datetime:
    """Renew the lease, even after it ran out if nobody else has the sample. Raises LeaseLost, AssignmentClosed."""
    until = lease_end(assignment.sample.project)
    renewed = Work.objects.filter(
        sample=assignment.sample,
        stage=assignment.stage,
        round=assignment.round,
        status=Status.HELD,
        holder=assignment.person,
    ).update(lease_until=until)
    if renewed:
        return until
    if assignment.submitted_at is not None or _has_moved_on(assignment):
        raise AssignmentClosed
    raise LeaseLost


def check_open(*, assignment: Assignment) -> None:
    """Raise AssignmentClosed for an assignment that was submitted or whose work has moved on.

    Within a transaction. The assignment's row stays locked, so that a submission waits for what is written beside it.
    """
    stored = locked(Assignment.objects.filter(pk=assignment.pk)).get()
    if stored.submitted_at is not None or _has_moved_on(stored):
        raise AssignmentClosed


def _has_moved_on(assignment: Assignment) -> bool:
    work = Work.objects.get(sample=assignment.sample)
    return work.round != assignment.round or work.stage != assignment.stage
