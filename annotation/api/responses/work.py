"""Responses about your own assignments."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from annotation.models.project import Project
from annotation.models.work import Assignment
from annotation.stages import Stage
from annotation.worksheets import MaskSheet


@dataclass(frozen=True, slots=True)
class NextSampleResponse:
    """Your next assignment. Null when no sample is left; `free_at` then says when one may become available."""

    assignment: uuid.UUID | None
    stage: str
    free_at: datetime | None


@dataclass(frozen=True, slots=True)
class AssignmentResponse:
    """A sample you hold, or whose discussion you take part in."""

    assignment: uuid.UUID
    project: str
    stage: str
    sample_number: int
    is_discussion: bool


@dataclass(frozen=True, slots=True)
class SavedDraftResponse:
    """The stored draft. The next save must name this version."""

    version: int
    saved_at: datetime


@dataclass(frozen=True, slots=True)
class LeaseResponse:
    """When your claim on the sample expires."""

    lease_until: datetime


@dataclass(frozen=True, slots=True)
class SubmittedResponse:
    """The submitted transcription in its canonical form."""

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
