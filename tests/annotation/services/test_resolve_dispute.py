"""From two versions to one text: field cases 26, 29, 31, 33."""

from __future__ import annotations

import pytest

from annotation.models import Dispute, Field, Label, Work
from annotation.models.label import DiscussionRole, Origin
from annotation.services.claim_work import claim_work
from annotation.services.move_work import NotAllowed, ReasonMissing
from annotation.services.resolve_dispute import (
    FieldSettled,
    NotSettled,
    decide_dispute,
    disclose_reasoning,
    escalate_discussion,
    post_message,
    sign_field,
)
from annotation.stages import Stage
from config.accounts.models import Role
from evaluation.payloads.text import BadText
from tests.annotation.conftest import FIRST, SECOND
from tests.factories import make_member

pytestmark = pytest.mark.database


def test_sign_when_both_stand_behind_one_text_then_settled_with_its_origin(talk):
    _, primary, second = talk
    sign_field(assignment=primary, position=1, text="two")
    assert Field.objects.get(position=1).settled_at is None
    sign_field(assignment=second, position=1, text="two")
    field = Field.objects.get(position=1)
    assert (field.text, field.origin) == ("two", Origin.PRIMARY)


def test_sign_when_the_last_field_is_settled_then_verified_and_every_line_has_an_origin(talk):
    _, primary, second = talk
    for assignment in (primary, second):
        sign_field(assignment=assignment, position=1, text="too")
        sign_field(assignment=assignment, position=3, text=None)
    label = Label.objects.get(stage=Stage.DONE)
    assert label.text == "one\ntoo\nthree"
    assert label.origins == ["agreed", "new", "agreed"]
    assert Work.objects.get().stage == Stage.DONE
    after = Dispute.objects.get().agreement_after
    assert (after["agreed"], after["new"], after["primary"]) == (2, 1, 1)
    with pytest.raises(NotAllowed):
        sign_field(assignment=primary, position=1, text="two")


def test_sign_again_before_the_other_then_the_newest_counts(talk):
    _, primary, second = talk
    sign_field(assignment=primary, position=1, text="two")
    sign_field(assignment=primary, position=1, text="tvo")
    sign_field(assignment=second, position=1, text="two")
    assert Field.objects.get(position=1).settled_at is None
    sign_field(assignment=second, position=1, text="tvo")
    assert Field.objects.get(position=1).origin == Origin.SECOND


def test_sign_a_settled_or_agreed_field_then_refused(talk):
    _, primary, _ = talk
    with pytest.raises(FieldSettled):
        sign_field(assignment=primary, position=0, text="uno")


def test_sign_two_lines_as_one_then_refused_in_words(talk):
    _, primary, _ = talk
    with pytest.raises(BadText):
        sign_field(assignment=primary, position=1, text="two\nlines")


def test_frozen_versions_when_the_discussion_is_over_then_untouched(talk):
    _, primary, second = talk
    for assignment in (primary, second):
        sign_field(assignment=assignment, position=1, text="new")
        sign_field(assignment=assignment, position=3, text="new 2")
    dispute = Dispute.objects.get()
    assert (dispute.primary.text, dispute.second.text) == (FIRST, SECOND)
    assert dispute.agreement_before["share"] == 0.5


def test_a_third_person_then_has_no_say(talk):
    project, primary, _ = talk
    stranger = make_member(project, Role.ANNOTATOR)
    primary.pk, primary.uuid, primary.person = None, None, stranger
    with pytest.raises(NotAllowed):
        sign_field(assignment=primary, position=1, text="two")


def test_escalate_then_the_adjudicator_decides_what_is_left_and_nothing_else(talk):
    project, primary, second = talk
    sign_field(assignment=primary, position=1, text="two")
    sign_field(assignment=second, position=1, text="two")
    post_message(assignment=primary, position=3, text="There is no fourth line.")
    disclose_reasoning(assignment=second, text="The dictionary has it.")
    with pytest.raises(ReasonMissing):
        escalate_discussion(assignment=primary, reason=" ")
    escalate_discussion(assignment=primary, reason="We do not agree on line 4.")
    with pytest.raises(NotAllowed):
        sign_field(assignment=second, position=3, text="four")
    judge = make_member(project, Role.ADJUDICATOR)
    assignment = claim_work(person=judge, project=project, stage=Stage.ADJUDICATE)
    with pytest.raises(NotSettled):
        decide_dispute(assignment=assignment, texts={})
    decide_dispute(assignment=assignment, texts={3: "four", 1: "ignored, settled before"})
    label = Label.objects.get(stage=Stage.DONE)
    assert label.text == "one\ntwo\nthree\nfour"
    assert label.origins == ["agreed", "primary", "agreed", "second"]
    assert Field.objects.get(position=3).signatures.get().discussion_role == DiscussionRole.ADJUDICATOR


def test_adjudicator_who_labelled_then_never_gets_it(talk):
    project, primary, _ = talk
    escalate_discussion(assignment=primary, reason="Stalemate.")
    primary.person.memberships.create(team=project.team, role=Role.ADJUDICATOR)
    assert claim_work(person=primary.person, project=project, stage=Stage.ADJUDICATE) is None
