"""Exact ordered tree edit distance, fast for tables.

Deleting or inserting a node costs 1, renaming costs `rename_costs` (0..1). The distance is the cheapest edit
script, as in Zhang and Shasha, "Simple fast algorithms for the editing distance between trees and related
problems", SIAM J. Comput. 18 (1989). It is computed as a saving: mapping node u to v saves 2 - rename(u, v)
against deleting one and inserting the other, so

    distance = |F| + |G| - (largest saving of an order- and ancestor-keeping mapping of F to G).

Savings only grow along prefixes, which turns Zhang and Shasha's inner loop into a running maximum over a
whole row of the table at once:

    best(i, j) = max(best(i-1, j), best(i, j-1), best(i - size_i, j - size_j) + saving(i, j))

Subtrees of one shape (the rows of a table) are compared with all subtrees of the other side in one batch.
Nothing is approximated; `common_subtrees.py` proves why the parts it removes first do not matter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.metrics.edge_cases import TooLarge
from evaluation.metrics.table.common_subtrees import remove_common_subtrees, same_shape_distance
from evaluation.metrics.table.rename_costs import rename_costs
from evaluation.metrics.table.tree import Forest

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

MAX_NODE_PAIRS = 25_000_000
"""Largest product of node counts, without common subtrees, that is compared: 5,000 x 5,000, 0.9 GB at the peak."""


@dataclass(frozen=True, slots=True)
class _Block:
    """Inner nodes with their descendants side by side, padded to one width with a node that saves nothing."""

    nodes: Indices  # [b] postorder positions of the inner nodes
    inside: Indices  # [b, w] positions of their strict descendants, padding = number of nodes
    starts: Indices  # [b, w] for each descendant, the number of descendants before its subtree
    is_flat: bool  # all descendants are leaves: starts = 0, 1, 2, ...


def tree_edit_distance(left: Forest, right: Forest) -> float:
    """Cost of the cheapest edit script from one tree or forest to the other; symmetric.

    Raises TooLarge if the parts that differ hold more than MAX_NODE_PAIRS pairs of nodes.

    >>> from evaluation.metrics.table.tree import NodeLabel
    >>> row = Forest((NodeLabel("td", text="ab"), NodeLabel("tr")), (1, 2))
    >>> other = Forest((NodeLabel("td", text="ac"), NodeLabel("td", text=""), NodeLabel("tr")), (1, 1, 3))
    >>> tree_edit_distance(row, other)
    1.5
    """
    left, right = remove_common_subtrees(left, right)
    if not len(left) or not len(right):
        return float(len(left) + len(right))
    on_diagonal = same_shape_distance(left, right)
    if on_diagonal is not None:
        return on_diagonal
    _check_size(left, right)
    return len(left) + len(right) - best_mapping_saving(left, right)


def subtree_distances(left: Forest, right: Forest) -> Floats:
    """Tree edit distance between the subtrees of every pair of nodes, [len(left), len(right)].

    Raises TooLarge over MAX_NODE_PAIRS.
    """
    _check_size(left, right)
    sizes = np.add.outer(np.asarray(left.sizes, dtype=np.float64), np.asarray(right.sizes, dtype=np.float64))
    distances: Floats = sizes - _tree_savings(left, right)[:-1, :-1]
    return distances


def _check_size(left: Forest, right: Forest) -> None:
    if len(left) * len(right) > MAX_NODE_PAIRS:
        raise TooLarge(
            f"{len(left)} x {len(right)} nodes differ; at most {MAX_NODE_PAIRS} pairs are compared"
            " (MAX_NODE_PAIRS)"
        )


def best_mapping_saving(left: Forest, right: Forest) -> float:
    """The saving of the best mapping between two non-empty forests, without removing common subtrees."""
    saving = _tree_savings(left, right)
    block = _block([len(right)], right.sizes)
    rows = np.arange(len(left), dtype=np.intp)[None, :]
    return float(_forest_savings(saving, rows, left.sizes, block)[0, 0])


def _tree_savings(left: Forest, right: Forest) -> Floats:
    """Largest saving between the subtrees of every pair of nodes; last row and column are zero padding."""
    rename = rename_costs(left.labels, right.labels)
    saving = np.zeros((len(left) + 1, len(right) + 1))
    np.subtract(2.0, rename, out=saving[:-1, :-1])
    inner_left = [i for i, size in enumerate(left.sizes) if size > 1]
    inner_right = [j for j, size in enumerate(right.sizes) if size > 1]
    own = saving[
        np.ix_(inner_left, inner_right)
    ]  # the saving of mapping the two roots, without their descendants
    _lift_leaves(saving, inner_left, left.sizes, inner_right, right.sizes)
    blocks = _blocks_by_height(inner_right, right.sizes)
    place_left = {node: index for index, node in enumerate(inner_left)}
    place_right = {node: index for index, node in enumerate(inner_right)}
    for group in _blocks_by_height(inner_left, left.sizes, only_same_shape=True):
        shape = _shape(group, left.sizes)
        own_rows = own[[place_left[node] for node in group.nodes]]
        for block in blocks:
            below = _forest_savings(saving, group.inside, shape, block)
            best = below + own_rows[:, [place_right[node] for node in block.nodes]]
            pairs = np.ix_(group.nodes, block.nodes)
            rows_below = saving[group.inside[:, :, None], block.nodes[None, None, :]].max(axis=1)
            columns_below = saving[group.nodes[:, None, None], block.inside[None, :, :]].max(axis=2)
            saving[pairs] = np.maximum(np.maximum(best, rows_below), columns_below)
    return saving


def _lift_leaves(
    saving: Floats,
    inner_left: Sequence[int],
    sizes_left: Sequence[int],
    inner_right: Sequence[int],
    sizes_right: Sequence[int],
) -> None:
    """A leaf against a subtree saves as much as against the subtree's best node; all others are deleted."""
    lifted_columns = _range_maxima(saving, inner_right, sizes_right, axis=1)
    lifted_rows = _range_maxima(saving, inner_left, sizes_left, axis=0)
    leaves_left = [i for i, size in enumerate(sizes_left) if size == 1]
    leaves_right = [j for j, size in enumerate(sizes_right) if size == 1]
    if inner_right:
        saving[np.ix_(leaves_left, inner_right)] = lifted_columns[leaves_left]
    if inner_left:
        saving[np.ix_(inner_left, leaves_right)] = lifted_rows[:, leaves_right]


