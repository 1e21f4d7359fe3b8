"""A leaderboard's figures as CSV and JSON: all metrics and groups, with what is needed to compare them."""

from __future__ import annotations

import csv
import io
from typing import Any

from evaluation.models import Release
from evaluation.selectors.leaderboard import LeaderboardRow, leaderboard

_COLUMNS = (
    "rank",
    "system",
    "kind",
    "asked",
    "coverage",
    "missing",
    "failed",
    "metric",
    "group",
    "value",
    "better",
    "n",
    "n_failed",
    "status",
    "reason",
    "signature",
)


def leaderboard_record(release: Release, bundle: str) -> dict[str, Any]:
    """JSON-able: the release, and each system with its whole report, in the order of the leaderboard."""
    board = leaderboard(release, bundle=bundle)
    return {
        "release": {"team": release.team.slug, "number": release.number, "checksum": release.checksum},
        "bundle": bundle,
        "ordered_by": board.sort,
        "systems": [_system(entry) for entry in board.entries],
    }


def leaderboard_csv(release: Release, bundle: str) -> str:
    """One line a system, metric and group; a system without figures has one line that says so."""
    out = io.StringIO()
    writer = csv.DictWriter(out, _COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    for entry in leaderboard(release, bundle=bundle).entries:
        writer.writerows(_lines(entry))
    return out.getvalue()


def _system(entry: LeaderboardRow) -> dict[str, Any]:
    return {**_head(entry), "results": entry.run.results if entry.run is not None else {}}


def _head(entry: LeaderboardRow) -> dict[str, Any]:
    run = entry.run if entry.is_scored else None
    return {
        "rank": entry.rank,
        "system": entry.system.name,
        "kind": entry.system.kind,
        "asked": entry.n_asked,
        "coverage": run.coverage if run else None,
        "missing": run.n_missing if run else None,
        "failed": run.n_failed_answers if run else None,
    }


def _lines(entry: LeaderboardRow) -> list[dict[str, Any]]:
    head = {name: _safe(value) for name, value in _head(entry).items()}
    if entry.run is None or not entry.is_scored:
        return [{**head, "status": "not scored"}]
    results = entry.run.results
    scores = [
        {"metric": name, "group": "all", **score} for name, score in results["overall"].items()
    ] + results["scores"]
    wanted = ("metric", "group", "value", "n", "n_failed", "status", "reason", "signature")
    return [
        head | {name: _safe(score[name]) for name in wanted} | {"better": score["direction"]}
        for score in scores
    ]


def _safe(value: object) -> object:
    """A text that a spreadsheet would run as a formula is written as a text."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t") else value
