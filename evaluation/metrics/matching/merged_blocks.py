"""Runs of neighbouring predictions that answer one gold block in pieces."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from evaluation.metrics.matching.distances import distance, distance_inside, distances

PIECE = 0.6
"""A piece belongs to a gold block when it lies somewhere inside it at less than this distance."""


def find_runs(gold: Sequence[str], answers: Sequence[str], *, close: float) -> list[list[int]]:
    """Runs (two or more neighbouring answers each, in order, not overlapping) that gold blocks claim.

    Only gold and answers without a partner under `close` take part. Every gold block names the run, or the
    single answer, that fits it best; where claims overlap the better fit wins, then the earlier one.

    >>> find_runs(["the quick brown fox jumps"], ["the quick", "brown fox jumps", "over"], close=0.25)
    [[0, 1]]
    """
    costs = distances(gold, answers)
    is_close = costs < close
    open_gold = [index for index in range(len(gold)) if not is_close[index].any()]
    open_answers = {index for index in range(len(answers)) if not is_close[:, index].any()}
    claims = [claim for index in open_gold if (claim := _best_run(gold[index], answers, open_answers))]
    taken: set[int] = set()
    runs = []
    for _, run in sorted(claims):
        if taken.isdisjoint(run):
            taken.update(run)
            if len(run) > 1:
                runs.append(run)
    return sorted(runs)


def _best_run(gold: str, answers: Sequence[str], open_answers: set[int]) -> tuple[float, list[int]] | None:
    """(distance, run) of the open answer, lengthened by its open neighbours, that fits best."""

    @cache
    def is_piece(index: int) -> bool:
        return distance_inside(answers[index], gold, below=PIECE) is not None

    best: tuple[float, list[int]] | None = None
    for first in sorted(open_answers):
        run, joined = [first], answers[first]
        cost = distance(gold, joined)
        while len(joined) <= len(gold) and run[-1] + 1 in open_answers:
            following = run[-1] + 1
            longer = f"{joined} {answers[following]}"
            longer_cost = distance(gold, longer)
            if longer_cost > cost or not (is_piece(first) and is_piece(following)):
                break
            run, joined, cost = [*run, following], longer, longer_cost
        if best is None or cost < best[0]:
            best = cost, run
    return best
