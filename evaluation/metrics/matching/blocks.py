"""What a page is made of for scoring, and what of it was paired with what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class BlockKind(StrEnum):
    """The three structures a page is scored by."""

    TEXT = "text"
    TABLE = "table"
    FORMULA = "formula"


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a predicted page. `start` is its character offset after clean-up: reading order."""

    kind: BlockKind
    content: str
    start: int
    origin: str  # paragraph, code, html, pipe, latex, display, inline, cell, region
    name: str = ""  # region id, where the answer is keyed by region

    @property
    def is_inline(self) -> bool:
        """Inline formulas are offered to gold formulas, but stay part of their paragraph too."""
        return self.origin == "inline"


@dataclass(frozen=True, slots=True)
class GoldBlock:
    """A piece of the ground truth; pages list them in reading order.

    `is_ignored` (page numbers, running heads, captions) takes its prediction away without being scored.
    """

    id: str
    kind: BlockKind
    content: str
    is_ignored: bool = False


@dataclass(frozen=True, slots=True)
class BlockMatch:
    """Gold pieces and the predicted text they are scored against; `prediction` None = nothing was found.

    Several ids mean that one predicted block holds several gold blocks; several `blocks` that one gold block
    was answered in pieces. `distance` is the normalised edit distance the matcher saw, 0..1, 1 = no match.
    """

    kind: BlockKind
    gold_ids: tuple[str, ...]
    gold: str
    prediction: str | None
    distance: float
    blocks: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class PageMatch:
    """One page paired: what is scored, what was left over, what was set aside.

    `extra` are predicted blocks nobody claimed (inline formulas are not among them: their text counts in the
    paragraph). `ignored` are predicted blocks that answer ignored gold.
    """

    preset: str
    matches: tuple[BlockMatch, ...]
    extra: tuple[Block, ...] = ()
    ignored: tuple[Block, ...] = ()

    def pairs(self, kind: BlockKind) -> list[tuple[str | None, str]]:
        """(prediction, gold) for the metric of a kind; left-over text is scored against nothing.

        Left-over tables and formulas score nothing in the public programs and here; `counts` shows them.

        >>> PageMatch("by-region", (BlockMatch(BlockKind.TEXT, ("a",), "ink", None, 1.0),)).pairs(BlockKind.TEXT)
        [(None, 'ink')]
        """
        pairs: list[tuple[str | None, str]] = [
            (match.prediction, match.gold) for match in self.matches if match.kind is kind
        ]
        if kind is BlockKind.TEXT:
            pairs += [(block.content, "") for block in self.extra if block.kind is kind]
        return pairs

    def counts(self) -> Mapping[str, Mapping[str, int]]:
        """Per kind: gold pieces matched and unmatched, predicted pieces left over; shown beside every score."""
        matched = Counter(match.kind for match in self.matches if match.prediction is not None)
        unmatched = Counter(match.kind for match in self.matches if match.prediction is None)
        extra = Counter(block.kind for block in self.extra)
        return {
            kind.value: {"matched": matched[kind], "unmatched": unmatched[kind], "extra": extra[kind]}
            for kind in BlockKind
        }

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON-able form."""
        return {
            "preset": self.preset,
            "counts": {kind: dict(numbers) for kind, numbers in self.counts().items()},
            "matches": [
                {
                    "kind": match.kind.value,
                    "gold_ids": list(match.gold_ids),
                    "gold": match.gold,
                    "prediction": match.prediction,
                    "distance": match.distance,
                }
                for match in self.matches
            ],
            "extra": [{"kind": block.kind.value, "content": block.content} for block in self.extra],
            "ignored": [{"kind": block.kind.value, "content": block.content} for block in self.ignored],
        }


def of_kind(blocks: Sequence[GoldBlock], kind: BlockKind) -> list[GoldBlock]:
    """The gold blocks of one kind, in order."""
    return [block for block in blocks if block.kind is kind]
