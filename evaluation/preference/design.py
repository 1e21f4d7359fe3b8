"""Who sees what in which order: the plan of a study, fixed by its seed before the first grade.

Pure. Every rater rates every item. Practice comes first; attention items are strewn among the rest; repeats come
late, far from where the item was first seen. The side of the first metric is balanced for each rater and, over the
raters, for each item; a repeat shows the sides the other way round, so that a rater who always takes A is not
taken for consistent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from evaluation.metrics.resample.binomial import binomial_power, detectable_share
from evaluation.metrics.resample.random_draws import draw_order

GRADES = range(11)
"""What an output may be graded with."""
CATEGORY_MARKS = range(3)
"""What one category may be marked with; five categories add up to the ten of the grade."""
CATEGORIES = ("understanding", "conditions", "early_calculation", "late_calculation", "final_value")
"""PINK's five components, in the order of a solution."""
TIE_SHARES = (0.0, 0.05, 0.2)
"""Shares of tied items for which the power is told beforehand."""


class TrialKind(StrEnum):
    """What an item is for. Only MAIN counts in the results."""

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
    """What a rater answers."""

    A = "A"
    B = "B"
    NONE = "none"


class PreferredMetric(StrEnum):
    """What an answer means: one of the two metrics, or neither."""

    FIRST = "first"
    SECOND = "second"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Turn:
    """One item at its place for one rater; `first_is` is the side of the first metric."""

    item: int
    kind: TrialKind
    first_is: CardSide


@dataclass(frozen=True, slots=True)
class Power:
    """What a number of items can find: of `decided` items without a tie, the smallest true share found in four of
    five studies (None: no share), and the chance to find the share that was seen in the published study."""

    tie_share: float
    decided: int
    detectable: float | None
    at_published: float


PUBLISHED_SHARE = 110 / 189
"""Majorities for PINK among its study's non-tied items (arXiv 2604.22774, section 5.3): 110 of 189."""


def thing_chosen(choice: Choice, first_is: CardSide) -> PreferredMetric:
    """The metric behind an answer.

    >>> thing_chosen(Choice.A, CardSide.B).value, thing_chosen(Choice.B, CardSide.B).value
    ('second', 'first')
    """
    if choice is Choice.NONE:
        return PreferredMetric.NONE
    return PreferredMetric.FIRST if choice.value == first_is.value else PreferredMetric.SECOND


def plan_turns(
    *,
    main: Sequence[int],
    practice: Sequence[int],
    attention: Sequence[int],
    n_repeats: int,
    n_raters: int,
    seed: int,
) -> list[list[Turn]]:
    """Every rater's turns in order. Items are named by numbers that occur once over the three lists.

    The number of repeats is at most half the main items. Raises ValueError for more.

    >>> turns = plan_turns(main=[1, 2, 3, 4], practice=[9], attention=[8], n_repeats=1, n_raters=2, seed=5)
    >>> [len(each) for each in turns], [each[0].kind.value for each in turns]
    ([7, 7], ['practice', 'practice'])
    """
    if n_repeats > len(main) // 2:
        raise ValueError(f"{n_repeats} repeats of {len(main)} items: at most half of them can come again")
    sides = _sides(main, n_raters, seed)
    again = [main[place] for place in draw_order(seed, 0, len(main)).tolist()[:n_repeats]]
    return [
        _turns_of(rater, main, practice, attention, again, sides[rater], seed) for rater in range(n_raters)
    ]


def power_of(n: int) -> list[Power]:
    """What `n` items can find, for several shares of ties; exact two-sided binomial test at 0.05, power 0.8.

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
    """Half of the items have the first metric on A; the next rater has them the other way round, in new pairs each.

    Of two raters one sees an item's first metric on A, the other on B; a rater's own sequence is random.
    """
    sides: list[dict[int, CardSide]] = []
    for rater in range(n_raters):
        if rater % 2:
            sides.append({item: side.other for item, side in sides[-1].items()})
            continue
        order = draw_order(seed, 1 + rater, len(main)).tolist()
        flip = int(draw_order(seed, 500_001 + rater, 2)[0])  # with an odd number, which side gets one more
        sides.append(
            {main[place]: CardSide.A if (at + flip) % 2 else CardSide.B for at, place in enumerate(order)}
        )
    return sides


def _turns_of(
    rater: int,
    main: Sequence[int],
    practice: Sequence[int],
    attention: Sequence[int],
    again: Sequence[int],
    sides: dict[int, CardSide],
    seed: int,
) -> list[Turn]:
    def order(stream: int, n: int) -> list[int]:
        places: list[int] = draw_order(seed, 10_000 * (rater + 1) + stream, n).tolist()
        return places

    others = [*practice, *attention]
    other_sides = {
        item: CardSide.A if place % 2 else CardSide.B
        for item, place in zip(others, order(0, len(others)), strict=True)
    }
    mixed = [Turn(main[place], TrialKind.MAIN, sides[main[place]]) for place in order(1, len(main))]
    # what will come again is moved to the first half, so that half the study lies between the two
    early = [turn for turn in mixed if turn.item in set(again)]
    rest = [turn for turn in mixed if turn.item not in set(again)]
    half = max(0, len(main) // 2 - len(early))
    front, back = early + rest[:half], rest[half:]
    front = [front[place] for place in order(2, len(front))]
    back += [Turn(item, TrialKind.REPEAT, sides[item].other) for item in again]
    back = [back[place] for place in order(3, len(back))]
    run = front + back
    for at, item in enumerate(attention):
        slot = _slot(at, len(attention), len(run), order(4 + at, max(1, len(run) // (len(attention) + 1)))[0])
        run.insert(slot, Turn(item, TrialKind.ATTENTION, other_sides[item]))
    return [Turn(item, TrialKind.PRACTICE, other_sides[item]) for item in practice] + run


def _slot(at: int, n: int, length: int, jitter: int) -> int:
    """Where the at-th of n attention items goes: one in each part of the session, at a random place of it."""
    return min(length, (at * length) // max(1, n) + jitter)
