"""Statistics of the votes: majorities, shares, tests, brackets, effects of side and order.

Pure; the statistics are those of `evaluation.metrics.resample`. Every result is a JSON-able dict.
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
    """The metric that the raters of an item prefer, or "tie".

    more_than_half: the metric with more than half of all votes, including "no preference"; otherwise a tie.
    plurality: the metric with more votes than the other one and than "no preference"; otherwise a tie.

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
            ((metric, counts[metric]) for metric in (PreferredMetric.FIRST, PreferredMetric.SECOND)),
            key=lambda entry: entry[1],
        )
        if counts[PreferredMetric.FIRST] != counts[PreferredMetric.SECOND]
        else (PreferredMetric.NONE, 0)
    )
    if top is PreferredMetric.NONE:
        return TIE
    is_won = 2 * n_top > counts.total() if rule == MORE_THAN_HALF else n_top > counts[PreferredMetric.NONE]
    return top.value if is_won else TIE


def majorities(record: StudyRecord) -> dict[str, str]:
    """Item id -> majority, for every main item with a vote."""
    votes: dict[str, list[PreferredMetric]] = {}
    for trial in main_trials(record):
        if trial.chosen is not None:
            votes.setdefault(str(trial.item), []).append(trial.chosen)
    return {item: majority(item_votes, record.settings.tie_rule) for item, item_votes in votes.items()}


def main_trials(record: StudyRecord) -> list[TrialRow]:
    """The trials that count in the results."""
    return [trial for trial in record.trials if trial.kind is TrialKind.MAIN]


def preference(record: StudyRecord) -> dict[str, Any]:
    """Shares of the majorities with both intervals, the test on those without a tie, and the pooled votes."""
    outcomes = majorities(record)
    counts = Counter(outcomes.values())
    settings = record.settings
    votes = Counter(trial.chosen for trial in main_trials(record) if trial.chosen is not None)
    decided = counts[FIRST] + counts[SECOND]
    preferred = votes[PreferredMetric.FIRST] + votes[PreferredMetric.SECOND]
    pooled = binomial_test(votes[PreferredMetric.FIRST], preferred).as_dict()
    return {
        "tie_rule": settings.tie_rule,
        "n_items": len(outcomes),
        "n_without_votes": sum(item.kind is TrialKind.MAIN for item in record.items) - len(outcomes),
        "n_votes_by_item": {str(n): k for n, k in sorted(_votes_per_item(record).items())},
        "shares": {outcome: outcome_share(outcomes, outcome, settings) for outcome in OUTCOMES},
        "majority_test": binomial_test(counts[FIRST], decided).as_dict() | {"successes": counts[FIRST]},
        "pooled_votes": {metric.value: votes[metric] for metric in PreferredMetric},
        "pooled_votes_test": pooled
        | {
            "successes": votes[PreferredMetric.FIRST],
            "caveat": "votes of several raters on one item are not independent: the majority test is the one to report",
        },
    }


def outcome_share(outcomes: Mapping[str, str], outcome: str, settings: Settings) -> dict[str, Any]:
    """Count and share of one outcome, with Wilson's interval and a bootstrap interval over items."""
    count = sum(value == outcome for value in outcomes.values())
    wilson = wilson_interval(count, len(outcomes), confidence=settings.confidence).as_dict()
    bootstrap = bootstrap_interval(
        {item: float(value == outcome) for item, value in outcomes.items()},
        mean,
        seed=settings.seed,
        confidence=settings.confidence,
        resamples=settings.resamples,
    ).as_dict()
    return {
        "count": count,
        "n": len(outcomes),
        "share": wilson["estimate"],
        "wilson": wilson,
        "bootstrap": bootstrap,
    }


def brackets(record: StudyRecord, score_by_item: Mapping[str, float]) -> list[dict[str, Any]]:
    """Majorities by bracket of an item's score on 0..10 (by item id): counts, and the first metric's share of the items
    without a tie, with interval and test. A bracket includes its lower end, the last one both ends."""
    outcomes = majorities(record)
    rows = []
    for low, high in BRACKETS:
        is_last = high == BRACKETS[-1][1]
        bracket_outcomes = [
            outcome
            for item, outcome in outcomes.items()
            if item in score_by_item
            and (low <= score_by_item[item] < high or (is_last and score_by_item[item] >= high))
        ]
        counts = Counter(bracket_outcomes)
        decided = counts[FIRST] + counts[SECOND]
        rows.append(
            {
                "low": low,
                "high": high,
                "n": len(bracket_outcomes),
                **{outcome: counts[outcome] for outcome in OUTCOMES},
                "first_of_decided": wilson_interval(
                    counts[FIRST], decided, confidence=record.settings.confidence
                ).as_dict(),
                "test": binomial_test(counts[FIRST], decided).as_dict(),
            }
        )
    return rows


def sides_and_order(record: StudyRecord) -> dict[str, Any]:
    """Effects of side and order, which should not be significant.

    side: share of A among the choices A or B, against one half. side_by_metric: the first metric's share when it was on
    A, and when on B. order: its share in the first and in the second half of each rater's items.
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


def _votes_per_item(record: StudyRecord) -> Counter[int]:
    votes = Counter(trial.item for trial in main_trials(record) if trial.chosen is not None)
    return Counter(votes[item.id] for item in record.items if item.kind is TrialKind.MAIN)


def mean_shown_scores(record: StudyRecord) -> dict[str, float]:
    """Item id -> mean of the two shown scores."""
    return {
        str(item.id): mean([float(item.shown[FIRST]), float(item.shown[SECOND])])
        for item in record.items
        if item.kind is TrialKind.MAIN
    }
