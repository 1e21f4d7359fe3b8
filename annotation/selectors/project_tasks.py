"""What waits for a person in their projects: counts and assignments, no content."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.db.models import Count, Exists, OuterRef, Q

from annotation.models.difficulty import Rating
from annotation.models.project import Project
from annotation.models.question import Question
from annotation.models.screening import Screening
from annotation.models.work import Assignment, Flag, Work
from annotation.selectors.duplicates import undecided_pairs
from annotation.selectors.question_queue import count_waiting_questions, held_question
from annotation.selectors.rating_queue import count_waiting_ratings, held_rating
from annotation.selectors.screening_queue import count_waiting_screenings, held_screening
from annotation.selectors.work_queue import ROLE_OF_STAGE, count_waiting_work
from annotation.stages import Stage, Status
from config.accounts.models import Membership, Role, User
from config.accounts.selectors import roles_in
from evaluation.preference.selectors import PendingStudy, pending_studies_of

STAGE_OF_ROLE = {role: stage for stage, role in ROLE_OF_STAGE.items()}


@dataclass(frozen=True, slots=True)
class Queue:
    """One stage a person works at: how many samples they could claim now, and the assignment they hold."""

    stage: Stage
    waiting: int
    held: Assignment | None


@dataclass(slots=True)
class ProjectTasks:
    """What one project asks of one person."""

    project: Project
    roles: tuple[Role, ...]
    queues: list[Queue] = field(default_factory=list)
    disputes: list[Assignment] = field(default_factory=list)  # own, in open discussions
    duplicates: int = 0
    flags: int = 0
    to_answer: int = 0
    question: Question | None = None  # held by the expert
    answers: list[Assignment] = field(
        default_factory=list
    )  # own open assignments to which an expert has answered
    to_screen: int = 0
    screening: Screening | None = None  # held
    to_rate: int = 0
    rating: Rating | None = None  # held
    studies: list[PendingStudy] = field(default_factory=list)  # with items left for the person

    @property
    def is_manager(self) -> bool:
        return Role.MANAGER in self.roles

    @property
    def is_empty(self) -> bool:
        return not (
            any(q.waiting or q.held for q in self.queues)
            or self.disputes
            or self.duplicates
            or self.flags
            or self.to_answer
            or self.question
            or self.answers
            or self.to_screen
            or self.screening
            or self.to_rate
            or self.rating
            or self.studies
        )


def projects_of(person: User, *, archived: bool = False) -> list[tuple[Project, tuple[Role, ...]]]:
    """The person's projects by name, each with their roles there in the order of Role."""
    roles: dict[int, set[Role]] = {}
    for team, role in Membership.objects.filter(user=person).values_list("team", "role"):
        roles.setdefault(team, set()).add(Role(role))
    projects = Project.objects.filter(team__in=roles, archived_at__isnull=not archived)
    projects = projects.select_related("team").order_by("name", "pk")
    return [(p, tuple(role for role in Role if role in roles[p.team_id])) for p in projects]


def tasks_by_project(person: User) -> list[ProjectTasks]:
    """The tasks in each project that is not archived."""
    return _fill(person, [ProjectTasks(project, roles) for project, roles in projects_of(person)])


def tasks_in(person: User, project: Project) -> ProjectTasks:
    """The tasks in one project, archived or not."""
    have = roles_in(person, project.team)
    return _fill(person, [ProjectTasks(project, tuple(role for role in Role if role in have))])[0]


def _fill(person: User, all_tasks: list[ProjectTasks]) -> list[ProjectTasks]:
    assignments = _held_assignments(person)
    disputes = _open_disputes(person)
    managed = [tasks.project.pk for tasks in all_tasks if tasks.is_manager]
    duplicates = _count_by_project(undecided_pairs().filter(project__in=managed), "project")
    flags = _count_by_project(
        Flag.objects.filter(sample__project__in=managed, closed_at=None), "sample__project"
    )
    studies = pending_studies_of(person, [tasks.project.team for tasks in all_tasks])
    for tasks in all_tasks:
        pk = tasks.project.pk
        tasks.studies = [study for study in studies if study.team == tasks.project.team]
        tasks.queues = [
            Queue(stage, count_waiting_work(person, tasks.project, stage), assignments.get((pk, stage)))
            for role, stage in STAGE_OF_ROLE.items()
            if role in tasks.roles
        ]
        tasks.disputes = disputes.get(pk, [])
        if Role.DOMAIN_EXPERT in tasks.roles:
            tasks.to_answer = count_waiting_questions(person, tasks.project)
            tasks.question = held_question(person, tasks.project)
        held = [queue.held for queue in tasks.queues if queue.held]
        answered = Question.objects.filter(assignment__in=held, answered_at__isnull=False)
        answered_ids = set(answered.values_list("assignment", flat=True)) if held else set()
        tasks.answers = [assignment for assignment in held if assignment.pk in answered_ids]
        if Role.SCREENER in tasks.roles:
            tasks.to_screen = count_waiting_screenings(person, tasks.project)
            tasks.screening = held_screening(person, tasks.project)
        if Role.DIFFICULTY_RATER in tasks.roles:
            tasks.to_rate = count_waiting_ratings(person, tasks.project)
            tasks.rating = held_rating(person, tasks.project)
        tasks.duplicates, tasks.flags = duplicates.get(pk, 0), flags.get(pk, 0)
    return all_tasks


def _held_assignments(person: User) -> dict[tuple[int, Stage], Assignment]:
    """The person's own held assignments, by project and stage."""
    held = Work.objects.filter(
        sample=OuterRef("sample"),
        holder=person,
        status=Status.HELD,
        stage=OuterRef("stage"),
        round=OuterRef("round"),
    )
    assignments = (
        Assignment.objects.filter(Exists(held), person=person).select_related("sample").order_by("-pk")
    )
    return {(assignment.sample.project_id, Stage(assignment.stage)): assignment for assignment in assignments}


def _open_disputes(person: User) -> dict[int, list[Assignment]]:
    """The person's assignments at samples under discussion, by project; oldest discussion first."""
    assignments = (
        Assignment.objects.filter(
            Q(stage=Stage.LABEL) | Q(stage=Stage.VERIFY),
            Exists(
                Work.objects.filter(
                    sample=OuterRef("sample"),
                    round=OuterRef("round"),
                    stage=Stage.ADJUDICATE,
                    status=Status.OPEN,
                )
            ),
            person=person,
        )
        .exclude(submitted_at=None)  # a released assignment has no version in the discussion
        .select_related("sample")
        .order_by("sample__work__changed_at", "pk")
    )
    disputes: dict[int, list[Assignment]] = {}
    for assignment in assignments:
        disputes.setdefault(assignment.sample.project_id, []).append(assignment)
    return disputes


def _count_by_project(rows, column: str) -> dict[int, int]:  # type: ignore[no-untyped-def]
    return dict(rows.values(column).annotate(n=Count("pk")).values_list(column, "n"))
