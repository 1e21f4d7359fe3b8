"""Blind second review across rounds and copies: who has read what others wrote of a page does not review it blind."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Assignment, DuplicatePair, Project, Sample, Work
from annotation.models.project import VerificationMode
from annotation.models.sample import DuplicateDecision, DuplicateKind
from annotation.selectors.agreement import agreement_of
from annotation.selectors.seen_content import HeldByBlindReviewer, seen_hashes
from annotation.selectors.work_queue import count_waiting_work
from annotation.services.claim_work import claim_work
from annotation.services.open_sample import open_labels
from annotation.services.resolve_dispute import sign_field
from annotation.services.return_work import move_work_as_manager
from annotation.services.submit_label import NoLongerBlind
from annotation.stages import Stage, Verb
from annotation.visibility.labels import consensus_sheet, verify_sheet
from config.accounts.models import Role, User
from config.accounts.services import give_roles
from config.exposure.models import Exposure, SeenContent
from tests.annotation.assignments import submit_work
from tests.annotation.imports import do_import, page
from tests.factories import make_member, make_project, make_sample

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def project() -> Project:
    return make_project(verification_mode=VerificationMode.DOUBLE_BLIND)


@pytest.fixture
def reviewer(project: Project) -> User:
    return make_member(project, Role.REVIEWER)


def labelled(
    project: Project, sample: Sample, *, text: str = "a line", person: User | None = None
) -> Assignment:
    annotator = person or make_member(project, Role.ANNOTATOR)
    assignment = claim_work(person=annotator, project=project, stage=Stage.LABEL)
    assert assignment is not None and assignment.sample == sample
    submit_work(assignment, text=text, key=f"label-{assignment.pk:08}")
    return assignment


def discussed(project: Project, reviewer: User) -> Sample:
    """A sample in its second round, labelled; the first ended in a discussion that both read."""
    sample = make_sample(project)
    primary = labelled(project, sample)
    second = claim_work(person=reviewer, project=project, stage=Stage.VERIFY)
    assert second is not None and second.mode == VerificationMode.DOUBLE_BLIND
    submit_work(second, text="a lime", key=f"verify-{second.pk:08}")
    for assignment in (primary, second):
        position = next(field.position for field in consensus_sheet(assignment).fields if field.is_disputed)
        sign_field(assignment=assignment, position=position, text="a line")
    move_work_as_manager(sample=sample, verb=Verb.REOPEN, manager=project.created_by, reason="once more")
    labelled(project, sample, person=primary.person)
    return sample


def copy_of(sample: Sample, *, decision: DuplicateDecision = DuplicateDecision.PENDING) -> Sample:
    """A sample that looks like another, in pixels of its own."""
    copied = make_sample(sample.project)
    assert copied.pixel_hash != sample.pixel_hash
    DuplicatePair.objects.create(
        project=sample.project, first=sample, second=copied, kind=DuplicateKind.NEAR, decision=decision
    )
    return copied


def test_round_2_when_another_reviewer_is_there_then_they_get_it_blind_and_the_former_one_does_not(
    project: Project, reviewer: User
) -> None:
    other = make_member(project, Role.REVIEWER)
    sample = discussed(project, reviewer)
    assert Work.objects.get(sample=sample).reserved_for is None
    assert count_waiting_work(reviewer, project, Stage.VERIFY) == 0
    assert claim_work(person=reviewer, project=project, stage=Stage.VERIFY) is None
    taken = claim_work(person=other, project=project, stage=Stage.VERIFY)
    assert taken is not None and taken.sample == sample and taken.mode == VerificationMode.DOUBLE_BLIND
    assert verify_sheet(taken).primary_text is None and not verify_sheet(taken).is_not_blind


def test_round_2_when_nobody_else_is_left_then_the_former_reviewer_verifies_and_it_is_said_and_not_counted(
    project: Project, reviewer: User, client: Client
) -> None:
    sample = discussed(project, reviewer)
    before = agreement_of(project)
    assert before.reviews == 1
    again = claim_work(person=reviewer, project=project, stage=Stage.VERIFY)
    assert again is not None and again.sample == sample and again.mode == VerificationMode.VERIFY
    assert verify_sheet(again).primary_text == "a line"
    client.force_login(reviewer)
    assert "instead of reviewing it blind" in client.get(reverse("work", args=[again.uuid])).text
    submit_work(again, text="a line", key="verify-again")
    assert agreement_of(project) == before


def test_round_2_when_reviews_show_the_text_anyway_then_the_former_reviewer_gets_it_as_before(
    reviewer: User, project: Project
) -> None:
    make_member(project, Role.REVIEWER)
    sample = discussed(project, reviewer)
    Project.objects.update(verification_mode=VerificationMode.VERIFY)
    project.refresh_from_db()
    again = claim_work(person=reviewer, project=project, stage=Stage.VERIFY)
    assert again is not None and again.sample == sample and not verify_sheet(again).is_not_blind


@pytest.mark.parametrize("decision", [DuplicateDecision.PENDING, DuplicateDecision.KEEP_BOTH])
def test_look_alike_when_its_text_was_read_then_it_is_not_reviewed_blind_until_somebody_says_they_differ(
    project: Project, reviewer: User, decision: DuplicateDecision
) -> None:
    make_member(project, Role.REVIEWER)
    seen = discussed(project, reviewer)
    copied = copy_of(seen, decision=decision)
    labelled(project, copied)
    is_free = decision == DuplicateDecision.KEEP_BOTH
    taken = claim_work(person=reviewer, project=project, stage=Stage.VERIFY)
    assert (taken is not None and taken.sample == copied) == is_free
    assert (copied.pixel_hash in seen_hashes(reviewer)) == (not is_free or taken is not None)


def test_old_discussion_when_a_look_alike_is_reviewed_blind_then_it_is_closed_until_that_is_over(
    project: Project, reviewer: User, client: Client
) -> None:
    seen = discussed(project, reviewer)
    old = Assignment.objects.get(sample=seen, person=reviewer, round=1)
    other = make_sample(project)
    labelled(project, other)
    make_member(project, Role.REVIEWER)
    held = claim_work(person=reviewer, project=project, stage=Stage.VERIFY)
    assert held is not None and held.sample == other and held.mode == VerificationMode.DOUBLE_BLIND
    client.force_login(reviewer)
    address = reverse("consensus", args=[old.uuid])
    assert client.get(address).status_code == 200
    DuplicatePair.objects.create(project=project, first=seen, second=other, kind=DuplicateKind.NEAR)
    refused = client.get(address)
    assert refused.status_code == 409 and "working on this sample blind" in refused.text
    assert "a lime" not in refused.text
    with pytest.raises(HeldByBlindReviewer):
        open_labels(sample=seen, manager=reviewer)
    with pytest.raises(NoLongerBlind):
        submit_work(held, key="verify-other")


def test_ground_truth_when_imported_then_who_imported_it_has_seen_it(project: Project) -> None:
    fields = {"file": "a.png", "text": "Dear Jane,", "verification": "unverified"}
    run = do_import(project, {"a.png": page(1)}, manifest=json.dumps(fields))
    sample = Sample.objects.get(project=project)
    seen = Exposure.objects.get(user=run.created_by, image_hash=sample.pixel_hash)
    assert (seen.saw, seen.place) == (SeenContent.GOLD, "import")
    give_roles(team=project.team, user=run.created_by, roles=[Role.MANAGER, Role.REVIEWER])
    assert count_waiting_work(run.created_by, project, Stage.VERIFY) == 0
    assert count_waiting_work(make_member(project, Role.REVIEWER), project, Stage.VERIFY) == 1
