"""The stage machine, walked as data."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from annotation.stages import (
    MOVES,
    Actor,
    IllegalMove,
    Intake,
    Need,
    Position,
    SampleState,
    Stage,
    Status,
    Verb,
    find_move,
    sample_state,
)
from tests.annotation.positions import POSITIONS


def test_moves_have_one_end_for_every_start_and_verb():
    keys = [(move.start, move.verb) for move in MOVES]
    assert len(keys) == len(set(keys))


def test_every_position_can_reach_done_or_withdrawn():
    reach = {position: {position} for position in POSITIONS}
    for _ in POSITIONS:
        for move in MOVES:
            for seen in reach.values():
                if move.start in seen:
                    seen.add(move.end)
    for position, seen in reach.items():
        assert any(p.stage is Stage.DONE or p.status is Status.WITHDRAWN for p in seen), position


def test_done_is_entered_only_by_agreement_signatures_or_decision():
    entering = {
        m.verb
        for m in MOVES
        if m.end == Position(Stage.DONE, Status.SUBMITTED) and m.start.stage is not Stage.DONE
    }
    assert entering == {Verb.AGREE, Verb.SIGN, Verb.DECIDE}


def test_every_claim_asks_for_eligibility_and_every_submit_for_the_holder():
    for move in MOVES:
        if move.verb is Verb.CLAIM:
            assert Need.ELIGIBLE in move.needs
        if move.start.status is Status.HELD and Need.LABEL in move.needs:
            assert Need.HOLDER in move.needs


def test_find_move_when_there_is_none_then_illegal():
    with pytest.raises(IllegalMove):
        find_move(Stage.DONE, Status.SUBMITTED, Verb.CLAIM)


def test_sample_state_for_every_combination_then_one_word():
    for intake, position, released in itertools.product(Intake, POSITIONS, (True, False)):
        state = sample_state(
            intake=intake, stage=position.stage, status=position.status, is_released=released
        )
        assert isinstance(state, SampleState)


class SampleLife(RuleBasedStateMachine):
    """Any people in any order: the second reviewer never touched the label, and DONE is always earned."""

    people = ("ann", "bob", "cy", "dee")

    def __init__(self) -> None:
        super().__init__()
        self.position = Position(Stage.LABEL, Status.OPEN)
        self.touched: dict[Stage, set[str]] = {stage: set() for stage in Stage}
        self.holder: str | None = None
        self.path: list[Verb] = []

    def _go(self, verb: Verb) -> None:
        self.position = find_move(self.position.stage, self.position.status, verb).end
        self.path.append(verb)

    @precondition(lambda self: any(m.start == self.position and m.verb is Verb.CLAIM for m in MOVES))
    @rule(person=st.sampled_from(people))
    def claim(self, person: str) -> None:
        stage = self.position.stage
        others = {Stage.LABEL, Stage.VERIFY, Stage.ADJUDICATE} - {stage}
        if any(person in self.touched[other] for other in others):
            return  # Need.ELIGIBLE
        self._go(Verb.CLAIM)
        self.touched[stage].add(person)
        self.holder = person

    @precondition(lambda self: any(m.start == self.position and m.verb is not Verb.CLAIM for m in MOVES))
    @rule(data=st.data())
    def move(self, data: st.DataObject) -> None:
        moves = [m for m in MOVES if m.start == self.position and m.verb is not Verb.CLAIM]
        chosen = data.draw(st.sampled_from(moves))
        self._go(chosen.verb)
        if self.position.status is not Status.HELD:
            self.holder = None

    @invariant()
    def nobody_reviews_their_own_label(self) -> None:
        assert not self.touched[Stage.LABEL] & self.touched[Stage.VERIFY]

    @invariant()
    def done_is_earned(self) -> None:
        if self.position == Position(Stage.DONE, Status.SUBMITTED):
            assert self.path[-1] in (Verb.AGREE, Verb.SIGN, Verb.DECIDE)

    @invariant()
    def held_work_has_a_holder(self) -> None:
        assert (self.position.status is Status.HELD) == (self.holder is not None)


TestSampleLife = SampleLife.TestCase
TestSampleLife.settings = settings(max_examples=100, stateful_step_count=40, deadline=None)


def test_system_never_hands_in_for_a_person():
    for move in MOVES:
        if Need.HOLDER in move.needs:
            assert Actor.SYSTEM not in move.who
