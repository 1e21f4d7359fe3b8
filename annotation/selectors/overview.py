"""The state of a whole project for its board. Counts only, no content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Count, Min, Q
from django.utils import timezone

from annotation.models.project import Project
from annotation.models.sample import Sample
from annotation.selectors.samples import state_of_position
from annotation.stages import SampleState, Stage, Status

# In the order in which a sample passes through them.
FLOW = (
    SampleState.IMPORTED,
    SampleState.SCREENING,
    SampleState.DUPLICATE,
    SampleState.PREANNOTATING,
    SampleState.LABELLING,
    SampleState.VERIFYING,
    SampleState.DISPUTED,
    SampleState.VERIFIED,
    SampleState.RELEASED,
)
# States in which a sample waits for somebody, and after how long it counts as stuck.
STUCK_AFTER = {
    SampleState.SCREENING: timedelta(days=7),
    SampleState.DUPLICATE: timedelta(days=3),
    SampleState.PREANNOTATING: timedelta(hours=6),
    SampleState.VERIFYING: timedelta(days=7),
    SampleState.DISPUTED: timedelta(days=3),
}


@dataclass(slots=True)
class Column:
    """One state of the flow: the number of samples, how many of them are held, and since when the oldest waits."""

    state: SampleState
    count: int = 0
    held: int = 0
    oldest: datetime | None = None

    @property
    def is_stuck(self) -> bool:
        limit = STUCK_AFTER.get(self.state)
        return bool(self.count and limit and self.oldest and timezone.now() - self.oldest > limit)


def columns_by_project(projects: Iterable[Project]) -> dict[int, dict[SampleState, Column]]:
    """The figures of every state of FLOW, and of EXCLUDED, by project id; one query."""
    columns = {p.pk: {state: Column(state) for state in (*FLOW, SampleState.EXCLUDED)} for p in projects}
    rows = (
        Sample.objects.filter(project__in=columns)
        .values("project", "intake", "work__stage", "work__status", "work__is_released")
        .annotate(n=Count("pk"), since=Min("work__changed_at"), created=Min("created_at"))
        .order_by()
    )
    for row in rows:
        state = state_of_position(
            row["intake"], row["work__stage"], row["work__status"], row["work__is_released"]
        )
        column = columns[row["project"]][state]
        column.count += row["n"]
        column.held += row["n"] if row["work__status"] == Status.HELD else 0
        column.oldest = min(filter(None, (column.oldest, row["since"] or row["created"])), default=None)
    return columns


def columns_of(project: Project) -> dict[SampleState, Column]:
    """The same for one project."""
    return columns_by_project([project])[project.pk]


@dataclass(frozen=True, slots=True)
class Cell:
    """`count` samples, `verified` of them finished; `heat` 0..10 is relative to the table's largest count."""

    count: int
    verified: int
    heat: int


@dataclass(slots=True)
class Table:
    """Counts by row and column key, with totals; keys without samples are included."""

    rows: list[str]
    columns: list[str]
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    verified: Counter[tuple[str, str]] = field(default_factory=Counter)

    def cell(self, row: str, column: str) -> Cell:
        top = max(self.counts.values(), default=0)
        count = self.counts[row, column]
        return Cell(count, self.verified[row, column], -(-10 * count // top) if top else 0)

    @property
    def lines(self) -> list[tuple[str, list[tuple[str, Cell]], int, int]]:
        """(row, its (column, cell) pairs, its total, its verified total) for each row."""
        lines = []
        for row in self.rows:
            cells = [(column, self.cell(row, column)) for column in self.columns]
            total, done = sum(c.count for _, c in cells), sum(c.verified for _, c in cells)
            lines.append((row, cells, total, done))
        return lines

    @property
    def totals(self) -> list[int]:
        return [sum(self.counts[row, column] for row in self.rows) for column in self.columns]

    @property
    def total(self) -> int:
        return sum(self.counts.values())


def distribution_of(project: Project) -> tuple[Table, Table]:
    """(structure x language, scenario x language) over the samples that are not excluded; one query.

    Source: WildHandBench, tables 3 and 4.
    """
    done = Q(work__stage=Stage.DONE, work__status=Status.SUBMITTED)
    rows = list(
        Sample.objects.filter(project=project)
        .exclude(intake="excluded")
        .exclude(work__status=Status.WITHDRAWN)
        .values("structure", "language", "scenario")
        .annotate(n=Count("pk"), done=Count("pk", filter=done))
        .order_by()
    )
    languages = _known_first(project.languages, (row["language"] for row in rows))
    scenarios = _known_first(project.scenarios, (row["scenario"] for row in rows))
    structures = _known_first([], (row["structure"] for row in rows)) or ["text"]
    by_structure, by_scenario = Table(structures, languages), Table(scenarios, languages)
    for row in rows:
        for table, key in ((by_structure, row["structure"]), (by_scenario, row["scenario"])):
            table.counts[key, row["language"]] += row["n"]
            table.verified[key, row["language"]] += row["done"]
    return by_structure, by_scenario


def _known_first(known: list[str], others: Iterable[str]) -> list[str]:
    return [*known, *sorted(set(others) - set(known))]


@dataclass(frozen=True, slots=True)
class StuckSamples:
    """Samples of one project that are stuck in one state."""

    project: Project
    column: Column


def stuck_in(projects: Iterable[Project]) -> list[StuckSamples]:
    """The states in which samples are stuck, over several projects; one query."""
    projects = list(projects)
    columns = columns_by_project(projects)
    return [
        StuckSamples(project, column)
        for project in projects
        for column in columns[project.pk].values()
        if column.is_stuck
    ]
