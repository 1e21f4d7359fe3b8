"""Who is left to review a page blind, and what of the same page is closed to them meanwhile."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Assignment, DuplicatePair, Project, Skip, Work
from annotation.models.project import VerificationMode
from annotation.models.sample import DuplicateKind
from annotation.selectors.seen_content import HeldByBlindReviewer
from annotation.selectors.work_queue import count_waiting_work
from annotation.services.claim_work import claim_work
from annotation.services.return_work import release_assignment
from annotation.stages import Stage
from annotation.visibility.labels import label_sheet, verify_sheet
from config.accounts.models import Role, User
from config.accounts.services import give_roles, set_roles
from config.api.services import make_token
from config.exposure.models import SeenContent
from config.exposure.reservations import reserve
from config.exposure.services import record_exposure
from tests.annotation.assignments import submit_work
from tests.annotation.services.test_seen_content import copy_of, discussed, labelled, project, reviewer
from tests.blindness.addresses import patterns
from tests.factories import make_member, make_sample

__all__ = ["project", "reviewer"]
pytestmark = [pytest.mark.django_db, pytest.mark.database]


def _read(person: User, image_hash: str, saw: SeenContent, role: Role = Role.REVIEWER) -> None:
    record_exposure(user=person, image_hash=image_hash, role=role, saw=saw, place="test")


@pytest.mark.parametrize("why", ["skipped", "copy", "asked", "reserved", "labelled", "left", "unused"])
def test_round_2_when_the_other_reviewer_may_not_take_it_then_it_does_not_wait_for_them(
    project: Project, reviewer: User, why: str
) -> None:
    """Without it the sample would wait forever for somebody who is never given it."""
    other = make_member(project, Role.REVIEWER)
    sample = discussed(project, reviewer)
    if why == "skipped":
        Skip.objects.create(sample=sample, person=other, stage=Stage.VERIFY, reason="too faint")
    elif why == "copy":
        _read(other, copy_of(sample).pixel_hash, SeenContent.LABEL)
    elif why == "asked":
        _read(other, sample.pixel_hash, SeenContent.IMAGE, Role.DOMAIN_EXPERT)
    elif why == "reserved":
        reserve(user=other, image_hashes=[sample.pixel_hash], holder="baseline 1")
    elif why == "labelled":
        copy = copy_of(sample)
        give_roles(team=project.team, user=other, roles=[Role.REVIEWER, Role.ANNOTATOR])
        labelled(project, copy, person=other)
        Work.objects.filter(sample=copy).delete()
    elif why == "left":
        set_roles(team=project.team, user=other, roles=[])
    is_free = why == "unused"
    # Who transcribed a copy may verify it as well as the former reviewer; the others may not.
    assert count_waiting_work(other, project, Stage.VERIFY) == (why in ("unused", "labelled"))
    assert count_waiting_work(reviewer, project, Stage.VERIFY) == (not is_free)
    again = claim_work(person=reviewer, project=project, stage=Stage.VERIFY)
    assert (again is not None and again.mode == VerificationMode.VERIFY) is not is_free


def test_copy_when_its_annotator_saw_its_suggestions_then_they_do_not_review_the_page_blind(
    project: Project, reviewer: User
) -> None:
    """The recognisers are shown the same page, so the primary has consulted the same suggestions."""
    first = make_sample(project)
    both = make_member(project, Role.ANNOTATOR, Role.REVIEWER)
    labelled(project, first, person=both)
    copy = copy_of(first)
    labelled(project, copy)
    assert count_waiting_work(reviewer, project, Stage.VERIFY) == 2
    assert count_waiting_work(both, project, Stage.VERIFY) == 0


def test_claim_when_they_read_of_the_page_after_they_gave_it_back_then_it_is_as_verify(
    project: Project, reviewer: User
) -> None:
    sample = make_sample(project)
    labelled(project, sample)
    blind = claim_work(person=reviewer, project=project, stage=Stage.VERIFY)
    assert blind is not None and blind.mode == VerificationMode.DOUBLE_BLIND
    release_assignment(assignment=blind)
    _read(reviewer, sample.pixel_hash, SeenContent.WORK)
    again = claim_work(person=reviewer, project=project, stage=Stage.VERIFY)
    assert again is not None and again.pk == blind.pk and again.mode == VerificationMode.VERIFY
    assert verify_sheet(again).primary_text == "a line" and verify_sheet(again).is_not_blind


def test_own_old_transcription_when_a_look_alike_is_reviewed_blind_then_its_suggestions_are_closed(
    project: Project, client: Client
) -> None:
    first, second = make_sample(project), make_sample(project)
    both = make_member(project, Role.ANNOTATOR, Role.REVIEWER)
    own = claim_work(person=both, project=project, stage=Stage.LABEL)
    assert own is not None
    submit_work(own, key="label-own-0001")
    own.refresh_from_db()
    other = second if own.sample == first else first
    labelled(project, other)
    held = claim_work(person=both, project=project, stage=Stage.VERIFY)
    assert held is not None and held.sample == other and held.mode == VerificationMode.DOUBLE_BLIND
    client.force_login(both)
    token = make_token(user=both, name="own")
    addresses = [reverse(name, args=[own.uuid]) for name in ("work", "api:work")]
    headers = {"Authorization": f"Bearer {token}"}
    assert [client.get(address, headers=headers).status_code for address in addresses] == [200, 200]
    DuplicatePair.objects.create(project=project, first=first, second=second, kind=DuplicateKind.NEAR)
    for address in addresses:
        answer = client.get(address, headers=headers)
        assert answer.status_code == 409 and "working on this sample blind" in answer.text, address
    with pytest.raises(HeldByBlindReviewer):
        label_sheet(own)


def test_round_2_when_another_reviews_it_blind_then_no_address_of_either_round_shows_what_was_written(
    project: Project, reviewer: User, client: Client
) -> None:
    """Every address of work, of every assignment of the sample and in every format, as the one who reviews it now."""
    other = make_member(project, Role.REVIEWER)
    sample = discussed(project, reviewer)
    now = claim_work(person=other, project=project, stage=Stage.VERIFY)
    assert now is not None and now.mode == VerificationMode.DOUBLE_BLIND
    client.force_login(other)
    headers = {"Authorization": f"Bearer {make_token(user=other, name='own')}"}
    names = [name for name, _, parameters in patterns() if parameters == ["assignment_uuid"]]
    assert {"work", "consensus", "api:work", "api:consensus", "work_evidence"} <= set(names)
    n_open = 0
    for assignment in Assignment.objects.filter(sample=sample):
        for name in names:
            answer = client.get(reverse(name, args=[assignment.uuid]), headers=headers)
            assert "a line" not in answer.text and "a lime" not in answer.text, name
            assert answer.status_code != 200 or assignment == now, name
            n_open += answer.status_code == 200
    assert n_open >= 2  # the page and the call of their own worksheet
