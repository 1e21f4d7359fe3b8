"""Flag a sample for its managers, and close a flag."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from annotation.models import Assignment, Event, Flag
from annotation.services.move_work import ReasonMissing
from config.accounts.models import User
from config.transactions import retries_conflicts


def flag_sample(*, assignment: Assignment, message: str) -> Flag:
    """Flag a sample for its managers. Raises ReasonMissing for an empty message."""
    if not message.strip():
        raise ReasonMissing
    return Flag.objects.create(
        sample=assignment.sample, person=assignment.person, stage=assignment.stage, message=message.strip()
    )


@retries_conflicts
def close_flag(*, flag: Flag, manager: User) -> None:
    """Close a flag and record it in the sample's history. Closing it again changes nothing."""
    with transaction.atomic():
        closed = Flag.objects.filter(pk=flag.pk, closed_at=None).update(closed_at=timezone.now())
        if closed:
            Event.objects.create(sample=flag.sample, verb="flag_closed", actor=manager, reason=flag.message)
