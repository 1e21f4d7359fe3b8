"""The experimental design of a study: order of trials and counterbalancing of sides, fixed by its seed.

Pure. Every rater rates every item. Practice comes first; attention items are spread over the session; repeated items
come late, far from their first trial. The side of the first metric is counterbalanced within each rater and, across
raters, within each item. A repeated item has the sides swapped, so that a rater who always chooses A does not seem
consistent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from evaluation.metrics.resample.binomial import binomial_power, detectable_share
from evaluation.metrics.resample.random_draws import draw_order

GRADES = range(11)
"""The possible grades of a prediction."""
CATEGORY_MARKS = range(3)
"""The possible marks of one category; five categories add up to the ten of the grade."""
CATEGORIES = ("understanding", "conditions", "early_calculation", "late_calculation", "final_value")
"""The five components of PINK, in the order of a solution."""
TIE_SHARES = (0.0, 0.05, 0.2)
"""Shares of tied items for which the power is shown before the study opens."""


class TrialKind(StrEnum):
    """The purpose of a trial. Only MAIN counts in the results."""

    MAIN = "main"
    PRACTICE = "practice"
    ATTENTION = "attention"
    REPEAT = "repeat"


class CardSide(StrEnum):
    A = "A"
    B = "B"

    @property
    def other(self) -> CardSide:
        return CardSide.B if self is CardSide.A else CardSide.A


class Choice(StrEnum):
    """A rater's choice: a side or no preference."""

    A = "A"
    B = "B"
    NONE = "none"


class PreferredMetric(StrEnum):
    """What a choice means: one of the two metrics, or neither."""

    FIRST = "first"
    SECOND = "second"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class PlannedTrial:
    """One trial of one rater before the study opens; `first_is` is the side of the first metric."""

    item: int
    kind: TrialKind
    first_is: CardSide


@dataclass(frozen=True, slots=True)
class Power:
    """The statistical power of a number of items, `decided` of them without a tie.

    `detectable` is the smallest true share that is detected with a power of 0.8 (None: no share), `at_published` the
    power for the share of the published study.
    """

    tie_share: float
    decided: int
    detectable: float | None
    at_published: float


PUBLISHED_SHARE = 110 / 189
"""Majorities for PINK among its study's non-tied items (arXiv 2604.22774, section 5.3): 110 of 189."""


def preferred_metric(choice: Choice, first_is: CardSide) -> PreferredMetric:
    """The metric that a rater chose.

    >>> preferred_metric(Choice.A, CardSide.B).value, preferred_metric(Choice.B, CardSide.B).value
    ('second', 'first')
    """
    if choice is Choice.NONE:
        return PreferredMetric.NONE
    return PreferredMetric.FIRST if choice.value == first_is.value else PreferredMetric.SECOND


def plan_trials(
    *,
    main: Sequence[int],
    practice: Sequence[int],
    attention: Sequence[int],
    n_repeats: int,
    n_raters: int,
    seed: int,
) -> list[list[PlannedTrial]]:
    """The trials of each rater in order. Items are numbers, each in only one of the three lists.

    Raises ValueError for more repeats than half of the main items.

    >>> plans = plan_trials(main=[1, 2, 3, 4], practice=[9], attention=[8], n_repeats=1, n_raters=2, seed=5)
    >>> [len(plan) for plan in plans], [plan[0].kind.value for plan in plans]
    ([7, 7], ['practice', 'practice'])
    """
    if n_repeats > len(main) // 2:
        raise ValueError(f"{n_repeats} repeats of {len(main)} items: at most half of them can come again")
    sides = _sides(main, n_raters, seed)
    repeated = [main[place] for place in draw_order(seed, 0, len(main)).tolist()[:n_repeats]]
    return [
        _plan_for_rater(rater, main, practice, attention, repeated, sides[rater], seed)
        for rater in range(n_raters)
    ]


def power_of(n: int) -> list[Power]:
    """The power of `n` items for several shares of ties; exact two-sided binomial test at 0.05, power 0.8.

    >>> [(row.decided, row.detectable) for row in power_of(200)]
    [(200, 0.602), (190, 0.601), (160, 0.611)]
    """
    rows = []
    for tie_share in TIE_SHARES:
        decided = n - round(n * tie_share)
        rows.append(
            Power(tie_share, decided, detectable_share(decided), binomial_power(decided, PUBLISHED_SHARE))
        )
    return rows


def _sides(main: Sequence[int], n_raters: int, seed: int) -> list[dict[int, CardSide]]:
    """By rater: item to side of the first metric, which is on A for half of the items.

    The second rater of each pair has the sides of the first one swapped; the sequence of each pair is random.
    """
    sides: list[dict[int, CardSide]] = []
    for rater in range(n_raters):
        if rater % 2:
            sides.append({item: side.other for item, side in sides[-1].items()})
            continue
        order = draw_order(seed, 1 + rater, len(main)).tolist()
        flip = int(draw_order(seed, 500_001 + rater, 2)[0])  # for an odd number: which side gets one more
        sides.append(
            {
                main[place]: CardSide.A if (index + flip) % 2 else CardSide.B
                for index, place in enumerate(order)
            }
        )
    return sides


def _plan_for_rater(
    rater: int,
    main: Sequence[int],
    practice: Sequence[int],
    attention: Sequence[int],
    repeated: Sequence[int],
    sides: dict[int, CardSide],
    seed: int,
) -> list[PlannedTrial]:
    def order(stream: int, n: int) -> list[int]:
        places: list[int] = draw_order(seed, 10_000 * (rater + 1) + stream, n).tolist()
        return places

    others = [*practice, *attention]
    other_sides = {
        item: CardSide.A if place % 2 else CardSide.B
        for item, place in zip(others, order(0, len(others)), strict=True)
    }
    mixed = [PlannedTrial(main[place], TrialKind.MAIN, sides[main[place]]) for place in order(1, len(main))]
    # items to be repeated move to the first half, so that half of the study separates the two trials
    early = [trial for trial in mixed if trial.item in set(repeated)]
    rest = [trial for trial in mixed if trial.item not in set(repeated)]
    half = max(0, len(main) // 2 - len(early))
    front, back = early + rest[:half], rest[half:]
    front = [front[place] for place in order(2, len(front))]
    back += [PlannedTrial(item, TrialKind.REPEAT, sides[item].other) for item in repeated]
    back = [back[place] for place in order(3, len(back))]
    session = front + back
    for number, item in enumerate(attention):
        part = max(1, len(session) // (len(attention) + 1))
        index = _insertion_index(number, len(attention), len(session), order(4 + number, part)[0])
        session.insert(index, PlannedTrial(item, TrialKind.ATTENTION, other_sides[item]))
    return [PlannedTrial(item, TrialKind.PRACTICE, other_sides[item]) for item in practice] + session


def _insertion_index(number: int, n: int, length: int, jitter: int) -> int:
    """The index of one of n attention items: one in each part of the session, at a random position in it."""
    return min(length, (number * length) // max(1, n) + jitter)
