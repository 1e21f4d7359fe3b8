"""Mapping, sampling and the plan of turns: monotone, mirrored, balanced, and fixed by the seed."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.metrics.registry import all_metrics
from evaluation.preference.design import (
    CardSide,
    Choice,
    PlannedTrial,
    PreferredMetric,
    TrialKind,
    plan_trials,
    power_of,
    preferred_metric,
)
from evaluation.preference.sampling import (
    ScoredUnit,
    TooFewItems,
    compare_distributions,
    count_drawable,
    draw_sample,
)
from evaluation.preference.score_mapping import (
    BadMapping,
    MappingKind,
    ScoreMapping,
    format_score,
    may_reveal_metric,
)

finite = st.floats(-1e6, 1e6)


@given(st.sampled_from(MappingKind), finite, finite, finite, finite)
def test_mapping_when_its_ends_are_accepted_then_it_is_monotone_and_within_0_to_10(
    kind: MappingKind, low: float, high: float, x: float, y: float
) -> None:
    mapping = ScoreMapping(kind, low, high)
    try:
        mapping.check()
    except BadMapping:
        return
    lower, upper = sorted((x, y))
    a, b = mapping.mapped(lower), mapping.mapped(upper)
    assert 0 <= min(a, b) <= max(a, b) <= 10
    assert a >= b if kind is MappingKind.INVERTED else a <= b


@pytest.mark.parametrize("low", [1.0, 1.5, float("nan")])
def test_mapping_when_rescaled_from_a_baseline_of_one_or_more_then_refused(low: float) -> None:
    with pytest.raises(BadMapping):
        ScoreMapping(MappingKind.RESCALED, low).check()


def test_mapping_when_a_metric_would_stand_on_its_head_then_refused() -> None:
    for spec in all_metrics():
        is_lower = spec.direction.value == "lower"
        right = MappingKind.INVERTED if is_lower else MappingKind.LINEAR
        wrong = MappingKind.LINEAR if is_lower else MappingKind.INVERTED
        ScoreMapping(right).check(is_lower_better=is_lower)
        with pytest.raises(BadMapping):
            ScoreMapping(wrong).check(is_lower_better=is_lower)


@pytest.mark.parametrize(
    ("value", "decimals", "written"), [(8.731, 1, "8.7"), (8.75, 1, "8.8"), (9.96, 1, "10.0"), (0.0, 0, "0")]
)
def test_shown_when_written_then_always_with_the_same_decimals(
    value: float, decimals: int, written: str
) -> None:
    assert format_score(value, decimals) == written


def test_may_reveal_metric_when_both_metrics_are_alike_then_false() -> None:
    assert not may_reveal_metric(["7.3", "8.1", "5.0"], ["6.2", "4.4", "2.0"])
    assert not may_reveal_metric([], ["6.2"])


def units(n: int = 400, systems: int = 2) -> list[ScoredUnit]:
    dice = random.Random(1)
    made = []
    for sample in range(n):
        for system in range(systems):
            first, second = dice.betavariate(5, 2) * 10, dice.betavariate(2, 3) * 10
            made.append(ScoredUnit(f"s{sample}", f"sys{system}", first, second, dice.random() < 0.1))
    return made


def test_draw_sample_when_drawn_then_both_score_distributions_are_near_the_full_ones() -> None:
    everything = units()
    drawn = [everything[place] for place in draw_sample(everything, 60, seed=3)]
    assert len(drawn) == 60 == len({unit.sample for unit in drawn})
    assert not any(unit.is_equal for unit in drawn)
    for column in ("first", "second"):
        comparison = compare_distributions(
            [getattr(u, column) for u in everything], [getattr(u, column) for u in drawn]
        )
        assert comparison is not None
        assert comparison.distance < 0.12 and comparison.p_value > 0.3
        assert abs(comparison.mean_full - comparison.mean_sample) < 0.4


def test_draw_sample_when_the_seed_is_the_same_then_the_sample_is_and_else_it_is_not() -> None:
    everything = units()
    assert draw_sample(everything, 40, seed=8) == draw_sample(everything, 40, seed=8)
    assert draw_sample(everything, 40, seed=8) != draw_sample(everything, 40, seed=9)


def test_draw_sample_when_more_is_asked_for_than_there_is_then_it_says_how_many_there_are() -> None:
    few = [ScoredUnit("a", "x", 1, 2, False), ScoredUnit("b", "x", 5, 5, True)]
    with pytest.raises(TooFewItems) as refusal:
        draw_sample(few, 2, seed=1)
    assert refusal.value.available == count_drawable(few) == 1


MAIN = list(range(1, 41))


def turns(n_raters: int = 3, seed: int = 11) -> list[list[PlannedTrial]]:
    return plan_trials(
        main=MAIN, practice=[101, 102], attention=[201, 202, 203], n_repeats=6, n_raters=n_raters, seed=seed
    )


def test_plan_turns_when_made_then_everybody_rates_everything_and_practice_comes_first() -> None:
    for mine in turns():
        assert [turn.kind for turn in mine[:2]] == [TrialKind.PRACTICE] * 2
        counts = Counter(turn.kind for turn in mine)
        assert counts == {
            TrialKind.PRACTICE: 2,
            TrialKind.MAIN: 40,
            TrialKind.ATTENTION: 3,
            TrialKind.REPEAT: 6,
        }
        assert sorted(turn.item for turn in mine if turn.kind is TrialKind.MAIN) == MAIN
        assert {turn.item for turn in mine if turn.kind is TrialKind.ATTENTION} == {201, 202, 203}
    orders = {tuple(turn.item for turn in mine if turn.kind is TrialKind.MAIN) for mine in turns()}
    assert len(orders) == 3


@pytest.mark.parametrize("seed", range(20))
def test_plan_turns_when_made_then_sides_are_balanced_for_each_rater_and_each_item(seed: int) -> None:
    plans = turns(n_raters=4, seed=seed)
    for mine in plans:
        assert Counter(t.first_is for t in mine if t.kind is TrialKind.MAIN) == {
            CardSide.A: 20,
            CardSide.B: 20,
        }
    for item in MAIN:
        sides = Counter(
            t.first_is for mine in plans for t in mine if t.item == item and t.kind is TrialKind.MAIN
        )
        assert sides == {CardSide.A: 2, CardSide.B: 2}


@pytest.mark.parametrize("seed", range(20))
def test_plan_turns_when_an_item_comes_again_then_late_and_with_the_sides_turned(seed: int) -> None:
    for mine in turns(seed=seed):
        first = {turn.item: (index, turn) for index, turn in enumerate(mine) if turn.kind is TrialKind.MAIN}
        for index, turn in enumerate(mine):
            if turn.kind is TrialKind.REPEAT:
                before, original = first[turn.item]
                assert before < len(mine) // 2 + 3 and index > before
                assert turn.first_is is original.first_is.other


def test_plan_turns_when_the_seed_is_the_same_then_the_plan_is() -> None:
    assert turns() == turns()
    assert turns() != turns(seed=12)


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 12), st.integers(0, 3), st.integers(0, 4), st.integers(1, 5), st.integers(0, 2**63))
def test_plan_turns_when_small_or_odd_then_nothing_is_lost(
    n: int, practice: int, attention: int, raters: int, seed: int
) -> None:
    plans = plan_trials(
        main=list(range(n)), practice=list(range(100, 100 + practice)), attention=list(range(200, 200 + attention)),
        n_repeats=n // 2, n_raters=raters, seed=seed,
    )  # fmt: skip
    assert all(len(mine) == n + practice + attention + n // 2 for mine in plans)
    for mine in plans:
        on_a = sum(t.first_is is CardSide.A for t in mine if t.kind is TrialKind.MAIN)
        assert abs(2 * on_a - n) <= 1


def test_plan_turns_when_more_repeats_than_half_then_refused() -> None:
    with pytest.raises(ValueError, match="half"):
        plan_trials(main=[1, 2, 3], practice=[], attention=[], n_repeats=2, n_raters=1, seed=1)


def test_thing_chosen_when_sides_are_turned_then_the_same_letter_means_the_other_metric() -> None:
    assert (
        preferred_metric(Choice.A, CardSide.A) is PreferredMetric.FIRST
        and preferred_metric(Choice.A, CardSide.B) is PreferredMetric.SECOND
    )
    assert preferred_metric(Choice.NONE, CardSide.A) is PreferredMetric.NONE


def test_power_of_when_n_is_200_then_it_tells_what_can_be_found() -> None:
    rows = power_of(200)
    assert [row.decided for row in rows] == [200, 190, 160]
    assert all(row.detectable is not None and 0.59 < row.detectable < 0.62 for row in rows)
    assert power_of(5)[0].detectable is None
