"""TEDS with the `apted` package, as the public programs use it: the baseline for speed and exactness."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from apted import APTED, Config
from lxml.etree import _Element
from rapidfuzz.distance import Levenshtein

from evaluation.metrics.table.parse import find_first_table


@dataclass(slots=True)
class Node:
    """A node for apted."""

    tag: str
    spans: tuple[int, int] | None
    tokens: list[str]
    children: list[Node] = field(default_factory=list)


class Costs(Config):  # type: ignore[misc]  # apted has no types
    """Unit costs; cell text by Levenshtein in C on lists of tokens, as OmniDocBench does."""

    valuecls = float

    def rename(self, node1: Node, node2: Node) -> float:
        """The rename cost, 0..1."""
        if node1.tag != node2.tag or node1.spans != node2.spans:
            return 1.0
        longest = max(len(node1.tokens), len(node2.tokens))
        return Levenshtein.distance(node1.tokens, node2.tokens) / longest if longest else 0.0


@dataclass(frozen=True, slots=True)
class Parsed:
    """A table and its number of elements."""

    tree: Node
    size: int


def parse(markup: str) -> Parsed:
    """The first table of a whole document."""
    table = find_first_table(markup)
    if table is None:
        raise ValueError("no table in the body")
    return Parsed(_node(table), len(table.xpath(".//*")))


def distance(left: Parsed, right: Parsed) -> float:
    """apted's tree edit distance."""
    return float(APTED(left.tree, right.tree, Costs()).compute_edit_distance())


def teds(prediction: str, reference: str) -> float:
    """Markup to score, as in the public programs."""
    left, right = parse(prediction), parse(reference)
    return 1.0 - distance(left, right) / max(left.size, right.size)


def _node(element: _Element) -> Node:
    if element.tag != "td":
        return Node(str(element.tag), None, [], [_node(child) for child in element])
    spans = int(element.get("colspan", "1")), int(element.get("rowspan", "1"))
    return Node("td", spans, list(_tokens(element))[1:-1])


def _tokens(element: _Element) -> Iterator[str]:
    yield f"<{element.tag}>"
    yield from element.text or ""
    for child in element:
        yield from _tokens(child)
    if element.tag != "unk":
        yield f"</{element.tag}>"
    if element.tag != "td":
        yield from element.tail or ""
