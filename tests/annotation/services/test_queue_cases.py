"""Queues that people leave in the middle: field cases 14, 15 and 18, and a long dispute, case 33."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Assignment, Draft, Label, Work
from annotation.models.project import VerificationMode
from annotation.selectors.work_queue import count_waiting_work, next_work_at
from annotation.services.claim_work import claim_work
from annotation.services.resolve_dispute import sign_field
from annotation.services.save_draft import save_draft
from annotation.services.submit_label import submit_label
from annotation.stages import Stage, Status
from config.accounts.models import Role, User
from tests.factories import make_member, make_project, make_sample

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def submit_work(assignment: Assignment, text: str) -> None:
    submit_label(
        assignment=assignment,
        text=text,
        base_version=0,
        image_hash=assignment.sample.pixel_hash,
        idempotency_key=f"key-of-{assignment.pk:08}",
    )


def test_queue_when_five_closed_their_laptops_then_the_sixth_is_told_when_and_gets_one_then() -> None:
    project = make_project(lease_minutes=15)
    for _ in range(5):
        make_sample(project)
    before = timezone.now()
    assignments = [
        claim_work(person=make_member(project, Role.ANNOTATOR), project=project, stage=Stage.LABEL)
        for _ in range(5)
    ]
    for number, assignment in enumerate(assignments):
        assert assignment
        save_draft(
            assignment=assignment,
            text=f"draft {number}",
            base_version=0,
            image_hash=assignment.sample.pixel_hash,
        )
    sixth = make_member(project, Role.ANNOTATOR)
    assert claim_work(person=sixth, project=project, stage=Stage.LABEL) is None
    free_at = next_work_at(project, Stage.LABEL)
    assert free_at and before + timedelta(minutes=15) <= free_at <= timezone.now() + timedelta(minutes=15)
    Work.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert count_waiting_work(sixth, project, Stage.LABEL) == 5
    assert claim_work(person=sixth, project=project, stage=Stage.LABEL)
    assert Draft.objects.exclude(text="").count() == 5


def test_counts_when_one_of_three_drops_out_then_the_place_is_free_and_finished_work_is_kept() -> None:
    project = make_project()
    for _ in range(3):
        make_sample(project)
    people = [make_member(project, Role.ANNOTATOR) for _ in range(3)]
    assignments = [claim_work(person=person, project=project, stage=Stage.LABEL) for person in people]
    for assignment in assignments[:2]:
        assert assignment
        submit_work(assignment, "done")
    late = make_member(project, Role.ANNOTATOR)
    assert count_waiting_work(late, project, Stage.LABEL) == 0
    Work.objects.filter(status=Status.HELD).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert count_waiting_work(late, project, Stage.LABEL) == 1
    assignment = claim_work(person=late, project=project, stage=Stage.LABEL)
    assert assignment and assignments[2] and assignment.sample == assignments[2].sample
    submit_work(assignment, "done too")
    assert sorted(Label.objects.values_list("text", flat=True)) == ["done", "done", "done too"]
    assert count_waiting_work(late, project, Stage.LABEL) == 0


def test_second_queue_when_the_first_person_is_done_then_each_other_reviewer_sees_it_and_one_gets_it() -> (
    None
):
    project = make_project()
    make_sample(project)
    both = make_member(project, Role.ANNOTATOR, Role.REVIEWER)
    reviewers = [make_member(project, Role.REVIEWER) for _ in range(2)]
    outsider = make_member(project, Role.ANNOTATOR)
    assignment = claim_work(person=both, project=project, stage=Stage.LABEL)
    assert assignment
    submit_work(assignment, "a line")

    def waiting(*people: User) -> list[int]:
        return [count_waiting_work(person, project, Stage.VERIFY) for person in people]

    assert waiting(both, outsider, *reviewers) == [0, 0, 1, 1]
    assert claim_work(person=reviewers[0], project=project, stage=Stage.VERIFY)
    assert claim_work(person=reviewers[1], project=project, stage=Stage.VERIFY) is None


def test_consensus_when_twelve_lines_differ_then_every_line_comes_from_one_of_the_two_or_both_signed_it() -> (
    None
):
    project = make_project(verification_mode=VerificationMode.DOUBLE_BLIND)
    make_sample(project)
    ana, chen = make_member(project, Role.ANNOTATOR), make_member(project, Role.REVIEWER)
    first = [f"line {number} read by the annotator" for number in range(12)]
    second = [f"line {number} seen by the second person" for number in range(12)]
    labelling = claim_work(person=ana, project=project, stage=Stage.LABEL)
    assert labelling
    submit_work(labelling, "\n".join(first))
    review = claim_work(person=chen, project=project, stage=Stage.VERIFY)
    assert review
    submit_work(review, "\n".join(second))
    dispute = labelling.sample.disputes.get()
    chosen: list[str] = []
    for field in dispute.fields.filter(is_disputed=True):
        text = ("agreed by both", first[field.position], second[field.position])[field.position % 3]
        chosen.append(text)
        for assignment in (labelling, review):
            assert not Label.objects.filter(stage=Stage.DONE).exists()
            sign_field(assignment=assignment, position=field.position, text=text)
    final = Label.objects.get(stage=Stage.DONE)
    assert final.text.split("\n") == chosen and len(chosen) == 12
    assert final.origins == ["new", "primary", "second"] * 4
    assert [label.text.split("\n") for label in Label.objects.exclude(stage=Stage.DONE).order_by("pk")] == [
        first,
        second,
    ]
