"""Minimum-cost alignment of two sequences in order: lines of texts, rows of tables, cells of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
Step = tuple[int | None, int | None]


def align(
    left_gaps: Sequence[float], right_gaps: Sequence[float], cost: Callable[[int, int], float]
) -> list[Step]:
    """The minimum-cost alignment of two sequences, in order: (i, j) for a pair, (i, None) or (None, j) for a gap.

    The gaps are the cost of leaving an element unpaired. Ties, from the end: a pair, then (None, j), then (i, None).

    >>> align([1, 1], [1], lambda i, j: 0.0 if i == 1 else 0.5)
    [(0, None), (1, 0)]
    """
    height, width = len(left_gaps), len(right_gaps)
    best = [[0.0] * (width + 1) for _ in range(height + 1)]
    pairs = [[cost(i, j) for j in range(width)] for i in range(height)]
    for j in range(width):
        best[0][j + 1] = best[0][j] + right_gaps[j]
    for i in range(height):
        best[i + 1][0] = best[i][0] + left_gaps[i]
        for j in range(width):
            best[i + 1][j + 1] = min(
                best[i][j] + pairs[i][j],
                best[i + 1][j] + right_gaps[j],
                best[i][j + 1] + left_gaps[i],
            )
    steps: list[Step] = []
    i, j = height, width
    while i or j:
        if i and j and best[i][j] == best[i - 1][j - 1] + pairs[i - 1][j - 1]:
            i, j = i - 1, j - 1
            steps.append((i, j))
        elif j and best[i][j] == best[i][j - 1] + right_gaps[j - 1]:
            j -= 1
            steps.append((None, j))
        else:
            i -= 1
            steps.append((i, None))
    steps.reverse()
    return steps


def align_similar(
    first: Sequence[T], second: Sequence[T], distance: Callable[[T, T], float], *, gap: float
) -> list[Step]:
    """`align` where a pair costs its distance (0..1) and an unpaired element `gap`; equal elements at the start and at
    the end are paired beforehand, which saves time.

    >>> align_similar("abc", "axbc", lambda a, b: float(a != b), gap=0.6)
    [(0, 0), (None, 1), (1, 2), (2, 3)]
    """
    head = 0
    while head < min(len(first), len(second)) and first[head] == second[head]:
        head += 1
    tail = 0
    while tail < min(len(first), len(second)) - head and first[-1 - tail] == second[-1 - tail]:
        tail += 1
    a, b = first[head : len(first) - tail], second[head : len(second) - tail]
    middle = align([gap] * len(a), [gap] * len(b), lambda i, j: distance(a[i], b[j]))
    steps: list[Step] = [(index, index) for index in range(head)]
    steps += [(None if i is None else i + head, None if j is None else j + head) for i, j in middle]
    steps += [(len(first) - tail + index, len(second) - tail + index) for index in range(tail)]
    return steps
