"""The cheapest alignment of two sequences: lines of texts, rows of tables, cells of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
Step = tuple[int | None, int | None]


def align(
    left_gaps: Sequence[float], right_gaps: Sequence[float], cost: Callable[[int, int], float]
) -> list[Step]:
    """The cheapest alignment of two sequences, in order: (i, j) paired, (i, None) or (None, j) left over.

    The gaps say what leaving an element over costs. Ties: a pair, then (None, j), then (i, None), from the end.

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


def align_likes(
    first: Sequence[T], second: Sequence[T], distance: Callable[[T, T], float], *, alone: float
) -> list[Step]:
    """`align` where a pair costs its distance (0..1) and an element alone `alone`; equal heads and tails are paired
    without looking further.

    >>> align_likes("abc", "axbc", lambda a, b: float(a != b), alone=0.6)
    [(0, 0), (None, 1), (1, 2), (2, 3)]
    """
    head = 0
    while head < min(len(first), len(second)) and first[head] == second[head]:
        head += 1
    tail = 0
    while tail < min(len(first), len(second)) - head and first[-1 - tail] == second[-1 - tail]:
        tail += 1
    a, b = first[head : len(first) - tail], second[head : len(second) - tail]
    middle = align([alone] * len(a), [alone] * len(b), lambda i, j: distance(a[i], b[j]))
    steps: list[Step] = [(at, at) for at in range(head)]
    steps += [(None if i is None else i + head, None if j is None else j + head) for i, j in middle]
    steps += [(len(first) - tail + at, len(second) - tail + at) for at in range(tail)]
    return steps
