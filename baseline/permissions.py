"""Access: a session exists for its participant only, a baseline for managers of its project. All else is 404."""

from __future__ import annotations

import uuid

from django.http import Http404

from baseline.models import Baseline, Participation, State
from baseline.protocol import Step
from config.accounts.models import Role, User
from config.accounts.selectors import has_role
from evaluation.permissions import deny_figure_readers_of


def session_for(user: User, session: uuid.UUID) -> Participation:
    """The person's own session. Raises Http404."""
    rows = Participation.objects.select_related("baseline__release__team", "person")
    row = rows.filter(uuid=session, person=user.pk).first()
    if row is None:
        raise Http404
    return row


def is_open_for(row: Participation) -> bool:
    """True while the baseline is open; a session that is over or withdrawn keeps its last page."""
    return row.baseline.state == State.OPEN or row.step in (Step.OVER, Step.WITHDRAWN)


def baseline_for(user: User, pk: int) -> Baseline:
    """The baseline, if the person manages its team. Raises Http404; 403 while they are still to read its pages."""
    baseline = Baseline.objects.select_related("release__team", "team").filter(pk=pk).first()
    if baseline is None or not has_role(user, baseline.team, Role.MANAGER):
        raise Http404
    deny_figure_readers_of(user, baseline.release)
    return baseline
