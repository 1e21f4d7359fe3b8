"""The only writer of stage and status: a conditional update and an event, in one transaction."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_noop

from annotation.models import Event, Work
from annotation.stages import Actor, Need, Stage, Status, Verb, find_move
from config.accounts.models import User
from config.errors import ApplicationError


class StaleWork(ApplicationError):
    """The work has moved on since it was read; nothing was written."""

    kind = "moved_on"
    msgid = gettext_noop("The sample has changed in the meantime. Check its current state.")


class NotAllowed(ApplicationError):
    """This actor may not make this move."""

    kind = "not_open"
    msgid = gettext_noop("You cannot do this now. Check the state of the sample.")


class Archived(NotAllowed):
    """The project is archived, so no work can be finished in it. Drafts are kept."""

    kind = "archived"
    msgid = gettext_noop("This project is archived, so nothing can be submitted until a manager restores it.")


class ReasonMissing(ApplicationError):
    """This move needs a reason."""

    status, kind = 422, "invalid"
    field = "reason"
    msgid = gettext_noop("Give a reason. It is kept in the history.")


_FINISHING = frozenset({Verb.SUBMIT, Verb.AGREE, Verb.DISPUTE, Verb.SIGN, Verb.DECIDE})


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a move writes besides stage and status."""

    holder: User | None = None
    lease_until: datetime | None = None
    reserved_for: User | None = None
    new_round: bool = False
    data: dict[str, Any] = field(default_factory=dict)


def make_move(
    *,
    work: Work,
    verb: Verb,
    actor: User | None,
    role: Actor,
    reason: str = "",
    outcome: Outcome | None = None,
) -> Work:
    """Move work by `verb` from the position and version at which it was read, and record the event.

    `actor` is None for the system. The caller has checked eligibility, and writes labels in the same `atomic` block.
    Raises IllegalMove (no such move from here), NotAllowed (wrong role or not the holder), Archived, ReasonMissing,
    StaleWork (somebody else moved it first).
    """
    move = find_move(Stage(work.stage), Status(work.status), verb)
    if role not in move.who:
        raise NotAllowed(f"{role} may not {verb}")
    if Need.REASON in move.needs and not reason.strip():
        raise ReasonMissing
    if Need.HOLDER in move.needs and (actor is None or work.holder_id != actor.pk):
        raise NotAllowed("only the person who holds it")
    if verb in _FINISHING and work.sample.project.archived_at is not None:
        raise Archived
    outcome = outcome or Outcome()
    with transaction.atomic():
        moved = Work.objects.filter(
            pk=work.pk, stage=work.stage, status=work.status, version=work.version
        ).update(
            stage=move.end.stage,
            status=move.end.status,
            version=F("version") + 1,
            round=F("round") + (1 if outcome.new_round else 0),
            holder=outcome.holder,
            lease_until=outcome.lease_until,
            reserved_for=outcome.reserved_for,
            is_released=work.is_released and move.end.stage == Stage.DONE,
            changed_at=timezone.now(),
        )
        if not moved:
            raise StaleWork
        Event.objects.create(
            sample_id=work.sample_id,
            verb=verb,
            actor=actor,
            from_stage=move.start.stage,
            from_status=move.start.status,
            to_stage=move.end.stage,
            to_status=move.end.status,
            version=work.version + 1,
            reason=reason,
            data=outcome.data,
        )
    return Work.objects.get(pk=work.pk)
