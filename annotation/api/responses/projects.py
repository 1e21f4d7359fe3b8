"""What the API tells of projects, their queues and guidelines."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from annotation.models.project import Project
from annotation.selectors.overview import Column
from annotation.selectors.project_tasks import Queue
from config.accounts.models import Role


@dataclass(frozen=True, slots=True)
class ProjectAnswer:
    """One project of yours. `roles` are your own there."""

    slug: str
    name: str
    description: str
    languages: tuple[str, ...]
    scenarios: tuple[str, ...]
    verification_mode: str
    is_archived: bool
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QueueAnswer:
    """A stage you work at: how many samples you could take, and your assignment at the one in your hands."""

    stage: str
    waiting: int
    held: uuid.UUID | None


@dataclass(frozen=True, slots=True)
class StateAnswer:
    """How many samples are in one state, and how many of them in somebody's hands."""

    state: str
    count: int
    held: int


@dataclass(frozen=True, slots=True)
class ProjectDetail:
    """One project, your queues in it, and for managers the states of its samples (null for others)."""

    project: ProjectAnswer
    queues: tuple[QueueAnswer, ...]
    discussions: tuple[uuid.UUID, ...]  # own assignments in open discussions
    states: tuple[StateAnswer, ...] | None


@dataclass(frozen=True, slots=True)
class GuidelineAnswer:
    """One version of a project's guideline (Markdown)."""

    number: int
    text: str
    created_at: datetime


def project_answer(project: Project, roles: tuple[Role, ...]) -> ProjectAnswer:
    return ProjectAnswer(
        slug=project.slug,
        name=project.name,
        description=project.description,
        languages=tuple(project.languages),
        scenarios=tuple(project.scenarios),
        verification_mode=project.verification_mode,
        is_archived=project.archived_at is not None,
        roles=tuple(role.value for role in roles),
    )


def queue_answer(queue: Queue) -> QueueAnswer:
    return QueueAnswer(queue.stage, queue.waiting, queue.held.uuid if queue.held else None)


def state_answer(column: Column) -> StateAnswer:
    return StateAnswer(column.state, column.count, column.held)
