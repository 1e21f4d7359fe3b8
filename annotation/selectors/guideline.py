"""What changed between two versions of a guideline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

CONTEXT = 2  # equal lines kept on each side of a change


@dataclass(frozen=True, slots=True)
class Change:
    """One line of a comparison: same, old (removed) or new (added); a fold replaces `count` equal lines."""

    kind: Literal["same", "old", "new", "fold"]
    text: str = ""
    count: int = 0


def line_changes(old: str, new: str) -> list[Change]:
    """Both texts line by line, removed lines before added ones; long runs of equal lines are folded."""
    before, after = old.splitlines(), new.splitlines()
    changes: list[Change] = []
    for tag, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            changes += _fold(before[i:j], is_first=i == 0, is_last=j == len(before))
            continue
        changes += [Change("old", line) for line in before[i:j]]
        changes += [Change("new", line) for line in after[k:m]]
    return changes


def _fold(lines: list[str], *, is_first: bool, is_last: bool) -> Iterator[Change]:
    head = 0 if is_first else CONTEXT
    tail = 0 if is_last else CONTEXT
    hidden = len(lines) - head - tail
    if hidden < 2:  # a fold would take as much space
        yield from (Change("same", line) for line in lines)
        return
    yield from (Change("same", line) for line in lines[:head])
    yield Change("fold", count=hidden)
    yield from (Change("same", line) for line in lines[len(lines) - tail :])
