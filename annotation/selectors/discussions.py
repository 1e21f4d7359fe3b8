"""Who takes part in a discussion, and whether they may write in it now."""

from __future__ import annotations

from annotation.models import Assignment, Dispute, Work
from annotation.models.label import DiscussionRole
from annotation.stages import Stage, Status

_ROLE_OF_STAGE = {
    Stage.LABEL: DiscussionRole.PRIMARY,
    Stage.VERIFY: DiscussionRole.SECOND,
    Stage.ADJUDICATE: DiscussionRole.ADJUDICATOR,
}


def discussion_role_of(assignment: Assignment) -> DiscussionRole:
    """The pseudonym under which this assignment's person takes part."""
    return _ROLE_OF_STAGE[Stage(assignment.stage)]


def may_speak(assignment: Assignment, dispute: Dispute, work: Work) -> bool:
    """Primary and second write while the discussion is open; the adjudicator only while holding the sample."""
    discussion_role = discussion_role_of(assignment)
    if discussion_role is DiscussionRole.ADJUDICATOR:
        return work.status == Status.HELD and work.holder_id == assignment.person_id
    version = dispute.primary if discussion_role is DiscussionRole.PRIMARY else dispute.second
    return work.status == Status.OPEN and version.assignment_id == assignment.pk
