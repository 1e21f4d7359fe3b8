"""Responses about projects, their queues and guidelines."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from annotation.models.project import Project
from annotation.selectors.overview import Column
from annotation.selectors.project_tasks import Queue
from config.accounts.models import Role


@dataclass(frozen=True, slots=True)
class ProjectResponse:
    """One of your projects. `roles` are yours in it."""

    slug: str
    name: str
    description: str
    languages: tuple[str, ...]
    scenarios: tuple[str, ...]
    verification_mode: str
    is_archived: bool
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QueueResponse:
    """A stage you work in: how many samples you could claim, and your current assignment."""

    stage: str
    waiting: int
    held: uuid.UUID | None


@dataclass(frozen=True, slots=True)
class StateResponse:
    """How many samples are in one state, and how many of them are claimed."""

    state: str
    count: int
    held: int


@dataclass(frozen=True, slots=True)
class ProjectDetailResponse:
    """One project with your queues; for managers also the states of its samples, null for others."""

    project: ProjectResponse
    queues: tuple[QueueResponse, ...]
    discussions: tuple[uuid.UUID, ...]  # your assignments in open discussions
    states: tuple[StateResponse, ...] | None


@dataclass(frozen=True, slots=True)
class GuidelineResponse:
    """One version of a project's guideline, in Markdown."""

    number: int
    text: str
    created_at: datetime


def project_response(project: Project, roles: tuple[Role, ...]) -> ProjectResponse:
    return ProjectResponse(
        slug=project.slug,
        name=project.name,
        description=project.description,
        languages=tuple(project.languages),
        scenarios=tuple(project.scenarios),
        verification_mode=project.verification_mode,
        is_archived=project.archived_at is not None,
        roles=tuple(role.value for role in roles),
    )


def queue_response(queue: Queue) -> QueueResponse:
    return QueueResponse(queue.stage, queue.waiting, queue.held.uuid if queue.held else None)


def state_response(column: Column) -> StateResponse:
    return StateResponse(column.state, column.count, column.held)
