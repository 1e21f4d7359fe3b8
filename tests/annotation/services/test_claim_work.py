"""Who gets which sample: field cases 13, 14, 17, 18, 20."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from annotation.models import Assignment, Event, Label, Work
from annotation.selectors.work_queue import count_waiting_work, next_work_at
from annotation.services.claim_work import claim_work
from annotation.services.move_work import NotAllowed
from annotation.services.renew_lease import LeaseLost, renew_lease
from annotation.services.return_work import release_assignment, skip_sample
from annotation.stages import Stage, Status
from config.accounts.models import Role
from config.exposure.models import SeenContent
from config.exposure.services import record_exposure
from tests.annotation.assignments import submit_work
from tests.at_once import at_once
from tests.factories import make_member, make_project, make_sample

pytestmark = pytest.mark.database


@pytest.mark.django_db
def test_claim_next_when_asked_twice_then_the_same_sample():
    project = make_project()
    make_sample(project)
    make_sample(project)
    ann = make_member(project, Role.ANNOTATOR)
    first = claim_work(person=ann, project=project, stage=Stage.LABEL)
    assert claim_work(person=ann, project=project, stage=Stage.LABEL) == first


@pytest.mark.django_db
def test_claim_next_without_the_role_then_not_allowed():
    project = make_project()
    make_sample(project)
    with pytest.raises(NotAllowed):
        claim_work(person=make_member(project, Role.REVIEWER), project=project, stage=Stage.LABEL)


@pytest.mark.django_db
def test_claim_next_for_the_primary_then_never_their_own_second_review():
    project = make_project()
    make_sample(project)
    both = make_member(project, Role.ANNOTATOR, Role.REVIEWER)
    other = make_member(project, Role.REVIEWER)
    submit_work(claim_work(person=both, project=project, stage=Stage.LABEL))
    assert claim_work(person=both, project=project, stage=Stage.VERIFY) is None
    assert count_waiting_work(both, project, Stage.VERIFY) == 0
    assert count_waiting_work(other, project, Stage.VERIFY) == 1
    assert claim_work(person=other, project=project, stage=Stage.VERIFY) is not None


@pytest.mark.django_db
def test_claim_next_after_an_unfinished_label_assignment_then_no_second_review_either():
    project = make_project()
    make_sample(project)
    both = make_member(project, Role.ANNOTATOR, Role.REVIEWER)
    release_assignment(assignment=claim_work(person=both, project=project, stage=Stage.LABEL))
    submit_work(claim_work(person=make_member(project, Role.ANNOTATOR), project=project, stage=Stage.LABEL))
    assert claim_work(person=both, project=project, stage=Stage.VERIFY) is None


@pytest.mark.django_db
@pytest.mark.parametrize("saw", [SeenContent.LABEL, SeenContent.GOLD])
def test_claim_next_for_somebody_who_saw_the_label_elsewhere_then_not(saw):
    project = make_project()
    sample = make_sample(project)
    ann = make_member(project, Role.ANNOTATOR)
    record_exposure(user=ann, image_hash=sample.pixel_hash, role="manager", saw=saw, place="test")
    assert claim_work(person=ann, project=project, stage=Stage.LABEL) is None


@pytest.mark.django_db
def test_claim_next_when_the_lease_ran_out_then_free_again_and_the_draft_kept():
    project = make_project(lease_minutes=15)
    make_sample(project)
    ann, bob = make_member(project, Role.ANNOTATOR), make_member(project, Role.ANNOTATOR)
    assignment = claim_work(person=ann, project=project, stage=Stage.LABEL)
    assignment.draft.text = "half a page"
    assignment.draft.save()
    assert claim_work(person=bob, project=project, stage=Stage.LABEL) is None
    assert next_work_at(project, Stage.LABEL) > timezone.now()
    Work.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert claim_work(person=bob, project=project, stage=Stage.LABEL).sample == assignment.sample
    assignment.draft.refresh_from_db()
    assert assignment.draft.text == "half a page"
    with pytest.raises(LeaseLost):
        renew_lease(assignment=assignment)
    assert [e.verb for e in Event.objects.order_by("pk")] == ["claim", "release", "claim"]


@pytest.mark.django_db
def test_renew_lease_when_it_ran_out_but_nobody_took_it_then_renewed():
    project = make_project()
    make_sample(project)
    assignment = claim_work(person=make_member(project, Role.ANNOTATOR), project=project, stage=Stage.LABEL)
    Work.objects.update(lease_until=timezone.now() - timedelta(hours=5))
    assert renew_lease(assignment=assignment) > timezone.now()


@pytest.mark.django_db
def test_skip_then_gone_from_the_own_queue_only():
    project = make_project()
    make_sample(project)
    ann, bob = make_member(project, Role.ANNOTATOR), make_member(project, Role.ANNOTATOR)
    skip_sample(assignment=claim_work(person=ann, project=project, stage=Stage.LABEL))
    assert claim_work(person=ann, project=project, stage=Stage.LABEL) is None
    assert claim_work(person=bob, project=project, stage=Stage.LABEL) is not None


@pytest.mark.django_db
def test_claim_next_for_two_people_then_orders_differ():
    project = make_project()
    for _ in range(12):
        make_sample(project)
    orders = []
    for _ in range(2):
        person = make_member(project, Role.ANNOTATOR)
        order = []
        while (assignment := claim_work(person=person, project=project, stage=Stage.LABEL)) is not None:
            order.append(assignment.sample.number)
            skip_sample(assignment=assignment)
        orders.append(order)
    assert sorted(orders[0]) == sorted(orders[1]) == list(range(1, 13))
    assert orders[0] != orders[1]


def claim_in_parallel(people, project, stages):
    """What each person gets when all ask at the same moment."""
    asked = zip(people, stages, strict=True)
    return at_once(
        *(partial(claim_work, person=person, project=project, stage=stage) for person, stage in asked)
    )


@pytest.mark.django_db(transaction=True)
def test_claim_next_when_twenty_ask_for_twenty_then_twenty_different_samples():
    project = make_project()
    for _ in range(20):
        make_sample(project)
    people = [make_member(project, Role.ANNOTATOR) for _ in range(20)]
    results = claim_in_parallel(people, project, [Stage.LABEL] * 20)
    assignments = [assignment for assignment in results if isinstance(assignment, Assignment)]
    assert len(assignments) == 20, results
    assert len({assignment.sample_id for assignment in assignments}) == 20
    assert Work.objects.filter(status=Status.HELD).count() == 20


@pytest.mark.django_db(transaction=True)
def test_claim_next_when_twenty_ask_for_one_then_one_winner_and_nineteen_reported():
    project = make_project()
    make_sample(project)
    people = [make_member(project, Role.ANNOTATOR) for _ in range(20)]
    results = claim_in_parallel(people, project, [Stage.LABEL] * 20)
    kinds = [type(result) for result in results]
    assert (kinds.count(Assignment), kinds.count(type(None))) == (1, 19), results
    assert Assignment.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_claim_next_when_primary_and_second_queues_are_asked_at_once_then_no_sample_twice():
    project = make_project()
    for stage in [Stage.LABEL] * 5 + [Stage.VERIFY] * 5:
        make_sample(project, stage=stage)
    people = [make_member(project, Role.ANNOTATOR, Role.REVIEWER) for _ in range(10)]

    for work in Work.objects.filter(stage=Stage.VERIFY):
        Label.objects.create(sample=work.sample, stage=Stage.LABEL, round=1, text="x", image_hash="")
    results = claim_in_parallel(people, project, [Stage.LABEL, Stage.VERIFY] * 5)
    assignments = [assignment for assignment in results if isinstance(assignment, Assignment)]
    assert len(assignments) == 10, results
    assert len({assignment.sample_id for assignment in assignments}) == 10
