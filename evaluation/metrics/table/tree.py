"""Ordered labelled trees in postorder, the input of the tree edit distance.

A forest is two parallel sequences: the label of every node and the size of its subtree, both in postorder
(children before their parent, left to right). Together they determine the forest, so two subtrees are equal
exactly when their slices are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class NodeLabel(NamedTuple):
    """The label of a node: tag and spans must be equal, text costs its edit distance.

    `text` is None for nodes without text (rows, sections); cells have a string, one token per character.
    """

    tag: str
    colspan: int = 1
    rowspan: int = 1
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Forest:
    """Labels and subtree sizes in postorder; a tree is a forest whose last size is its length.

    >>> row = Forest((NodeLabel("td", text="a"), NodeLabel("td", text="b"), NodeLabel("tr")), (1, 1, 3))
    >>> len(row), row.roots()
    (3, [2])
    """

    labels: Sequence[NodeLabel]
    sizes: Sequence[int]

    def __len__(self) -> int:
        return len(self.labels)

    def roots(self) -> list[int]:
        """Postorder positions of the roots of the forest's trees, left to right."""
        return roots_between(self.sizes, 0, len(self.sizes))


def roots_between(sizes: Sequence[int], start: int, stop: int) -> list[int]:
    """Positions of the roots of the trees that fill `start:stop` of a postorder, left to right."""
    roots = []
    position = stop - 1
    while position >= start:
        roots.append(position)
        position -= sizes[position]
    roots.reverse()
    return roots
