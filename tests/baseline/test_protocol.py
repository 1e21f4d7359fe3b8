"""The pure rules: page order, the clock, time, sampling, consensus, questions, figures that do not exist."""

from __future__ import annotations

import random
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baseline.analysis import agreement_by_sample, difference_of, frozen, mean_of
from baseline.consensus import consensus_of
from baseline.protocol import (
    GRACE_SECONDS,
    Arrival,
    ClockEvent,
    EventKind,
    SessionPage,
    SessionPlan,
    SessionPosition,
    Step,
    arrival,
    is_void_after,
    page_of,
    step_after,
    times_of,
)
from baseline.questionnaire import BadQuestion, parse_questions
from baseline.sampling import ImpossiblePlan, Method, TooFew, allocate, draw, order_for, share_for

START = datetime(2026, 1, 1, 12, tzinfo=UTC)


def at(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def moments(*message: tuple[EventKind, float]) -> list[ClockEvent]:
    return [ClockEvent(kind, at(seconds)) for kind, seconds in message]


def test_steps_when_nothing_is_optional_then_each_comes_once_in_order() -> None:
    plan, step, met = SessionPlan(True, 1, 2), Step.CONSENT, [Step.CONSENT]
    while step != Step.OVER:
        step = step_after(plan, step)
        met.append(step)
    assert met == [s for s in Step if s != Step.WITHDRAWN]
    assert (
        page_of(SessionPlan(False, 0, 4, break_every=2), SessionPosition(Step.ITEMS, 2)) == SessionPage.BREAK
    )
    assert (
        page_of(SessionPlan(False, 0, 4, break_every=2), SessionPosition(Step.ITEMS, 2, rested_at=2))
        == SessionPage.READY
    )


@pytest.mark.parametrize(
    ("seconds", "when"),
    [
        (0, Arrival.IN_TIME),
        (0.001, Arrival.IN_GRACE),
        (GRACE_SECONDS, Arrival.IN_GRACE),
        (3.001, Arrival.LATE),
    ],
)
def test_arrival_when_around_the_deadline_then_the_grace_is_kept(seconds: float, when: Arrival) -> None:
    assert arrival(at(seconds), START) == when
    assert arrival(at(10**9), None) == Arrival.IN_TIME


def test_gap_when_the_rule_is_off_then_no_silence_voids() -> None:
    assert not is_void_after(timedelta(days=9), 0)
    assert is_void_after(timedelta(minutes=5, seconds=1), 5) and not is_void_after(timedelta(minutes=5), 5)


def test_times_when_stretches_away_overlap_then_they_count_once() -> None:
    message = moments(
        (EventKind.SHOWN, 0),
        (EventKind.BLUR, 10),
        (EventKind.BLUR, 12),
        (EventKind.FOCUS, 40),
        (EventKind.HANDED_IN, 100),
    )
    message.append(ClockEvent(EventKind.RESUMED, at(50), away_since=at(20)))
    times = times_of(message, clamp_seconds=60)
    assert times is not None
    assert (times.total, times.active, times.total_clamped, times.active_clamped) == (100, 60, 60, 60)


def test_times_when_a_blur_is_never_closed_then_it_lasts_to_the_end() -> None:
    times = times_of(
        moments((EventKind.SHOWN, 0), (EventKind.BLUR, 30), (EventKind.TIMED_OUT, 90)), clamp_seconds=3600
    )
    assert times is not None and (times.total, times.active) == (90, 30)


def test_times_when_not_shown_or_not_over_then_there_are_none() -> None:
    assert times_of(moments((EventKind.SHOWN, 0)), clamp_seconds=9) is None
    assert times_of(moments((EventKind.HANDED_IN, 0)), clamp_seconds=9) is None


@given(
    st.lists(
        st.tuples(st.sampled_from([EventKind.BLUR, EventKind.FOCUS, EventKind.PASTE]), st.integers(-50, 200)),
        max_size=12,
    )
)
def test_times_when_events_are_any_then_active_is_between_nothing_and_all_and_order_never_shows(
    message,
) -> None:
    all_of_it = moments((EventKind.SHOWN, 0), *message, (EventKind.HANDED_IN, 100))
    times = times_of(all_of_it, clamp_seconds=70)
    assert times is not None and 0 <= times.active <= times.total == 100
    assert times.active_clamped == min(times.active, 70)


def _domains() -> dict[str, dict]:
    return {
        f"{domain}{n}": {"extra": {"domain": domain, "verdict": "correct" if n % 3 else "incorrect"}}
        for domain in ("geometry", "physics", "chart", "flowchart")
        for n in range(100)
    }


def test_draw_when_stratified_and_balanced_then_forty_a_domain_half_correct() -> None:
    records = _domains()
    options = {"method": Method.STRATIFIED, "n": 160, "strata": ["domain"], "balance": "verdict"}
    drawn = draw(records, seed=5, **options)
    counted = Counter((records[s]["extra"]["domain"], records[s]["extra"]["verdict"]) for s in drawn)
    assert set(counted.values()) == {20} and len(counted) == 8
    shuffled = list(records.items())
    random.Random(1).shuffle(shuffled)
    assert draw(dict(shuffled), seed=5, **options) == drawn
    assert draw(records, seed=6, **options) != drawn


def test_draw_when_a_stratum_is_short_then_it_is_named_and_nothing_filled_up() -> None:
    with pytest.raises(TooFew) as refusal:
        draw(_domains(), method=Method.STRATIFIED, seed=1, n=320, strata=["domain"], balance="verdict")
    assert {(s.has, s.needs) for s in refusal.value.shortages} == {(34, 40)}


def test_allocate_when_people_have_seen_some_then_each_sample_gets_its_readers_with_even_loads() -> None:
    samples = [f"s{n}" for n in range(12)]
    eligible = {"a": set(samples), "b": set(samples[:8]), "c": set(samples[4:])}
    given_out = allocate(eligible, samples, seed=1, per_sample=2)
    counted = Counter(s for has in given_out.values() for s in has)
    assert set(counted.values()) == {2} and all(given_out[p] <= eligible[p] for p in eligible)


def test_allocate_when_only_moving_somebody_keeps_the_plan_then_it_is_found() -> None:
    eligible = {"a": {"x", "y"}, "b": {"x"}}
    assert allocate(eligible, ["x", "y"], seed=1, per_sample=1, per_person=1) == {"a": {"y"}, "b": {"x"}}


def test_allocate_when_it_cannot_be_kept_then_what_is_missing_is_said() -> None:
    with pytest.raises(ImpossiblePlan) as refusal:
        allocate({"a": {"x"}}, ["x", "y"], seed=1, per_sample=2)
    assert refusal.value.missing == {"x": 1, "y": 2}


def test_order_when_made_for_two_people_then_it_differs_and_can_be_made_again() -> None:
    ids = [str(n) for n in range(30)]
    first, second = (order_for(ids, seed=1, number=n) for n in (1, 2))
    assert (
        first != second and sorted(first) == sorted(ids) and order_for(ids[::-1], seed=1, number=1) == first
    )
    assert share_for(set(ids), dict.fromkeys(ids, 3), seed=1, number=1, per_sample=3) == set()


def test_consensus_when_ties_or_unreadable_then_the_rule_decides() -> None:
    assert consensus_of({}) is None
    tied = consensus_of({2: "ab", 1: "cd"})
    assert tied is not None and (tied.text, tied.chosen, tied.mean_distance) == ("cd", 1, 1.0)
    half = consensus_of({1: None, 2: "ink"})
    assert half is not None and half.text == "ink"


@pytest.mark.parametrize(
    ("text", "line"),
    [("Hand? | left", 1), ("Who?\nWho?", 2), (" | a | b", 1), ("Q?\n" + "\n".join(map(str, range(40))), 31)],
)
def test_questions_when_a_line_is_none_then_it_is_named(text: str, line: int) -> None:
    with pytest.raises(BadQuestion) as refusal:
        parse_questions(text)
    assert refusal.value.line == line


def test_analysis_when_a_figure_does_not_exist_then_a_reason_stands_there() -> None:
    nothing, single = frozen({}), frozen({"a": 0.5, "b": None})
    assert mean_of(nothing).estimate is None and "at least two" in mean_of(nothing).reason
    assert (mean_of(single).estimate, mean_of(single).low, mean_of(single).n) == (0.5, None, 1)
    same = frozen({"a": 0.5, "b": 0.5})
    assert mean_of(same).reason and difference_of(same, same).p_value == 1.0
    assert difference_of(same, nothing).p_value is None and difference_of(same, nothing).reason
    assert agreement_by_sample({"a": ["x"], "b": []}) == {}
    assert agreement_by_sample({"a": [None, None, "x"]}) == {"a": pytest.approx(1 / 3)}
