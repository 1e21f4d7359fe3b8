"""Many people press every button at one moment: nobody reads an error of the server, and nobody gets two samples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import pairwise

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from annotation.models import Assignment, Draft, Event, Label, Question, Rating, Screening, Work
from annotation.services.ask_question import claim_question
from annotation.services.claim_work import claim_work
from annotation.services.rate_difficulty import claim_rating
from annotation.services.screen_page import claim_screening
from annotation.stages import Intake, Stage, Status
from config.accounts.models import Role
from tests.at_once import at_once
from tests.factories import make_member, make_project, make_sample

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]

PEOPLE = 8
ROUNDS = 5
BUTTONS = ("next", "submit", "skip", "release")  # 8 people x 4 buttons x 5 rounds = 160 presses


def client_for(person) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(person)
    return client


def press(client: Client, project, assignment: Assignment, button: str, key: str) -> HttpResponse:
    if button == "next":
        return client.post(reverse("next_sample", args=[project.slug, "label"]))
    if button == "submit":
        body = {
            "text": "a line",
            "base_version": Draft.objects.get(assignment=assignment).version,
            "image_hash": assignment.sample.pixel_hash,
            "idempotency_key": key,
        }
        return client.post(reverse("work_submit", args=[assignment.uuid]), body)
    name = {"skip": "work_skip", "release": "work_put_back"}[button]
    return client.post(reverse(name, args=[assignment.uuid]))


def test_buttons_when_all_are_pressed_at_once_then_no_server_error_and_every_sample_has_one_story() -> None:
    project = make_project()
    for _ in range((ROUNDS + 2) * PEOPLE):  # more than can be submitted
        make_sample(project)
    people = [make_member(project, Role.ANNOTATOR, name=f"person-{number}") for number in range(PEOPLE)]
    clients = {person: client_for(person) for person in people}
    responses: list[HttpResponse] = []
    before = deadlocks()
    for number in range(ROUNDS):
        calls: list[Callable[[], HttpResponse]] = []
        for person in people:
            held = claim_work(person=person, project=project, stage=Stage.LABEL)
            assert held is not None
            key = f"key-{person.pk}-{number:08}"
            calls += [partial(press, clients[person], project, held, button, key) for button in BUTTONS]
        responses += at_once(*calls)
    assert [response.status_code for response in responses if response.status_code >= 500] == []
    assert deadlocks() == before  # the order of locks, not another try, is what keeps people from waiting
    check_stories(project)


def deadlocks() -> int:
    """How many the server has met in this database; SQLite lets one transaction write at a time."""
    if connection.vendor != "postgresql":
        return 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
        return int(cursor.fetchone()[0])


def check_stories(project) -> None:
    """Nobody holds two samples; every sample was submitted at most once, by a move that is in its history."""
    held = Work.objects.filter(sample__project=project, status=Status.HELD)
    assert max(Counter(held.values_list("holder", flat=True)).values(), default=0) <= 1
    labels = Label.objects.filter(sample__project=project).values_list("sample", flat=True)
    assert max(Counter(labels).values(), default=0) <= 1
    submitted = Work.objects.filter(sample__project=project, stage=Stage.VERIFY)
    assert set(submitted.values_list("sample", flat=True)) == set(labels)
    for work in Work.objects.filter(sample__project=project):
        events = list(Event.objects.filter(sample=work.sample).order_by("version"))
        assert [event.version for event in events] == list(range(1, work.version + 1))
        for before, after in pairwise(events):
            assert (before.to_stage, before.to_status) == (after.from_stage, after.from_status)


def of_work(project, person):
    for _ in range(PEOPLE):
        make_sample(project)
    return partial(claim_work, person=person, project=project, stage=Stage.LABEL)


def of_ratings(project, person):
    for _ in range(PEOPLE):
        make_sample(project)
    return partial(claim_rating, person=person, project=project)


def of_screenings(project, person):
    for _ in range(PEOPLE):
        Screening.objects.create(sample=make_sample(project, intake=Intake.SCREENING))
    return partial(claim_screening, person=person, project=project)


def of_questions(project, person):
    asker = make_member(project, Role.ANNOTATOR)
    for _ in range(PEOPLE):
        assignment = Assignment.objects.create(
            sample=make_sample(project), person=asker, stage=Stage.LABEL, round=1, mode="verify"
        )
        Question.objects.create(sample=assignment.sample, assignment=assignment, text="What is this?")
    return partial(claim_question, person=person, project=project)


@pytest.mark.parametrize(
    ("queue", "held"),
    [
        (of_work, lambda person: Work.objects.filter(holder=person, status=Status.HELD)),
        (of_ratings, lambda person: Rating.objects.filter(person=person).exclude(slot=None)),
        (of_screenings, lambda person: Screening.objects.filter(person=person)),
        (of_questions, lambda person: Question.objects.filter(expert=person)),
    ],
    ids=["work", "ratings", "screenings", "questions"],
)
def test_claim_when_one_person_asks_eight_times_at_once_then_they_hold_one(queue, held) -> None:
    project = make_project()
    person = make_member(
        project, Role.ANNOTATOR, Role.DIFFICULTY_RATER, Role.SCREENER, Role.DOMAIN_EXPERT, name="hasty"
    )
    claim = queue(project, person)
    results = at_once(*[claim] * 8)
    assert [type(result) for result in results] == [type(results[0])] * 8, results
    assert len({result.pk for result in results}) == 1
    assert held(person).count() == 1


def test_claim_when_people_wait_for_the_same_few_samples_in_different_orders_then_nobody_waits_for_ever() -> (
    None
):
    project = make_project()
    for _ in range(3):
        make_sample(project)
    people = [make_member(project, Role.ANNOTATOR) for _ in range(16)]
    results = at_once(
        *(partial(claim_work, person=person, project=project, stage=Stage.LABEL) for person in people)
    )
    kinds = Counter(type(result) for result in results)
    assert kinds == {Assignment: 3, type(None): 13}, results
