"""Who may: a pass exists for the person in it, a baseline for the managers of its team. Everything else is 404."""

from __future__ import annotations

import uuid

from django.http import Http404

from baseline.models import Baseline, Participation, State
from baseline.protocol import Step
from config.accounts.models import Role, User
from config.accounts.selectors import has_role
from evaluation.permissions import deny_reserved_readers_of


def session_for(user: User, session: uuid.UUID) -> Participation:
    """The person's own pass by its address. Raises Http404."""
    rows = Participation.objects.select_related("baseline__release__team", "person")
    found = rows.filter(uuid=session, person=user.pk).first()
    if found is None:
        raise Http404
    return found


def is_open_for(row: Participation) -> bool:
    """True while the person may go on; who is through, or has withdrawn, keeps the last page."""
    return row.baseline.state == State.OPEN or row.step in (Step.OVER, Step.WITHDRAWN)


def baseline_for(user: User, pk: int) -> Baseline:
    """The baseline, if the person manages its team. Raises Http404; 403 while they are still to read its pages."""
    found = Baseline.objects.select_related("release__team", "team").filter(pk=pk).first()
    if found is None or not has_role(user, found.team, Role.MANAGER):
        raise Http404
    deny_reserved_readers_of(user, found.release)
    return found
