"""Runs of adjacent predicted blocks that together match one gold block."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from evaluation.metrics.matching.distances import distance, distance_inside, distances

PIECE = 0.6
"""Largest distance at which a piece lies inside a gold block."""


def find_runs(gold: Sequence[str], predictions: Sequence[str], *, close: float) -> list[list[int]]:
    """Runs (two or more adjacent predictions each, in order, not overlapping) that gold blocks claim.

    Only gold and predictions without a partner closer than `close` take part. Every gold block claims the run, or the
    single prediction, that fits best; of overlapping claims the better fit wins, then the earlier one.

    >>> find_runs(["the quick brown fox jumps"], ["the quick", "brown fox jumps", "over"], close=0.25)
    [[0, 1]]
    """
    costs = distances(gold, predictions)
    is_close = costs < close
    open_gold = [index for index in range(len(gold)) if not is_close[index].any()]
    open_predictions = {index for index in range(len(predictions)) if not is_close[:, index].any()}
    claims = [
        claim for index in open_gold if (claim := _best_run(gold[index], predictions, open_predictions))
    ]
    taken: set[int] = set()
    runs = []
    for _, run in sorted(claims):
        if taken.isdisjoint(run):
            taken.update(run)
            if len(run) > 1:
                runs.append(run)
    return sorted(runs)


def _best_run(
    gold: str, predictions: Sequence[str], open_predictions: set[int]
) -> tuple[float, list[int]] | None:
    """(distance, run) of the best-fitting open prediction, extended by its open neighbours."""

    @cache
    def is_piece(index: int) -> bool:
        return distance_inside(predictions[index], gold, below=PIECE) is not None

    best: tuple[float, list[int]] | None = None
    for first in sorted(open_predictions):
        run, joined = [first], predictions[first]
        cost = distance(gold, joined)
        while len(joined) <= len(gold) and run[-1] + 1 in open_predictions:
            following = run[-1] + 1
            longer = f"{joined} {predictions[following]}"
            longer_cost = distance(gold, longer)
            if longer_cost > cost or not (is_piece(first) and is_piece(following)):
                break
            run, joined, cost = [*run, following], longer, longer_cost
        if best is None or cost < best[0]:
            best = cost, run
    return best
