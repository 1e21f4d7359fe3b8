"""Questions to a domain expert: one answer, for the assignment that asked and nobody else; nothing waits for it."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.models import Draft, Evidence, Question, Work
from annotation.selectors.question_queue import count_waiting_questions
from annotation.services.ask_question import (
    answer_question,
    ask_question,
    claim_question,
    release_question,
    withdraw_question,
)
from annotation.services.claim_work import claim_work
from annotation.services.move_work import NotAllowed
from annotation.services.record_evidence import NoSuchEntry, change_evidence, record_evidence, remove_evidence
from annotation.services.renew_lease import AssignmentClosed, LeaseLost
from annotation.services.submit_label import submit_label
from annotation.stages import Stage, Status
from annotation.visibility.labels import assignment_state_of, verify_sheet
from annotation.visibility.page_tasks import question_sheet
from config.accounts.models import Role
from config.exposure.models import SeenContent
from config.exposure.selectors import exposures_of
from config.exposure.services import record_exposure
from evaluation.payloads.text import BadText
from tests.at_once import at_once
from tests.factories import make_member, make_project, make_sample

pytestmark = pytest.mark.database


def begin(**fields):
    project = make_project(**fields)
    make_sample(project, transcript="secret transcript")
    annotator = make_member(project, Role.ANNOTATOR)
    assignment = claim_work(person=annotator, project=project, stage=Stage.LABEL)
    return project, assignment, make_member(project, Role.DOMAIN_EXPERT)


def submit_work(assignment, text="Dear Jane"):
    submit_label(
        assignment=assignment,
        text=text,
        base_version=Draft.objects.get(assignment=assignment).version,
        image_hash=assignment.sample.pixel_hash,
        idempotency_key="key-00000001",
    )


@pytest.mark.django_db
def test_answer_question_when_the_assignment_is_open_then_it_stands_in_its_evidence_log():
    project, assignment, expert = begin()
    ask_question(assignment=assignment, text="Which drug is this?", box=[10, 10, 50, 20])
    question = claim_question(person=expert, project=project)
    sheet = question_sheet(question, expert)
    assert (sheet.text, sheet.box) == ("Which drug is this?", (10, 10, 50, 20))
    assert "transcript" not in str(sheet)
    answer_question(question=question, text="Digoxin")
    [entry] = assignment_state_of(assignment).evidence
    assert "Digoxin" in entry.note
    assert entry.is_answer
    assert assignment_state_of(assignment).questions[0].answer == "Digoxin"


@pytest.mark.django_db
def test_answer_question_when_submitted_meanwhile_then_nothing_waited_and_the_log_stays_as_it_was():
    project, assignment, expert = begin()
    ask_question(assignment=assignment, text="Which drug?")
    question = claim_question(person=expert, project=project)
    submit_work(assignment)
    assert Work.objects.get().stage == Stage.VERIFY
    answer_question(question=question, text="Digoxin")
    assert Evidence.objects.count() == 0
    assert assignment_state_of(assignment).questions[0].answer == "Digoxin"


@pytest.mark.django_db
def test_answer_question_when_sent_twice_then_once_and_another_answer_is_refused():
    project, assignment, expert = begin()
    ask_question(assignment=assignment, text="Which drug?")
    question = claim_question(person=expert, project=project)
    answer_question(question=question, text="Digoxin")
    answer_question(question=question, text="Digoxin")
    with pytest.raises(AssignmentClosed):
        answer_question(question=question, text="Digitoxin")
    assert Evidence.objects.count() == 1


@pytest.mark.django_db
def test_verify_sheet_when_the_annotator_asked_then_the_second_reviewer_is_told_nothing():
    project, assignment, expert = begin()
    ask_question(assignment=assignment, text="Which drug?")
    answer_question(question=claim_question(person=expert, project=project), text="Digoxin")
    submit_work(assignment)
    reviewer = make_member(project, Role.REVIEWER)
    sheet = verify_sheet(claim_work(person=reviewer, project=project, stage=Stage.VERIFY))
    assert "drug" not in str(sheet)
    assert "Digoxin" not in str(sheet)


@pytest.mark.django_db
@pytest.mark.parametrize("is_given_back", [False, True])
def test_eligible_when_an_expert_was_asked_about_a_sample_then_not_its_second_reviewer(is_given_back):
    project, assignment, _expert = begin()
    both = make_member(project, Role.DOMAIN_EXPERT, Role.REVIEWER, Role.ANNOTATOR)
    ask_question(assignment=assignment, text="Which drug?")
    question = claim_question(person=both, project=project)
    if is_given_back:
        release_question(question=question, person=both)
    assert list(exposures_of(both).values_list("saw", flat=True)) == [SeenContent.IMAGE]
    submit_work(assignment)
    assert claim_work(person=both, project=project, stage=Stage.VERIFY) is None
    Work.objects.update(stage=Stage.LABEL, status=Status.OPEN)
    assert claim_work(person=both, project=project, stage=Stage.LABEL) is not None


@pytest.mark.django_db
def test_claim_question_when_the_expert_works_on_the_sample_or_knows_its_labels_then_not_given():
    project, assignment, expert = begin()
    ask_question(assignment=assignment, text="Which drug?")
    assignment.person.memberships.create(team=project.team, role=Role.DOMAIN_EXPERT)
    assert claim_question(person=assignment.person, project=project) is None
    record_exposure(
        user=expert, image_hash=assignment.sample.pixel_hash, role="manager", saw=SeenContent.LABEL, place="x"
    )
    assert count_waiting_questions(expert, project) == 0
    with pytest.raises(NotAllowed):
        claim_question(person=make_member(project, Role.REVIEWER), project=project)


@pytest.mark.django_db
def test_claim_question_when_an_expert_drops_out_then_another_answers_and_the_first_is_refused():
    project, assignment, expert = begin()
    ask_question(assignment=assignment, text="Which drug?")
    held = claim_question(person=expert, project=project)
    other = make_member(project, Role.DOMAIN_EXPERT)
    assert claim_question(person=other, project=project) is None
    Question.objects.update(lease_until=timezone.now() - timedelta(minutes=1))
    answer_question(question=claim_question(person=other, project=project), text="Digoxin")
    with pytest.raises((AssignmentClosed, LeaseLost)):
        answer_question(question=held, text="Aspirin")
    assert Question.objects.get().answer == "Digoxin"


@pytest.mark.django_db
@pytest.mark.parametrize("box", [[0, 0, 0, 5], [0, 0, 9999, 5], [1, 2, 3], [-1, 0, 5, 5], [0.5, 0, 5, 5]])
def test_ask_expert_when_the_place_is_off_the_image_then_refused(box):
    _project, assignment, _expert = begin()
    with pytest.raises(BadText):
        ask_question(assignment=assignment, text="What is it?", box=box)
    assert Question.objects.count() == 0


@pytest.mark.django_db
def test_withdraw_question_when_answered_then_too_late():
    project, assignment, expert = begin()
    first, second = (ask_question(assignment=assignment, text=text) for text in ("One?", "Two?"))
    withdraw_question(assignment=assignment, pk=first.pk)
    question = claim_question(person=expert, project=project)
    assert question == second
    answer_question(question=question, text="Yes")
    with pytest.raises(AssignmentClosed):
        withdraw_question(assignment=assignment, pk=second.pk)
    assert [row.text for row in assignment_state_of(assignment).questions] == ["Two?"]


@pytest.mark.django_db
def test_change_evidence_when_own_and_open_then_changed_and_never_afterwards_or_by_others():
    project, assignment, expert = begin()
    entry = record_evidence(assignment=assignment, kind="dictionary", link="https://example.org/a", note="")
    change_evidence(assignment=assignment, pk=entry.pk, kind="discussion", link="", note="better")
    entry.refresh_from_db()
    assert (entry.kind, entry.link, entry.note) == ("discussion", "", "better")
    ask_question(assignment=assignment, text="Which drug?")
    answer_question(question=claim_question(person=expert, project=project), text="Digoxin")
    answer = Evidence.objects.get(question__isnull=False)
    with pytest.raises(NoSuchEntry):
        remove_evidence(assignment=assignment, pk=answer.pk)
    make_sample(project)
    other = claim_work(person=make_member(project, Role.ANNOTATOR), project=project, stage=Stage.LABEL)
    with pytest.raises(NoSuchEntry):
        remove_evidence(assignment=other, pk=entry.pk)
    submit_work(assignment)
    for call in (remove_evidence, lambda **k: change_evidence(kind="other", link="", note="x", **k)):
        with pytest.raises(AssignmentClosed):
            call(assignment=assignment, pk=entry.pk)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "link", "note"),
    [
        ("gossip", "", "x"),
        ("other", "", " "),
        ("other", "javascript:alert(1)", ""),
        ("other", "ftp://example.org/x", ""),
        ("other", "no address", ""),
    ],
)
def test_record_evidence_when_it_is_no_evidence_then_refused(kind, link, note):
    _project, assignment, _expert = begin()
    with pytest.raises(BadText):
        record_evidence(assignment=assignment, kind=kind, link=link, note=note)
    assert Evidence.objects.count() == 0


@pytest.mark.django_db
def test_pages_when_asked_and_answered_then_each_side_sees_its_own(client):
    project, assignment, expert = begin()
    client.force_login(assignment.person)
    asked = {"question": "Which drug is this?", "box": "10 10 50 20"}
    client.post(reverse("work_questions", args=[assignment.uuid]), asked)
    assert "Which drug is this?" in client.get(reverse("work", args=[assignment.uuid])).content.decode()
    client.force_login(expert)
    assert "question for you" in client.get("/").content.decode()
    client.post(reverse("question_next", args=[project.slug]))
    question = Question.objects.get()
    page = client.get(reverse("question", args=[question.uuid])).content.decode()
    assert 'highlight="10 10 50 20"' in page
    assert "secret transcript" not in page
    assert assignment.person.username not in page
    empty = client.post(reverse("question_answer", args=[question.uuid]), {"answer": " "})
    assert empty.status_code == 422
    client.post(reverse("question_answer", args=[question.uuid]), {"answer": "Digoxin"})
    client.force_login(make_member(project, Role.DOMAIN_EXPERT))
    assert client.get(reverse("question", args=[question.uuid])).status_code == 404
    client.force_login(assignment.person)
    assert "A domain expert answered your question" in client.get("/").content.decode()
    page = client.get(reverse("work", args=[assignment.uuid])).content.decode()
    assert "Digoxin" in page
    assert expert.username not in page


@pytest.mark.django_db(transaction=True)
def test_claim_question_when_ten_experts_ask_at_once_then_each_question_has_one():
    project, assignment, _expert = begin()
    for number in range(3):
        ask_question(assignment=assignment, text=f"Question {number}?")
    people = [make_member(project, Role.DOMAIN_EXPERT) for _ in range(10)]
    results = at_once(*(partial(claim_question, person=person, project=project) for person in people))
    held = [row for row in results if isinstance(row, Question)]
    assert len({row.pk for row in held}) == len(held) == 3, results
    assert results.count(None) == 7
