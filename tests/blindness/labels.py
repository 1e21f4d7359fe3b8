"""What people write on pages of each structure, with a canary in every place of it."""

from __future__ import annotations

import json
from typing import Any

# What stands on the page of a state; text where none is named.
STRUCTURES = {
    "outlined": "formula",
    "reopened": "table",
    "judged": "formula",
    "escalated": "table",
    "discussed": "formula",
    "reviewed": "formula",
    "reviewed by a manager": "table",
    "own to review": "formula",
    "to review": "table",
}
# What a piece of a label is called in the kinds of canaries, by the structure of its page.
PIECES = {"text": "text", "table": "cell", "formula": "LaTeX"}
FIRST, SECOND = [[10, 10], [100, 10], [100, 40]], [[10, 60], [100, 60], [100, 90]]


def structure_of(state: str) -> str:
    return STRUCTURES.get(state, "text")


def piece_of(state: str) -> str:
    return PIECES[structure_of(state)]


def write_label(state: str, first: str, second: str) -> str:
    """A label of two pieces: lines, cells or formulas."""
    match structure_of(state):
        case "table":
            return f"<table><tr><td>Dear {first}</td><td>yours {second}</td></tr></table>"
        case "formula":
            regions = [("a", FIRST, first), ("b", SECOND, second)]
            listed = [{"id": name, "polygon": polygon, "latex": latex} for name, polygon, latex in regions]
            return json.dumps({"regions": listed})
    return f"Dear {first},\nyours {second}"


def mask(reason: str, *, width: int = 50) -> dict[str, Any]:
    """A place that nobody can read. Two of different widths are a matter of dispute."""
    return {"id": "m1", "shape": "box", "points": [[10, 100], [10 + width, 140]], "reason": reason}
