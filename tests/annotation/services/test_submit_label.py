"""Autosave, submission, comparison: field cases 5, 6, 7, 8, 12, 25, 26, 27."""

from __future__ import annotations

import pytest

from annotation.models import Dispute, Draft, Event, Field, Label, Work
from annotation.models.project import VerificationMode
from annotation.selectors.seen_content import HeldByBlindReviewer
from annotation.services.claim_work import claim_work
from annotation.services.configure_project import archive_project, unarchive_project
from annotation.services.move_work import Archived
from annotation.services.open_sample import open_labels
from annotation.services.renew_lease import AssignmentClosed
from annotation.services.return_work import move_work_as_manager, release_assignment, return_to_annotator
from annotation.services.save_draft import NewerVersion, WrongImage, save_draft
from annotation.services.submit_label import (
    EndNotReached,
    MarkWithoutMask,
    MaskWithoutMark,
    NoLongerBlind,
    submit_label,
)
from annotation.stages import IllegalMove, Stage, Status, Verb
from config.accounts.models import Role
from config.exposure.models import SeenContent
from config.exposure.services import record_exposure
from evaluation.payloads.text import BadText
from tests.annotation.assignments import assignment_for, submit_work
from tests.at_once import at_once
from tests.factories import make_member, make_project, make_sample

pytestmark = pytest.mark.database


@pytest.fixture
def project(db):
    return make_project()


def save(assignment, text, base_version=0):
    return save_draft(
        assignment=assignment, text=text, base_version=base_version, image_hash=assignment.sample.pixel_hash
    )


MASK = {"id": "m", "shape": "box", "points": [[10, 100], [60, 130]], "reason": "torn"}
MARK = "⟦masked⟧"


@pytest.mark.parametrize(
    ("text", "masks", "refusal"),
    [
        ("Dear Jane", [MASK], MaskWithoutMark),
        (f"Dear {MARK}", [], MarkWithoutMask),
        (f"Dear {MARK}", [MASK], None),
        ("Dear Jane", [], None),
    ],
)
def test_submit_when_mask_and_mark_do_not_answer_each_other_then_a_reason_is_asked_for_and_kept(
    project, text, masks, refusal
):
    make_sample(project)
    assignment = assignment_for(project)
    if refusal:
        for blank in ("", "  "):
            with pytest.raises(refusal):
                submit_work(assignment, text, masks=masks, mask_reason=blank)
    label = submit_work(
        assignment, text, masks=masks, mask_reason="a stain over no writing" if refusal else ""
    )
    assert (label.text, label.masks) == (text, masks)
    message = Event.objects.get(sample=assignment.sample, verb=Verb.SUBMIT).reason
    assert message == ("a stain over no writing" if refusal else "")


def test_submit_when_mask_and_mark_agree_then_no_reason_is_kept(project):
    make_sample(project)
    submit_work(assignment_for(project), f"Dear {MARK}", masks=[MASK], mask_reason="none was asked for")
    assert Event.objects.get(verb=Verb.SUBMIT).reason == ""


@pytest.mark.parametrize("accepts", [True, False])
def test_second_review_when_a_mask_has_no_mark_then_the_reviewer_says_why_too(project, accepts):
    make_sample(project)
    submit_work(assignment_for(project), "Dear Jane", masks=[MASK])
    reviewer = assignment_for(project, Stage.VERIFY)
    text = "Dear Jane" if accepts else "Dear Joan"
    with pytest.raises(MaskWithoutMark):
        submit_work(reviewer, text, masks=[MASK], mask_reason="")
    submit_work(reviewer, text, masks=[MASK], mask_reason="a stain")
    ended = Event.objects.get(sample=reviewer.sample, verb=Verb.AGREE if accepts else Verb.DISPUTE)
    assert ended.reason == "a stain"


def test_save_draft_when_the_text_changed_then_the_version_grows_else_not(project):
    make_sample(project)
    assignment = assignment_for(project)
    assert save(assignment, "a").version == 1
    assert save(assignment, "a", 1).version == 1
    assert save(assignment, "ab", 1).version == 2


def test_save_draft_based_on_an_old_version_then_both_texts_live(project):
    make_sample(project)
    assignment = assignment_for(project)
    save(assignment, "from tab A")
    with pytest.raises(NewerVersion) as caught:
        save(assignment, "from tab B")
    assert (caught.value.text, caught.value.version) == ("from tab A", 1)
    assert Draft.objects.get(assignment=assignment).text == "from tab A"


def test_save_draft_after_submission_then_refused_and_the_label_untouched(project):
    make_sample(project)
    assignment = assignment_for(project)
    label = submit_work(assignment, "final")
    with pytest.raises(AssignmentClosed):
        save(assignment, "late autosave", 0)
    label.refresh_from_db()
    assert label.text == "final"


