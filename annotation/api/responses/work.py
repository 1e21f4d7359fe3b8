"""What the API tells whoever holds a sample, or is about to."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from annotation.models.project import Project
from annotation.models.work import Assignment
from annotation.stages import Stage
from annotation.worksheets import MaskSheet


@dataclass(frozen=True, slots=True)
class NextAnswer:
    """Your assignment at the next sample; null when nothing is left, and then when the earliest may fall free."""

    assignment: uuid.UUID | None
    stage: str
    free_at: datetime | None


@dataclass(frozen=True, slots=True)
class AssignmentResponse:
    """One sample in your hands, or under discussion with you."""

    assignment: uuid.UUID
    project: str
    stage: str
    sample_number: int
    is_discussion: bool


@dataclass(frozen=True, slots=True)
class SavedAnswer:
    """The draft as it is stored now. The next save names this version."""

    version: int
    saved_at: datetime


@dataclass(frozen=True, slots=True)
class LeaseAnswer:
    """Until when the sample is in your hands."""

    lease_until: datetime


@dataclass(frozen=True, slots=True)
class SubmittedAnswer:
    """What was handed in, in its canonical form."""

    assignment: uuid.UUID
    text: str
    masks: tuple[MaskSheet, ...]
    submitted_at: datetime


def assignment_response(
    assignment: Assignment, project: Project, *, is_discussion: bool
) -> AssignmentResponse:
    return AssignmentResponse(
        assignment.uuid, project.slug, Stage(assignment.stage), assignment.sample.number, is_discussion
    )
