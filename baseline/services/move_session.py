"""The page a participant is on, and the only way to move on.

Every transition names the version it saw, so that each happens once.
"""

from __future__ import annotations

from typing import Any

from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_noop

from baseline.models import Participation, State
from baseline.protocol import SessionPage, Step, step_after
from baseline.selectors.sessions import current_page, plan_of
from config.accounts.models import Role
from config.errors import ApplicationError
from config.exposure.models import SeenContent
from config.exposure.services import record_exposure
from evaluation.models import GoldItem


class StaleSession(ApplicationError):
    """The transition was made from a page that is no longer the current one; nothing changed."""

    kind = "closed"
    msgid = gettext_noop("Time is up for this page, or it has been submitted. What arrived by then counts.")


class BaselineClosed(ApplicationError):
    """The baseline is not open (any more)."""

    kind = "closed"
    msgid = gettext_noop("This baseline is closed. What you submitted is kept.")


class TabReplaced(ApplicationError):
    """Another tab or device has taken the session over."""

    kind = "lease_lost"
    msgid = gettext_noop(
        "This page is open in another tab or on another device. Continue there; nothing is saved here."
    )


def lock_session(
    row: Participation, *, version: int, page: SessionPage, tab_token: str | None = None
) -> Participation:
    """The session, locked, if it is on this page at this version. Raises StaleSession, BaselineClosed, TabReplaced."""
    locked = Participation.objects.select_for_update().select_related("baseline", "person").get(pk=row.pk)
    if locked.version != version or current_page(locked) != page:
        raise StaleSession
    if locked.baseline.state != State.OPEN:
        raise BaselineClosed
    if tab_token is not None and locked.tab_token and locked.tab_token != tab_token:
        raise TabReplaced
    return locked


def update_session(row: Participation, **changes: Any) -> None:
    """Write a transition. Raises StaleSession when another was first."""
    moved = Participation.objects.filter(pk=row.pk, version=row.version).update(
        version=F("version") + 1, **changes
    )
    if not moved:
        raise StaleSession


def advance_step(row: Participation, step: Step, **changes: Any) -> None:
    """To the next step that has something in it."""
    following = step_after(plan_of(row), step)
    finished = {"finished_at": timezone.now()} if following == Step.OVER else {}
    update_session(row, step=following, position=0, is_feedback=False, **finished, **changes)


def record_seen(row: Participation, item: GoldItem, saw: SeenContent, place: str) -> None:
    record_exposure(user=row.person, image_hash=item.pixel_hash, role=Role.PARTICIPANT, saw=saw, place=place)