def test_save_draft_for_another_image_then_refused(project):
    make_sample(project)
    assignment = assignment_for(project)
    with pytest.raises(WrongImage):
        save_draft(assignment=assignment, text="x", base_version=0, image_hash="0" * 64)


@pytest.mark.parametrize("text", ["a\x00b", "a\ud800b", "x" * 200_001])
def test_save_draft_of_an_impossible_text_then_refused_in_words(project, text):
    make_sample(project)
    assignment = assignment_for(project)
    with pytest.raises(BadText):
        save(assignment, text)
    assert Draft.objects.get(assignment=assignment).version == 0


def test_submit_twice_with_one_key_then_one_label(project):
    make_sample(project)
    assignment = assignment_for(project)
    assert submit_work(assignment, "text") == submit_work(assignment, "text")
    assert Label.objects.count() == 1
    assert Event.objects.filter(verb="submit").count() == 1


def test_submit_again_with_another_key_then_closed(project):
    make_sample(project)
    assignment = assignment_for(project)
    submit_work(assignment, "text")
    with pytest.raises(AssignmentClosed):
        submit_work(assignment, "other", key="key-00000002")


def test_submit_over_a_draft_from_another_tab_then_the_person_chooses(project):
    make_sample(project)
    assignment = assignment_for(project)
    save(assignment, "typed in tab B")
    with pytest.raises(NewerVersion):
        submit_work(assignment, "typed in tab A", base_version=0)
    assert not Label.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_submit_when_pressed_twice_at_once_then_one_label():
    project = make_project()
    make_sample(project)
    assignment = assignment_for(project)
    results = at_once(*[lambda: submit_work(assignment, "text").pk] * 2)
    assert Label.objects.count() == 1
    assert results == [Label.objects.get().pk] * 2


def test_second_review_when_it_changes_nothing_then_verified_with_every_line_agreed(project):
    sample = make_sample(project)
    submit_work(assignment_for(project), "Dear Jane,\nI write to you.")
    second = assignment_for(project, Stage.VERIFY)
    assert Draft.objects.get(assignment=second).text == "Dear Jane,\nI write to you."
    submit_work(second, "Dear Jane,  \r\nI write to you.\n")
    work = Work.objects.get(sample=sample)
    assert (work.stage, work.status) == (Stage.DONE, Status.SUBMITTED)
    agreed = Label.objects.get(stage=Stage.DONE)
    assert agreed.text == "Dear Jane,\nI write to you."
    assert agreed.origins == ["agreed", "agreed"]
    assert not Dispute.objects.exists()


def test_second_review_before_the_end_was_reached_then_refused(project):
    make_sample(project)
    submit_work(assignment_for(project), "text")
    assignment = assignment_for(project, Stage.VERIFY)
    with pytest.raises(EndNotReached):
        submit_label(
            assignment=assignment,
            text="text",
            base_version=0,
            image_hash=assignment.sample.pixel_hash,
            idempotency_key="key-00000001",
        )


def test_second_review_in_double_blind_then_starts_empty_and_is_compared_the_same(db):
    project = make_project(verification_mode=VerificationMode.DOUBLE_BLIND)
    sample = make_sample(project)
    submit_work(assignment_for(project), "one\ntwo")
    assignment = assignment_for(project, Stage.VERIFY)
    assert Draft.objects.get(assignment=assignment).text == ""
    submit_label(
        assignment=assignment,
        text="one\ntwo",
        base_version=0,
        image_hash=sample.pixel_hash,
        idempotency_key="key-00000001",
    )
    assert Work.objects.get(sample=sample).stage == Stage.DONE


def test_second_review_that_differs_then_a_dispute_of_just_the_differing_lines(project):
    sample = make_sample(project)
    submit_work(assignment_for(project), "one\ntwo\nthree")
    submit_work(assignment_for(project, Stage.VERIFY), "one\ntvo\nthree\nfour")
    assert Work.objects.get(sample=sample).stage == Stage.ADJUDICATE
    fields = list(Field.objects.values_list("primary_text", "second_text", "is_disputed", "origin"))
    assert fields == [
        ("one", "one", False, "agreed"),
        ("two", "tvo", True, ""),
        ("three", "three", False, "agreed"),
        (None, "four", True, ""),
    ]
    report = Dispute.objects.get().agreement_before
    assert (report["fields"], report["equal"], report["share"]) == (4, 2, 0.5)


def test_return_then_back_to_its_annotator_with_their_text_and_both_names_kept(project):
    sample = make_sample(project)
    ann, bob = make_member(project, Role.ANNOTATOR), make_member(project, Role.ANNOTATOR)
    rev = make_member(project, Role.REVIEWER)
    submit_work(assignment_for(project, person=ann), "first try")
    assignment = assignment_for(project, Stage.VERIFY, rev)
    return_to_annotator(assignment=assignment, reason="The last line is missing.")
    assert claim_work(person=bob, project=project, stage=Stage.LABEL) is None
    again = claim_work(person=ann, project=project, stage=Stage.LABEL)
    assert (again.sample, again.round, again.draft.text) == (sample, 2, "first try")
    submit_work(again, "first try\nlast line", key="key-00000002")
    other = make_member(project, Role.REVIEWER)
    assert claim_work(person=other, project=project, stage=Stage.VERIFY) is None
    assert claim_work(person=rev, project=project, stage=Stage.VERIFY).sample == sample
    actors = list(Event.objects.filter(sample=sample).values_list("verb", "actor__username"))
    assert ("submit", ann.username) in actors and ("return", rev.username) in actors


