"""What changed between two versions of a guideline."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal


@dataclass(frozen=True, slots=True)
class Change:
    """One line of a comparison; `kind` is same, old (taken out) or new (put in)."""

    kind: Literal["same", "old", "new"]
    text: str


def line_changes(old: str, new: str) -> list[Change]:
    """Both texts line by line: what stayed once, what went before what came."""
    before, after = old.splitlines(), new.splitlines()
    changes: list[Change] = []
    for tag, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            changes += [Change("same", line) for line in before[i:j]]
            continue
        changes += [Change("old", line) for line in before[i:j]]
        changes += [Change("new", line) for line in after[k:m]]
    return changes
