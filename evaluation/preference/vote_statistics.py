"""What the raters preferred: majorities, shares, tests, brackets, sides and order.

Pure; the statistics are those of `evaluation.metrics.resample`. Every figure is a plain JSON-able dict.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from evaluation.metrics.resample import binomial_test, bootstrap_interval, fisher_exact, mean, wilson_interval
from evaluation.preference.design import CardSide, PreferredMetric, TrialKind
from evaluation.preference.study_record import FIRST, SECOND, Settings, StudyRecord, TrialRow

MORE_THAN_HALF, PLURALITY = "more_than_half", "plurality"
TIE_RULES = (MORE_THAN_HALF, PLURALITY)
TIE = "tie"
OUTCOMES = (FIRST, SECOND, TIE)
BRACKETS = ((0.0, 2.0), (2.0, 4.0), (4.0, 6.0), (6.0, 8.0), (8.0, 10.0))


def majority(votes: Iterable[PreferredMetric], rule: str = MORE_THAN_HALF) -> str:
    """The metric an item's raters prefer, or "tie".

    more_than_half: the metric with more than half of all votes, "no preference" among them; otherwise a tie.
    plurality: the metric with more votes than the other and than "no preference"; otherwise a tie.

    >>> first, second, none = PreferredMetric.FIRST, PreferredMetric.SECOND, PreferredMetric.NONE
    >>> majority([first, first, none]), majority([first, second, none]), majority([first, none, none])
    ('first', 'tie', 'tie')
    >>> five = [first, first, none, none, second]
    >>> majority([*five, first], PLURALITY), majority([*five, first])
    ('first', 'tie')
    """
    if rule not in TIE_RULES:
        raise ValueError(f"unknown tie rule {rule!r}; choose one of: {', '.join(TIE_RULES)}")
    counts = Counter(votes)
    top, n_top = (
        max(
            ((thing, counts[thing]) for thing in (PreferredMetric.FIRST, PreferredMetric.SECOND)),
            key=lambda each: each[1],
        )
        if counts[PreferredMetric.FIRST] != counts[PreferredMetric.SECOND]
        else (PreferredMetric.NONE, 0)
    )
    if top is PreferredMetric.NONE:
        return TIE
    is_won = 2 * n_top > counts.total() if rule == MORE_THAN_HALF else n_top > counts[PreferredMetric.NONE]
    return top.value if is_won else TIE


def majorities(record: StudyRecord) -> dict[str, str]:
    """Item id -> majority, of every main item that has a vote."""
    votes: dict[str, list[PreferredMetric]] = {}
    for trial in main_trials(record):
        if trial.chosen is not None:
            votes.setdefault(str(trial.item), []).append(trial.chosen)
    return {item: majority(given, record.settings.tie_rule) for item, given in votes.items()}


def main_trials(record: StudyRecord) -> list[TrialRow]:
    """The trials that count."""
    return [trial for trial in record.trials if trial.kind is TrialKind.MAIN]


def preference(record: StudyRecord) -> dict[str, Any]:
    """Shares of the majorities with both intervals, the test on those that are no ties, and the votes pooled."""
    found = majorities(record)
    counts = Counter(found.values())
    settings = record.settings
    votes = Counter(trial.chosen for trial in main_trials(record) if trial.chosen is not None)
    decided = counts[FIRST] + counts[SECOND]
    preferred = votes[PreferredMetric.FIRST] + votes[PreferredMetric.SECOND]
    pooled = binomial_test(votes[PreferredMetric.FIRST], preferred).as_dict()
    return {
        "tie_rule": settings.tie_rule,
        "n_items": len(found),
        "n_without_votes": sum(item.kind is TrialKind.MAIN for item in record.items) - len(found),
        "n_votes_by_item": {str(n): k for n, k in sorted(_votes_an_item(record).items())},
        "shares": {outcome: share_of(found, outcome, settings) for outcome in OUTCOMES},
        "majority_test": binomial_test(counts[FIRST], decided).as_dict() | {"successes": counts[FIRST]},
        "pooled_votes": {thing.value: votes[thing] for thing in PreferredMetric},
        "pooled_votes_test": pooled
        | {
            "successes": votes[PreferredMetric.FIRST],
            "caveat": "votes of several raters on one item are not independent: the majority test is the one to report",
        },
    }


def share_of(found: Mapping[str, str], outcome: str, settings: Settings) -> dict[str, Any]:
    """One outcome's count and share of all items, with Wilson's interval and a bootstrap over items."""
    count = sum(each == outcome for each in found.values())
    wilson = wilson_interval(count, len(found), confidence=settings.confidence).as_dict()
    drawn = bootstrap_interval(
        {item: float(each == outcome) for item, each in found.items()},
        mean,
        seed=settings.seed,
        confidence=settings.confidence,
        resamples=settings.resamples,
    ).as_dict()
    return {
        "count": count,
        "n": len(found),
        "share": wilson["estimate"],
        "wilson": wilson,
        "bootstrap": drawn,
    }


def brackets(record: StudyRecord, place: Mapping[str, float]) -> list[dict[str, Any]]:
    """Majorities by where an item lies on 0..10 (`place`, by item id): counts, and the first metric's share of the
    items that are no ties, with interval and test. A bracket holds its lower end; the last holds both."""
    found = majorities(record)
    rows = []
    for low, high in BRACKETS:
        is_last = high == BRACKETS[-1][1]
        inside = [
            outcome
            for item, outcome in found.items()
            if item in place and (low <= place[item] < high or (is_last and place[item] >= high))
        ]
        counts = Counter(inside)
        decided = counts[FIRST] + counts[SECOND]
        rows.append(
            {
                "low": low,
                "high": high,
                "n": len(inside),
                **{outcome: counts[outcome] for outcome in OUTCOMES},
                "first_of_decided": wilson_interval(
                    counts[FIRST], decided, confidence=record.settings.confidence
                ).as_dict(),
                "test": binomial_test(counts[FIRST], decided).as_dict(),
            }
        )
    return rows


def sides_and_order(record: StudyRecord) -> dict[str, Any]:
    """Does the side decide, does the hour: tests that should find nothing.

    side: answers A of all that are A or B, against one half. side_by_metric: the first metric's share when it stood
    on A, and when on B. order: its share in the first and the second half of each rater's items.
    """
    trials = [
        trial
        for trial in main_trials(record)
        if trial.chosen in (PreferredMetric.FIRST, PreferredMetric.SECOND)
    ]
    on_a = sum(_is_on_a(trial) for trial in trials)
    by_side = {side: _first_and_second(t for t in trials if t.first_is is side) for side in CardSide}
    early, late = _halves(record, trials)
    return {
        "side": binomial_test(on_a, len(trials)).as_dict() | {"successes": on_a},
        "first_when_on_a": list(by_side[CardSide.A]),
        "first_when_on_b": list(by_side[CardSide.B]),
        "side_by_metric": fisher_exact(by_side[CardSide.A], by_side[CardSide.B]).as_dict(),
        "first_half": list(early),
        "second_half": list(late),
        "order": fisher_exact(early, late).as_dict(),
    }


def _is_on_a(trial: TrialRow) -> bool:
    return (trial.chosen is PreferredMetric.FIRST) == (trial.first_is is CardSide.A)


def _first_and_second(trials: Iterable[TrialRow]) -> tuple[int, int]:
    counts = Counter(trial.chosen for trial in trials)
    return counts[PreferredMetric.FIRST], counts[PreferredMetric.SECOND]


def _halves(record: StudyRecord, trials: Sequence[TrialRow]) -> tuple[tuple[int, int], tuple[int, int]]:
    middles = {}
    for rater in record.raters:
        positions = sorted(trial.position for trial in main_trials(record) if trial.rater == rater)
        middles[rater] = positions[len(positions) // 2] if positions else 0
    early = _first_and_second(trial for trial in trials if trial.position < middles[trial.rater])
    late = _first_and_second(trial for trial in trials if trial.position >= middles[trial.rater])
    return early, late


def _votes_an_item(record: StudyRecord) -> Counter[int]:
    given = Counter(trial.item for trial in main_trials(record) if trial.chosen is not None)
    return Counter(given[item.id] for item in record.items if item.kind is TrialKind.MAIN)


def shown_places(record: StudyRecord) -> dict[str, float]:
    """Item id -> mean of its two shown scores."""
    return {
        str(item.id): mean([float(item.shown[FIRST]), float(item.shown[SECOND])])
        for item in record.items
        if item.kind is TrialKind.MAIN
    }
