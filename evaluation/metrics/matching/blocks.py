"""Blocks of a page, and the result of matching them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class BlockKind(StrEnum):
    """The structures by which a page is scored."""

    TEXT = "text"
    TABLE = "table"
    FORMULA = "formula"


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a predicted page. `start` is its character offset after clean-up, which gives the reading order."""

    kind: BlockKind
    content: str
    start: int
    origin: str  # paragraph, code, html, pipe, latex, display, inline, cell, region
    name: str = ""  # region id, if the prediction is keyed by region

    @property
    def is_inline(self) -> bool:
        """Inline formulas can match gold formulas, but stay part of their paragraph too."""
        return self.origin == "inline"


@dataclass(frozen=True, slots=True)
class GoldBlock:
    """A block of the ground truth; pages list them in reading order.

    An ignored block (page numbers, running heads, captions) absorbs its prediction without being scored.
    """

    id: str
    kind: BlockKind
    content: str
    is_ignored: bool = False


@dataclass(frozen=True, slots=True)
class BlockMatch:
    """Gold blocks and the predicted text they are scored against; `prediction` None = unmatched.

    Several ids: one predicted block holds several gold blocks. Several `blocks`: one gold block was predicted in
    pieces. `distance` is the normalised edit distance of the matcher, 0..1, 1 = no match.
    """

    kind: BlockKind
    gold_ids: tuple[str, ...]
    gold: str
    prediction: str | None
    distance: float
    blocks: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class PageMatch:
    """The matches of a page.

    `extra` are unmatched predicted blocks, except inline formulas, whose text counts in the paragraph. `ignored` are
    predicted blocks that match ignored gold.
    """

    preset: str
    matches: tuple[BlockMatch, ...]
    extra: tuple[Block, ...] = ()
    ignored: tuple[Block, ...] = ()

    def pairs(self, kind: BlockKind) -> list[tuple[str | None, str]]:
        """(prediction, gold) for the metric of a kind; unmatched predicted text is scored against "".

        Unmatched predicted tables and formulas are not scored, as in the public programs; `counts` shows them.

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
        """Per kind: gold blocks matched and unmatched, and unmatched predicted blocks; shown beside every score."""
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
