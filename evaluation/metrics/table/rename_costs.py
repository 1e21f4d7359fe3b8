"""Rename costs of nodes: 0 for equal labels, 1 for different kinds, in between for cell text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from evaluation.metrics.table.tree import NodeLabel


def rename_cost(left: NodeLabel, right: NodeLabel) -> float:
    """0 for equal labels; 1 if tag or spans differ; else Levenshtein distance over the longer text, in tokens; 0..1.

    Source: Zhong et al., "Image-based table recognition: data, model, and evaluation", ECCV 2020, section 5.

    >>> rename_cost(NodeLabel("td", text="3.14"), NodeLabel("td", text="314"))
    0.25
    >>> rename_cost(NodeLabel("td", 2, 1, "a"), NodeLabel("td", 1, 1, "a"))
    1.0
    """
    if left == right:
        return 0.0
    if left[:3] != right[:3] or left.text is None or right.text is None:
        return 1.0
    return Levenshtein.distance(left.text, right.text) / max(len(left.text), len(right.text))


def rename_costs(left: Sequence[NodeLabel], right: Sequence[NodeLabel]) -> NDArray[np.float64]:
    """`rename_cost` of every pair, [len(left), len(right)]; each pair of distinct labels is computed once."""
    unique_left, at_left = _unique(left)
    unique_right, at_right = _unique(right)
    costs = np.ones((len(unique_left), len(unique_right)))
    kinds_right = _by_kind(unique_right)
    for kind, rows in _by_kind(unique_left).items():
        columns = kinds_right.get(kind)
        if not columns:
            continue
        if unique_left[rows[0]].text is None:
            costs[np.ix_(rows, columns)] = 0.0
        else:
            costs[np.ix_(rows, columns)] = _text_costs(
                [unique_left[row].text or "" for row in rows],
                [unique_right[column].text or "" for column in columns],
            )
    return costs.take(at_left, axis=0).take(at_right, axis=1)


def _text_costs(left: list[str], right: list[str]) -> NDArray[np.float64]:
    distances = cdist(left, right, scorer=Levenshtein.distance, dtype=np.int32)
    longest = np.maximum.outer([len(text) for text in left], [len(text) for text in right])
    costs: NDArray[np.float64] = distances / np.maximum(longest, 1)
    return costs


def _unique(labels: Sequence[NodeLabel]) -> tuple[list[NodeLabel], list[int]]:
    places: dict[NodeLabel, int] = {}
    positions = [places.setdefault(label, len(places)) for label in labels]
    return list(places), positions


def _by_kind(labels: Sequence[NodeLabel]) -> dict[tuple[str, int, int, bool], list[int]]:
    kinds: dict[tuple[str, int, int, bool], list[int]] = defaultdict(list)
    for index, label in enumerate(labels):
        kinds[label.tag, label.colspan, label.rowspan, label.text is None].append(index)
    return kinds
