"""Two independent oracles of tree edit distances, and trees to compare.

`apted_distance` is the package the public TEDS programs use; `defined_distance` is the slow textbook
recursion. apted is wrong on a few odd trees (test_tree_edit.py shows one), none of them a table.
"""

from __future__ import annotations

from functools import lru_cache

from apted import APTED, Config
from hypothesis import strategies as st

from evaluation.metrics.table.rename_costs import rename_cost
from evaluation.metrics.table.tree import Forest, NodeLabel


class Node:
    def __init__(self, label: NodeLabel, children: list[Node]) -> None:
        self.label, self.children = label, children


class Costs(Config):
    valuecls = float

    def rename(self, node1: Node, node2: Node) -> float:
        return rename_cost(node1.label, node2.label)


def as_node(tree: Forest) -> Node:
    finished: list[tuple[Node, int]] = []
    for label, size in zip(tree.labels, tree.sizes, strict=True):
        children, missing = [], size - 1
        while missing:
            child, child_size = finished.pop()
            children.append(child)
            missing -= child_size
        finished.append((Node(label, children[::-1]), size))
    [(root, _)] = finished
    return root


def apted_distance(left: Forest, right: Forest) -> float:
    return float(APTED(as_node(left), as_node(right), Costs()).compute_edit_distance())


Nested = tuple[NodeLabel, tuple["Nested", ...]]


def _as_nested(tree: Node) -> Nested:
    return tree.label, tuple(_as_nested(child) for child in tree.children)


def _count(trees: tuple[Nested, ...]) -> int:
    return sum(1 + _count(children) for _, children in trees)


@lru_cache(maxsize=200_000)
def _recursion(left: tuple[Nested, ...], right: tuple[Nested, ...]) -> float:
    if not left or not right:
        return float(_count(left) + _count(right))
    (my_label, left_label), (other_label, other) = left[-1], right[-1]
    return min(
        _recursion(left[:-1] + left_label, right) + 1,
        _recursion(left, right[:-1] + other) + 1,
        _recursion(left[:-1], right[:-1])
        + _recursion(left_label, other)
        + rename_cost(my_label, other_label),
    )


def defined_distance(left: Forest, right: Forest) -> float:
    return _recursion((_as_nested(as_node(left)),), (_as_nested(as_node(right)),))


CELLS = st.builds(
    NodeLabel, st.just("td"), st.sampled_from([1, 1, 1, 2]), st.just(1), st.text("ab", max_size=3)
)
PLAIN = st.sampled_from([NodeLabel("table"), NodeLabel("tr"), NodeLabel("td")])


def _flatten(nested: tuple[NodeLabel, list]) -> tuple[list[NodeLabel], list[int]]:
    label, children = nested
    labels: list[NodeLabel] = []
    sizes: list[int] = []
    for child in children:
        child_labels, child_sizes = _flatten(child)
        labels += child_labels
        sizes += child_sizes
    return [*labels, label], [*sizes, len(sizes) + 1]


def _forest(nested: tuple[NodeLabel, list]) -> Forest:
    labels, sizes = _flatten(nested)
    return Forest(tuple(labels), tuple(sizes))


_NESTED = st.recursive(
    st.tuples(CELLS | PLAIN, st.just([])),
    lambda inside: st.tuples(PLAIN | CELLS, st.lists(inside, max_size=4)),
    max_leaves=8,
)
TREES = _NESTED.map(_forest)
"""Trees of any shape, with cells that have children and rows that have none."""

_ROWS = st.lists(st.lists(CELLS.map(lambda cell: (cell, [])), max_size=5), max_size=6)


def _table(rows: list[list[tuple[NodeLabel, list]]], header: int) -> Forest:
    nested = [(NodeLabel("tr"), cells) for cells in rows]
    sections = (
        [(NodeLabel("thead"), nested[:header]), (NodeLabel("tbody"), nested[header:])] if header else nested
    )
    return _forest((NodeLabel("table"), sections))


TABLES = st.builds(_table, _ROWS, st.integers(0, 2))
"""Tables of ragged rows, some with sections."""


@st.composite
def near_pairs(draw: st.DrawFn, trees: st.SearchStrategy[Forest]) -> tuple[Forest, Forest]:
    """A tree and the same tree with a few labels changed, for common subtrees and equal shapes."""
    tree = draw(trees)
    labels = list(tree.labels)
    for _ in range(draw(st.integers(0, 4))):
        labels[draw(st.integers(0, len(labels) - 1))] = draw(CELLS | PLAIN)
    return tree, Forest(tuple(labels), tree.sizes)
