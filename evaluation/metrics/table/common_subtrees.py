"""Removal of the parts that two trees have in common, where this cannot change their distance.

Three steps, each exact for unit insertion and deletion and rename costs in 0..1 with 0 between equal labels
(no triangle inequality is used: cell costs do not obey it):

1. Two single trees with equal root labels: some best mapping maps the roots to each other. If one root is
   mapped elsewhere the other is unmatched; mapping root to root costs 0 and frees one node. So the roots can go.
2. Equal first (or last) trees of two forests: some best mapping maps one onto the other. If a node of A in
   A + F were mapped right of A in A + G, order leaves A's copy only A itself to be mapped from; let k nodes
   go right and m to the copy. Mapping A onto its copy instead saves |A| - k - m deletions and |A| - m
   insertions and loses at most k: no worse, since k + m <= |A|. So both can go.
3. Equal shapes: a mapping that pairs positions i != j of the postorders leaves at least |i - j| nodes unmatched
   on each side, so it costs 2 or more; pairing nodes by position is best if it costs at most 2.
"""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.metrics.table.rename_costs import rename_cost
from evaluation.metrics.table.tree import Forest, roots_between

_Slice = tuple[int, int]


def remove_common_subtrees(left: Forest, right: Forest) -> tuple[Forest, Forest]:
    """The two forests without equal roots and equal first and last trees; their distance is unchanged.

    >>> from evaluation.metrics.table.tree import NodeLabel
    >>> cell = NodeLabel("td", text="a")
    >>> table = Forest((cell, NodeLabel("tr"), NodeLabel("table")), (1, 2, 3))
    >>> [len(part) for part in remove_common_subtrees(table, table)]
    [0, 0]
    """
    spans = ((0, len(left)), (0, len(right)))
    while True:
        shorter = _without_shared_trees(left, right, *spans)
        shorter = _without_shared_root(left, right, *shorter)
        if shorter == spans:
            break
        spans = shorter
    return _cut(left, spans[0]), _cut(right, spans[1])


def same_shape_distance(left: Forest, right: Forest) -> float | None:
    """The distance of two forests of one shape if pairing nodes by position is provably best, else None."""
    if len(left) != len(right) or list(left.sizes) != list(right.sizes):
        return None
    total = 0.0
    for left_label, right_label in zip(left.labels, right.labels, strict=True):
        if left_label is not right_label:
            total += rename_cost(left_label, right_label)
            if total > 2.0:
                return None
    return total


def _cut(forest: Forest, span: _Slice) -> Forest:
    start, stop = span
    return Forest(forest.labels[start:stop], forest.sizes[start:stop])


def _without_shared_root(
    left: Forest, right: Forest, left_span: _Slice, right_span: _Slice
) -> tuple[_Slice, _Slice]:
    (start_l, stop_l), (start_r, stop_r) = left_span, right_span
    if stop_l == start_l or stop_r == start_r:
        return left_span, right_span
    is_single = left.sizes[stop_l - 1] == stop_l - start_l and right.sizes[stop_r - 1] == stop_r - start_r
    if is_single and left.labels[stop_l - 1] == right.labels[stop_r - 1]:
        return (start_l, stop_l - 1), (start_r, stop_r - 1)
    return left_span, right_span


def _without_shared_trees(
    left: Forest, right: Forest, left_span: _Slice, right_span: _Slice
) -> tuple[_Slice, _Slice]:
    roots_l = roots_between(left.sizes, *left_span)
    roots_r = roots_between(right.sizes, *right_span)
    ends_l, ends_r = [root + 1 for root in roots_l], [root + 1 for root in roots_r]
    (start_l, stop_l), (start_r, stop_r) = left_span, right_span
    first = 0
    while first < len(ends_l) and first < len(ends_r):
        if not _is_equal(left, right, (start_l, ends_l[first]), (start_r, ends_r[first])):
            break
        start_l, start_r = ends_l[first], ends_r[first]
        first += 1
    while stop_l > start_l and stop_r > start_r:
        tree_l = (stop_l - left.sizes[stop_l - 1], stop_l)
        tree_r = (stop_r - right.sizes[stop_r - 1], stop_r)
        if not _is_equal(left, right, tree_l, tree_r):
            break
        stop_l, stop_r = tree_l[0], tree_r[0]
    return (start_l, stop_l), (start_r, stop_r)


def _is_equal(left: Forest, right: Forest, left_span: _Slice, right_span: _Slice) -> bool:
    if left_span[1] - left_span[0] != right_span[1] - right_span[0]:
        return False
    return _slice_equal(left.sizes, right.sizes, left_span, right_span) and _slice_equal(
        left.labels, right.labels, left_span, right_span
    )


def _slice_equal(
    left: Sequence[object], right: Sequence[object], left_span: _Slice, right_span: _Slice
) -> bool:
    return left[left_span[0] : left_span[1]] == right[right_span[0] : right_span[1]]
