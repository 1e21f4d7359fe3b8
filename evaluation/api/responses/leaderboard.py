"""What the API tells of systems compared."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.models import Release
from evaluation.selectors.leaderboard import Leaderboard, LeaderboardColumn, LeaderboardRow


@dataclass(frozen=True, slots=True)
class ColumnAnswer:
    """One figure that systems are compared by."""

    metric: str
    group: str
    label: str
    is_lower_better: bool


@dataclass(frozen=True, slots=True)
class CellAnswer:
    """One system's figure; `value` null is n/a, and `reason` says why."""

    value: float | None
    n: int
    n_failed: int
    signature: str
    reason: str
    is_best: bool


@dataclass(frozen=True, slots=True)
class EntryAnswer:
    """One system. `rank` is null where the ordering figure is n/a; `cells` stand in the order of the columns."""

    rank: int | None
    system: str
    kind: str
    asked: int
    coverage: float | None
    missing: int | None
    failed: int | None
    is_pending: bool
    cells: tuple[CellAnswer, ...]


@dataclass(frozen=True, slots=True)
class LeaderboardAnswer:
    """Systems by figures: best first, n/a last, equal figures by name. `groups` are what `within` can name."""

    release: int
    bundle: str
    view: str
    sort: str
    within: str
    groups: tuple[str, ...]
    columns: tuple[ColumnAnswer, ...]
    entries: tuple[EntryAnswer, ...]


def leaderboard_answer(release: Release, board: Leaderboard) -> LeaderboardAnswer:
    return LeaderboardAnswer(
        release=release.pk,
        bundle=board.bundle,
        view=board.view,
        sort=board.sort,
        within=board.within,
        groups=tuple(name for name, _label in board.groups),
        columns=tuple(_column_answer(column) for column in board.columns),
        entries=tuple(_entry_answer(entry) for entry in board.entries),
    )


def _column_answer(column: LeaderboardColumn) -> ColumnAnswer:
    return ColumnAnswer(*column.key, column.label, column.is_lower_better)


def _entry_answer(entry: LeaderboardRow) -> EntryAnswer:
    run = entry.run if entry.is_scored else None
    return EntryAnswer(
        rank=entry.rank,
        system=entry.system.name,
        kind=entry.system.kind,
        asked=entry.n_asked,
        coverage=run.coverage if run else None,
        missing=run.n_missing if run else None,
        failed=run.n_failed_answers if run else None,
        is_pending=entry.is_pending,
        cells=tuple(
            CellAnswer(c.value, c.n, c.n_failed, c.signature, c.reason, c.is_best) for c in entry.cells
        ),
    )
