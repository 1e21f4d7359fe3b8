"""Studies made of numbers alone, for the analysis."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from evaluation.preference.design import CardSide, Choice, PreferredMetric, TrialKind
from evaluation.preference.score_mapping import MappingKind, ScoreMapping, format_score
from evaluation.preference.study_record import (
    MetricRow,
    Settings,
    StudyItemRow,
    StudyRecord,
    TrialRow,
    UnitRow,
)

FIRST_METRIC = MetricRow("first", "PINK", "pink|upload", mapping=ScoreMapping(MappingKind.LINEAR, 0, 100))
SECOND_METRIC = MetricRow("second", "BLEU-4", "bleu|preset:x", mapping=ScoreMapping(MappingKind.LINEAR, 0, 1))
GRADER = MetricRow("grader", "raw total", "raw|upload")
EDIT = MetricRow("beside-1", "Edit", "edit|preset:x", is_lower_better=True)


def choice_for(preferred: PreferredMetric, first_is: CardSide) -> Choice:
    """The answer that means this metric when the first stands on this side."""
    if preferred is PreferredMetric.NONE:
        return Choice.NONE
    return Choice(first_is.value if preferred is PreferredMetric.FIRST else first_is.other.value)


def synthetic(
    votes: Sequence[Sequence[PreferredMetric | None]],
    *,
    grades: Sequence[Sequence[int | None]] | None = None,
    seed: int = 1,
    **settings: object,
) -> StudyRecord:
    """One row an item, one column a rater; None is a vote (or grade) that was never given."""
    dice = random.Random(seed)
    n_raters = max((len(row) for row in votes), default=0)
    items, trials = [], []
    for number, row in enumerate(votes, start=1):
        first, second = dice.uniform(0, 100), dice.random()
        values = {
            "first": first,
            "second": second,
            "grader": first + dice.uniform(-5, 5),
            "beside-1": 1 - second,
        }
        written = {
            "first": format_score(FIRST_METRIC.oriented(first), 1),
            "second": format_score(SECOND_METRIC.oriented(second), 1),
        }
        items.append(
            StudyItemRow(number, TrialKind.MAIN, f"s{number}", f"system {number % 4}", values, written)
        )
        for rater, preferred in enumerate(row):
            side = dice.choice(list(CardSide))
            grade = (
                grades[number - 1][rater]
                if grades
                else min(10, max(0, round(first / 10) + dice.randint(-1, 1)))
            )
            choice = None if preferred is None else choice_for(preferred, side)
            trials.append(
                TrialRow(f"R{rater + 1}", number, TrialKind.MAIN, number, side, grade, choice=choice)
            )
    return StudyRecord(
        settings=Settings(
            **{"seed": 7, "decimals": 1, "tie_rule": "more_than_half", "resamples": 200} | settings
        ),  # type: ignore[arg-type]
        measures=(FIRST_METRIC, SECOND_METRIC, GRADER, EDIT),
        items=tuple(items),
        raters=tuple(f"R{number + 1}" for number in range(n_raters)),
        trials=tuple(trials),
        units=tuple(UnitRow(item.sample, item.system, item.values) for item in items),
    )


def published() -> StudyRecord:
    """200 items x 3 raters whose majorities are 110 : 79 : 11, as the paper's shares say; votes in every pattern."""
    f, s, n = PreferredMetric.FIRST, PreferredMetric.SECOND, PreferredMetric.NONE
    for_first = [[f, f, f], [f, f, s], [f, s, f], [n, f, f], [f, n, f]]
    for_second = [[s, s, s], [s, f, s], [s, s, n], [f, s, s]]
    ties = [[f, s, n], [n, n, f], [n, n, n], [s, n, n]]
    rows = [for_first[index % 5] for index in range(110)] + [for_second[index % 4] for index in range(79)]
    rows += [ties[index % 4] for index in range(11)]
    random.Random(3).shuffle(rows)
    return synthetic(rows)


def with_trials(record: StudyRecord, change: Callable[[TrialRow], TrialRow]) -> StudyRecord:
    return replace(record, trials=tuple(change(trial) for trial in record.trials))


def relabelled(trial: TrialRow) -> TrialRow:
    """The same answer with A and B exchanged on the page."""
    swapped = {Choice.A: Choice.B, Choice.B: Choice.A}
    choice = None if trial.choice is None else swapped.get(trial.choice, trial.choice)
    return replace(trial, first_is=trial.first_is.other, choice=choice)


def with_attention(record: StudyRecord, passed: dict[str, int], n: int) -> StudyRecord:
    """Every rater of `passed` saw `n` attention items, and answered so many of them right."""
    item = StudyItemRow(
        92,
        TrialKind.ATTENTION,
        "a",
        "",
        {},
        {"first": "9.8", "second": "0.4"},
        expected=PreferredMetric.FIRST,
    )
    more = tuple(
        TrialRow(
            rater,
            1000 + index,
            TrialKind.ATTENTION,
            92,
            CardSide.B,
            9,
            choice=choice_for(PreferredMetric.FIRST if index < right else PreferredMetric.SECOND, CardSide.B),
        )
        for rater, right in passed.items()
        for index in range(n)
    )
    return replace(record, items=(*record.items, item), trials=record.trials + more)