def _range_maxima(saving: Floats, inner: Sequence[int], sizes: Sequence[int], *, axis: int) -> Floats:
    """Maximum over each inner node's whole subtree along an axis."""
    bounds = [bound for node in inner for bound in (node - sizes[node] + 1, node + 1)]
    if not bounds:
        return saving
    maxima = np.maximum.reduceat(saving, bounds, axis=axis)
    return maxima[:, ::2] if axis else maxima[::2]


def _forest_savings(saving: Floats, rows: Indices, sizes: Sequence[int], block: _Block) -> Floats:
    """Largest savings between forests: [g] forests of one shape on the left, the block's [b] on the right.

    rows: [g, w] positions of the left nodes in postorder; sizes: their w subtree sizes.
    """
    group, width = rows.shape[0], block.inside.shape[1]
    count = block.inside.shape[0]
    columns = block.inside.ravel()
    offsets = (np.arange(count, dtype=np.intp) * (width + 1))[:, None]
    starts = None if block.is_flat else (offsets + block.starts).ravel()
    tables: dict[int, Floats] = {0: np.zeros((group, count, width + 1))}
    last_use = {step + 1 - size: step for step, size in enumerate(sizes)}
    for step, size in enumerate(sizes):
        base, previous = tables[step + 1 - size], tables[step]
        if starts is None:
            before = base[:, :, :-1]
        else:
            before = base.reshape(group, -1).take(starts, axis=1).reshape(group, count, width)
        current = np.zeros((group, count, width + 1))
        reached = current[:, :, 1:]
        own = saving.take(rows[:, step], axis=0).take(columns, axis=1).reshape(group, count, width)
        np.add(before, own, out=reached)
        np.maximum(reached, previous[:, :, 1:], out=reached)
        np.maximum.accumulate(reached, axis=2, out=reached)
        tables[step + 1] = current
        for past in (step, step + 1 - size):
            if past in tables and last_use.get(past, -1) <= step:
                del tables[past]
    last: Floats = tables[len(sizes)][:, :, -1]
    return last


def _shape(group: _Block, sizes: Sequence[int]) -> list[int]:
    """Subtree sizes inside the widest node of a group; padding counts as leaves."""
    if group.is_flat:
        return [1] * group.inside.shape[1]
    node = int(group.nodes[0])
    return list(sizes[node - sizes[node] + 1 : node])


def _blocks_by_height(
    inner: Sequence[int], sizes: Sequence[int], *, only_same_shape: bool = False
) -> list[_Block]:
    """Inner nodes grouped into blocks, lowest subtrees first, so that a block's dependencies come before it.

    Nodes of one block have about the same number of descendants (padding at most doubles it); with
    `only_same_shape` nodes with deeper subtrees share a block only when these are equal in shape.
    """
    heights = _heights(sizes)
    gathered: dict[tuple[int, object], list[int]] = defaultdict(list)
    for node in inner:
        size = sizes[node]
        shape: object = size.bit_length()
        if only_same_shape and heights[node] > 1:
            shape = tuple(sizes[node - size + 1 : node])
        gathered[heights[node], shape].append(node)
    order = sorted(gathered, key=lambda key: key[0])
    return [_block(gathered[key], sizes, inside_of=True) for key in order]


def _heights(sizes: Sequence[int]) -> list[int]:
    """Height of every subtree (a leaf is 0)."""
    heights: list[int] = []
    open_trees: list[
        tuple[int, int]
    ] = []  # (first position, height) of finished subtrees without a parent yet
    for node, size in enumerate(sizes):
        first, height = node - size + 1, 0
        while open_trees and open_trees[-1][0] >= first:
            height = max(height, open_trees.pop()[1] + 1)
        open_trees.append((first, height))
        heights.append(height)
    return heights


def _block(nodes: Sequence[int], sizes: Sequence[int], *, inside_of: bool = False) -> _Block:
    """Lay out the descendants of `nodes`; without `inside_of`, the one whole forest before position nodes[0]."""
    total = len(sizes)
    spans = [(node - sizes[node] + 1, node) if inside_of else (0, node) for node in nodes]
    width = max(stop - start for start, stop in spans)
    inside = np.full((len(nodes), width), total, dtype=np.intp)
    starts = np.tile(np.arange(width, dtype=np.intp), (len(nodes), 1))
    is_flat = True
    for index, (start, stop) in enumerate(spans):
        inside[index, : stop - start] = np.arange(start, stop)
        own = sizes[start:stop]
        if max(own) > 1:
            is_flat = False
            starts[index, : stop - start] += 1 - np.asarray(own, dtype=np.intp)
    return _Block(np.asarray(nodes, dtype=np.intp), inside, starts, is_flat)
