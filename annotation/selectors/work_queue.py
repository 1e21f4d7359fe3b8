"""What waits for a person, over all their projects: counts and where to go, never content."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.db.models import Count, Exists, OuterRef, Q

from annotation.models.difficulty import Rating
from annotation.models.project import Project
from annotation.models.question import Question
from annotation.models.screening import Screening
from annotation.models.work import Assignment, Flag, Work
from annotation.selectors.duplicates import undecided_pairs
from annotation.services.ask_expert import count_to_answer, question_in_hand
from annotation.services.claim_work import count_waiting
from annotation.services.rate_difficulty import count_to_rate, rating_in_hand
from annotation.services.screen_page import count_to_screen, screening_in_hand
from annotation.stages import Stage, Status
from config.accounts.models import Membership, Role, User
from config.accounts.selectors import roles_in
from evaluation.preference.selectors import PendingStudy, pending_studies_of

STAGE_OF_ROLE = {
    Role.ANNOTATOR: Stage.LABEL,
    Role.REVIEWER: Stage.VERIFY,
    Role.ADJUDICATOR: Stage.ADJUDICATE,
}


@dataclass(frozen=True, slots=True)
class Queue:
    """One stage a person works at: how many samples they could take now, and the one already in their hands."""

    stage: Stage
    waiting: int
    in_hand: Assignment | None


@dataclass(slots=True)
class ProjectTasks:
    """All that one project asks of one person."""

    project: Project
    roles: tuple[Role, ...]
    queues: list[Queue] = field(default_factory=list)
    disputes: list[Assignment] = field(default_factory=list)  # own assignments in open discussions
    duplicates: int = 0
    flags: int = 0
    to_answer: int = 0
    question: Question | None = None  # the one in an expert's hands
    answers: list[Assignment] = field(
        default_factory=list
    )  # own open assignments to which an expert has answered
    to_screen: int = 0
    screening: Screening | None = None  # the one in hand
    to_rate: int = 0
    rating: Rating | None = None  # the one in hand
    studies: list[PendingStudy] = field(default_factory=list)  # expert studies with items left for the person

    @property
    def is_manager(self) -> bool:
        return Role.MANAGER in self.roles

    @property
    def is_empty(self) -> bool:
        return not (
            any(q.waiting or q.in_hand for q in self.queues)
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
    """One desk for each project in force."""
    return _filled(person, [ProjectTasks(project, roles) for project, roles in projects_of(person)])


def tasks_in(person: User, project: Project) -> ProjectTasks:
    """The desk in one project, archived or not."""
    have = roles_in(person, project.team)
    return _filled(person, [ProjectTasks(project, tuple(role for role in Role if role in have))])[0]


def _filled(person: User, desks: list[ProjectTasks]) -> list[ProjectTasks]:
    assignments = _held_assignments(person)
    disputes = _open_disputes(person)
    managed = [desk.project.pk for desk in desks if desk.is_manager]
    duplicates = _count_by_project(undecided_pairs().filter(project__in=managed), "project")
    flags = _count_by_project(
        Flag.objects.filter(sample__project__in=managed, closed_at=None), "sample__project"
    )
    studies = pending_studies_of(person, [desk.project.team for desk in desks])
    for desk in desks:
        pk = desk.project.pk
        desk.studies = [each for each in studies if each.team == desk.project.team]
        desk.queues = [
            Queue(stage, count_waiting(person, desk.project, stage), assignments.get((pk, stage)))
            for role, stage in STAGE_OF_ROLE.items()
            if role in desk.roles
        ]
        desk.disputes = disputes.get(pk, [])
        if Role.DOMAIN_EXPERT in desk.roles:
            desk.to_answer = count_to_answer(person, desk.project)
            desk.question = question_in_hand(person, desk.project)
        in_hand = [queue.in_hand for queue in desk.queues if queue.in_hand]
        answered = Question.objects.filter(assignment__in=in_hand, answered_at__isnull=False)
        told = set(answered.values_list("assignment", flat=True)) if in_hand else set()
        desk.answers = [assignment for assignment in in_hand if assignment.pk in told]
        if Role.SCREENER in desk.roles:
            desk.to_screen = count_to_screen(person, desk.project)
            desk.screening = screening_in_hand(person, desk.project)
        if Role.DIFFICULTY_RATER in desk.roles:
            desk.to_rate = count_to_rate(person, desk.project)
            desk.rating = rating_in_hand(person, desk.project)
        desk.duplicates, desk.flags = duplicates.get(pk, 0), flags.get(pk, 0)
    return desks


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
        .exclude(submitted_at=None)  # an assignment that was put back has no version in the discussion
        .select_related("sample")
        .order_by("sample__work__changed_at", "pk")
    )
    found: dict[int, list[Assignment]] = {}
    for assignment in assignments:
        found.setdefault(assignment.sample.project_id, []).append(assignment)
    return found


def _count_by_project(rows, column: str) -> dict[int, int]:  # type: ignore[no-untyped-def]
    return dict(rows.values(column).annotate(n=Count("pk")).values_list(column, "n"))
