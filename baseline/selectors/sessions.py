"""Where a participant is in their session: the current page, the running task, the practice sample."""

from __future__ import annotations

from baseline.models import Participation, Task, TaskState
from baseline.protocol import SessionPage, SessionPlan, SessionPosition, Step, page_of
from evaluation.models import GoldItem


def plan_of(row: Participation) -> SessionPlan:
    baseline = row.baseline
    return SessionPlan(
        bool(baseline.questions), len(baseline.practice), row.tasks.count(), baseline.break_every
    )


def current_page(row: Participation) -> SessionPage:
    """The page the participant is on; every address of the session leads to it."""
    is_shown = row.step == Step.ITEMS and open_task(row) is not None
    position = SessionPosition(Step(row.step), row.position, row.is_feedback, is_shown, row.rested_at)
    return page_of(plan_of(row), position)


def practice_item(row: Participation) -> GoldItem | None:
    """The practice sample in hand."""
    numbers = row.baseline.practice
    if row.step != Step.PRACTICE or row.position >= len(numbers):
        return None
    return GoldItem.objects.filter(release=row.baseline.release_id, number=numbers[row.position]).first()


def key_of(task: Task) -> str:
    """Names a task towards its page, so that a text typed for one image never lands at another."""
    return f"{task.participation.uuid.hex}-{task.position}"


def open_task(row: Participation) -> Task | None:
    """The task whose clock is running."""
    return row.tasks.filter(state=TaskState.OPEN).select_related("item").first()
