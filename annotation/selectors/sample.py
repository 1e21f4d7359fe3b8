"""One sample for its manager: history, flags, and possible moves. No label content."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet

from annotation.models.event import Event
from annotation.models.sample import Sample
from annotation.models.work import Flag, Work
from annotation.selectors.blind_manager import is_hidden
from annotation.stages import IllegalMove, Stage, Status, Verb, find_move
from config.accounts.models import User

# A manager's moves; `find_move` decides which of them a position allows.
MANAGER_VERBS = (Verb.RETURN, Verb.REOPEN, Verb.RELEASE, Verb.ESCALATE, Verb.WITHDRAW, Verb.RESTORE)


@dataclass(frozen=True, slots=True)
class SampleHistory:
    """The events and flags of a sample."""

    events: QuerySet[Event]
    flags: QuerySet[Flag]
    is_hidden: bool = False


def history_of(sample: Sample, viewer: User) -> SampleHistory:
    """Events, newest first, and flags, open ones first; nothing while the viewer may work on the sample blind."""
    if is_hidden(viewer, sample):
        return SampleHistory(Event.objects.none(), Flag.objects.none(), is_hidden=True)
    return SampleHistory(
        events=sample.events.select_related("actor").order_by("-pk"),
        flags=sample.flags.select_related("person").order_by("closed_at", "-pk"),
    )


def verbs_for_manager(work: Work | None) -> list[Verb]:
    """The moves a manager can make from the work's position."""
    if work is None:
        return []
    verbs = []
    for verb in MANAGER_VERBS:
        try:
            find_move(Stage(work.stage), Status(work.status), verb)
        except IllegalMove:
            continue
        verbs.append(verb)
    return verbs