def test_return_when_the_annotator_left_the_role_then_anybody_may_take_it(project):
    make_sample(project)
    ann, bob = make_member(project, Role.ANNOTATOR), make_member(project, Role.ANNOTATOR)
    submit_work(assignment_for(project, person=ann), "text")
    return_to_annotator(assignment=assignment_for(project, Stage.VERIFY), reason="Line 2 is missing.")
    ann.memberships.all().delete()
    assert claim_work(person=bob, project=project, stage=Stage.LABEL) is not None


def test_reopen_then_a_new_round_from_the_agreed_text_and_the_old_label_unchanged(project):
    sample = make_sample(project)
    ann = make_member(project, Role.ANNOTATOR)
    submit_work(assignment_for(project, person=ann), "agreed text")
    submit_work(assignment_for(project, Stage.VERIFY), "agreed text")
    move_work_as_manager(
        sample=sample, verb=Verb.REOPEN, manager=project.created_by, reason="A typo in line 1."
    )
    assignment = claim_work(person=ann, project=project, stage=Stage.LABEL)
    assert (assignment.round, assignment.draft.text) == (2, "agreed text")
    assert Label.objects.get(stage=Stage.DONE, round=1).text == "agreed text"


def test_submit_when_the_reviewer_saw_the_gold_meanwhile_then_refused_and_the_draft_stays(project):
    make_sample(project)
    submit_work(assignment_for(project), "as written")
    both = make_member(project, Role.REVIEWER, Role.MANAGER)
    assignment = assignment_for(project, Stage.VERIFY, both)
    save(assignment, "my own reading", Draft.objects.get(assignment=assignment).version)
    with pytest.raises(HeldByBlindReviewer):
        open_labels(sample=assignment.sample, manager=both)
    record_exposure(  # by another way: the same image, released elsewhere
        user=both,
        image_hash=assignment.sample.pixel_hash,
        role="manager",
        saw=SeenContent.GOLD,
        place="export",
    )
    with pytest.raises(NoLongerBlind):
        submit_work(assignment, "my own reading")
    assert not Label.objects.filter(stage=Stage.VERIFY).exists()
    assert Draft.objects.get(assignment=assignment).text == "my own reading"
    release_assignment(assignment=assignment)
    assert claim_work(person=both, project=project, stage=Stage.VERIFY) is None
    assert assignment_for(project, Stage.VERIFY) is not None


@pytest.mark.parametrize("stage", ["label", "verify"])
def test_escalate_by_a_manager_when_nothing_is_disputed_then_no_such_move(project, stage):
    sample = make_sample(project)
    if stage == "verify":
        submit_work(assignment_for(project), "as written")
    with pytest.raises(IllegalMove):
        move_work_as_manager(sample=sample, verb=Verb.ESCALATE, manager=project.created_by, reason="why not")


@pytest.mark.parametrize("stage", [Stage.LABEL, Stage.VERIFY])
def test_submit_when_the_project_was_archived_meanwhile_then_refused_and_the_draft_stays(project, stage):
    make_sample(project)
    assignment = assignment_for(project)
    if stage is Stage.VERIFY:
        submit_work(assignment, "a")
        assignment = assignment_for(project, Stage.VERIFY)
    archive_project(project=project)
    assignment = type(assignment).objects.get(pk=assignment.pk)
    version = Draft.objects.get(assignment=assignment).version
    save(assignment, "typed on", version)  # nothing typed is lost
    labels = Label.objects.count()
    with pytest.raises(Archived):
        submit_work(assignment, "typed on", key="key-00000002")
    assert Label.objects.count() == labels
    assert Draft.objects.get(assignment=assignment).text == "typed on"
    unarchive_project(project=project)
    submit_work(type(assignment).objects.get(pk=assignment.pk), "typed on", key="key-00000002")
    assert Label.objects.count() > labels


def test_submit_page_when_the_project_is_archived_then_said_in_words_with_the_text(project, client):
    make_sample(project)
    assignment = assignment_for(project)
    archive_project(project=project)
    client.force_login(assignment.person)
    answer = client.post(
        f"/work/{assignment.uuid}/submit/",
        {
            "text": "kept words",
            "base_version": 0,
            "image_hash": assignment.sample.pixel_hash,
            "idempotency_key": "k" * 32,
        },
    )
    page = answer.content.decode()
    assert answer.status_code == 409 and "kept words" in page and "archived" in page
