"""Responses about the leaderboard."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.models import Release
from evaluation.selectors.leaderboard import Leaderboard, LeaderboardColumn, LeaderboardRow


@dataclass(frozen=True, slots=True)
class ColumnResponse:
    """One column of the leaderboard."""

    metric: str
    group: str
    label: str
    is_lower_better: bool


@dataclass(frozen=True, slots=True)
class CellResponse:
    """One system's score; `value` is null for n/a, explained by `reason`."""

    value: float | None
    n: int
    n_failed: int
    signature: str
    reason: str
    is_best: bool


@dataclass(frozen=True, slots=True)
class EntryResponse:
    """One system. `rank` is null if the score it is ordered by is n/a; `cells` are in the order of the columns."""

    rank: int | None
    system: str
    kind: str
    asked: int
    coverage: float | None
    missing: int | None
    failed: int | None
    is_pending: bool
    cells: tuple[CellResponse, ...]


@dataclass(frozen=True, slots=True)
class LeaderboardResponse:
    """Systems ordered best first, n/a last, ties by name. `groups` are the possible values of `within`."""

    release: int
    bundle: str
    view: str
    sort: str
    within: str
    groups: tuple[str, ...]
    columns: tuple[ColumnResponse, ...]
    entries: tuple[EntryResponse, ...]


def leaderboard_response(release: Release, board: Leaderboard) -> LeaderboardResponse:
    return LeaderboardResponse(
        release=release.pk,
        bundle=board.bundle,
        view=board.view,
        sort=board.sort,
        within=board.within,
        groups=tuple(name for name, _label in board.groups),
        columns=tuple(_column_response(column) for column in board.columns),
        entries=tuple(_entry_response(entry) for entry in board.entries),
    )


def _column_response(column: LeaderboardColumn) -> ColumnResponse:
    return ColumnResponse(*column.key, column.label, column.is_lower_better)


def _entry_response(entry: LeaderboardRow) -> EntryResponse:
    run = entry.run if entry.is_scored else None
    return EntryResponse(
        rank=entry.rank,
        system=entry.system.name,
        kind=entry.system.kind,
        asked=entry.n_asked,
        coverage=run.coverage if run else None,
        missing=run.n_missing if run else None,
        failed=run.n_failed_answers if run else None,
        is_pending=entry.is_pending,
        cells=tuple(
            CellResponse(c.value, c.n, c.n_failed, c.signature, c.reason, c.is_best) for c in entry.cells
        ),
    )
