"""One sample as its manager sees it: facts, what happened, flags, and what can be done now. No label content."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet

from annotation.models.event import Event
from annotation.models.sample import Sample
from annotation.models.work import Flag, Work
from annotation.selectors.blind_manager import is_hidden
from annotation.stages import IllegalMove, Stage, Status, Verb, find_move
from config.accounts.models import User

# What a manager may do by hand; `find_move` says which of them the sample's position allows.
MANAGER_VERBS = (Verb.RETURN, Verb.REOPEN, Verb.RELEASE, Verb.ESCALATE, Verb.WITHDRAW, Verb.RESTORE)


@dataclass(frozen=True, slots=True)
class SampleHistory:
    """What the page lists below the facts."""

    events: QuerySet[Event]
    flags: QuerySet[Flag]
    is_hidden: bool = False


def history_of(sample: Sample, viewer: User) -> SampleHistory:
    """Events, newest first, and flags with open ones first; nothing while the viewer may work on it blind."""
    if is_hidden(viewer, sample):
        return SampleHistory(Event.objects.none(), Flag.objects.none(), is_hidden=True)
    return SampleHistory(
        events=sample.events.select_related("actor").order_by("-pk"),
        flags=sample.flags.select_related("person").order_by("closed_at", "-pk"),
    )


def verbs_for_manager(work: Work | None) -> list[Verb]:
    """The moves a manager can make from where the work stands now."""
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
