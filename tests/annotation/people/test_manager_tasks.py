"""The overview's "Needs you" and the managers' list of questions."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import (
    Assignment,
    DuplicatePair,
    Flag,
    Project,
    Question,
    Sample,
    SuggestionRequest,
    Work,
)
from annotation.selectors.manager_tasks import TaskKind, count_for_managers, tasks_for_managers
from annotation.selectors.overview import columns_of
from annotation.services.configure_project import clear_recogniser, set_recogniser
from annotation.stages import Intake, SampleState, Stage
from config.accounts.models import Role
from config.accounts.services import give_roles
from config.exposure.models import SeenContent
from config.exposure.services import record_exposure
from config.jobs.models import JobState
from tests.factories import make_member, make_project, make_sample

pytestmark = pytest.mark.django_db


def _tasks(project: Project) -> list[tuple[Any, ...]]:
    tasks = tasks_for_managers(project, count_for_managers(project), columns_of(project))
    return [(task.kind, task.count, task.state, task.role) for task in tasks]


def _ask(sample: Sample, **fields: object) -> Question:
    asker = make_member(sample.project, Role.ANNOTATOR)
    assignment = Assignment.objects.create(
        sample=sample, person=asker, stage=Stage.LABEL, round=1, mode="verify"
    )
    return Question.objects.create(sample=sample, assignment=assignment, text="CANARY: which drug?", **fields)


def _staff(project: Project) -> None:
    make_member(project, Role.ANNOTATOR, Role.REVIEWER, Role.SCREENER, Role.DOMAIN_EXPERT)


def test_needs_you_when_nothing_waits_then_it_says_so_and_an_empty_project_is_told_what_to_do(
    client: Client, project: Project
) -> None:
    address = reverse("project", args=[project.slug])
    assert _tasks(project) == [] and "Needs you" not in client.get(address).text
    _staff(project)
    make_sample(project)
    assert _tasks(project) == []
    page = client.get(address).text
    assert "Needs you" in page and "Nothing at the moment" in page


def test_needs_you_when_samples_wait_for_a_role_that_nobody_has_then_it_is_named(
    client: Client, project: Project
) -> None:
    make_sample(project)
    for _ in range(2):
        make_sample(project, stage=Stage.VERIFY)
    make_sample(project, intake=Intake.SCREENING)
    assert _tasks(project) == [
        (TaskKind.UNSTAFFED, 1, SampleState.SCREENING, Role.SCREENER),
        (TaskKind.UNSTAFFED, 1, SampleState.LABELLING, Role.ANNOTATOR),
        (TaskKind.UNSTAFFED, 2, SampleState.VERIFYING, Role.REVIEWER),
    ]
    page = client.get(reverse("project", args=[project.slug])).text
    assert "No one in this project has the role “Second reviewer”." in page
    assert reverse("project_people", args=[project.slug]) in page
    _staff(project)
    assert _tasks(project) == []


def test_needs_you_when_pairs_flags_failures_and_stuck_samples_wait_then_each_is_one_line(
    client: Client, project: Project
) -> None:
    _staff(project)
    first, second = make_sample(project), make_sample(project)
    DuplicatePair.objects.create(project=project, first=first, second=second, kind="near")
    Flag.objects.create(sample=first, person=project.created_by, stage="label", message="blurred")
    late = make_sample(project, stage=Stage.VERIFY)
    Work.objects.filter(sample=late).update(changed_at=timezone.now() - timedelta(days=9))
    setting = set_recogniser(project=project, slot=1, kind="embedded", engine="ppocr-v6", label="PP-OCR")
    SuggestionRequest.objects.create(sample=first, recogniser=setting, state=JobState.FAILED)
    SuggestionRequest.objects.create(sample=second, recogniser=setting, state=JobState.DONE)
    assert [task[:3] for task in _tasks(project)] == [
        (TaskKind.DUPLICATES, 1, SampleState.DUPLICATE),
        (TaskKind.FLAGS, 1, None),
        (TaskKind.STUCK, 1, SampleState.VERIFYING),
        (TaskKind.FAILED_SUGGESTIONS, 1, None),
    ]
    page = client.get(reverse("project", args=[project.slug])).text
    samples = reverse("project_samples", args=[project.slug])
    for address in (
        f"{samples}?flag=open",
        f"{samples}?state=verifying",
        reverse("project_duplicates", args=[project.slug]),
        reverse("project_suggestions", args=[project.slug]),
    ):
        assert f'href="{address}"' in page
    clear_recogniser(project=project, slot=1)
    assert TaskKind.FAILED_SUGGESTIONS not in [task[0] for task in _tasks(project)]


def test_needs_you_when_duplicates_are_stuck_then_they_are_one_line_not_two(project: Project) -> None:
    _staff(project)
    first, second = make_sample(project), make_sample(project, intake=Intake.DUPLICATE)
    DuplicatePair.objects.create(project=project, first=first, second=second, kind="near")
    Sample.objects.filter(pk=second.pk).update(created_at=timezone.now() - timedelta(days=9))
    Work.objects.filter(sample=second).delete()
    assert columns_of(project)[SampleState.DUPLICATE].is_stuck
    assert [task[0] for task in _tasks(project)] == [TaskKind.DUPLICATES]


def test_needs_you_when_questions_wait_and_nobody_is_an_expert_then_they_are_counted(
    project: Project,
) -> None:
    make_member(project, Role.ANNOTATOR, Role.REVIEWER, Role.SCREENER)
    sample = make_sample(project)
    _ask(sample)
    _ask(sample, withdrawn_at=timezone.now())
    assert _tasks(project) == [(TaskKind.UNSTAFFED, 1, None, Role.DOMAIN_EXPERT)]
    make_member(project, Role.DOMAIN_EXPERT)
    assert _tasks(project) == []


# Questions


def _questions_page(client: Client, project: Project) -> Any:
    return client.get(reverse("project_questions", args=[project.slug]))


def test_questions_when_in_every_state_then_they_are_counted_and_open_ones_come_first(
    client: Client, project: Project
) -> None:
    expert, sample, now = make_member(project, Role.DOMAIN_EXPERT), make_sample(project), timezone.now()
    _ask(sample, asked_at=now - timedelta(days=9), answered_at=now, expert=expert, answer="CANARY: aspirin")
    _ask(sample, asked_at=now - timedelta(days=8), withdrawn_at=now)
    _ask(sample, asked_at=now - timedelta(days=2), expert=expert, lease_until=now + timedelta(hours=1))
    _ask(sample, asked_at=now - timedelta(days=3), expert=expert, lease_until=now - timedelta(hours=1))
    _ask(sample, asked_at=now - timedelta(days=1))
    _ask(make_sample(make_project()))
    page = _questions_page(client, project)
    states = [str(row.state) for row in page.context["rows"]]
    assert states == ["waiting", "held", "waiting", "answered", "withdrawn"]
    assert list(page.context["counts"].by_state.values()) == [2, 1, 1, 1]
    assert (now - page.context["counts"].oldest).days == 3
    assert "CANARY" not in page.text and expert.username not in page.text
    assert reverse("sample", args=[sample.uuid]) in page.text


@pytest.mark.parametrize("role", [Role.ANNOTATOR, Role.REVIEWER, Role.ADJUDICATOR])
def test_questions_when_the_manager_also_works_blind_then_no_sample_is_named_until_opened(
    client: Client, project: Project, role: Role
) -> None:
    boss = project.created_by
    give_roles(team=project.team, user=boss, roles=[role])
    sample, opened = make_sample(project), make_sample(project)
    _ask(sample)
    _ask(opened)
    record_exposure(
        user=boss, image_hash=opened.pixel_hash, role=Role.MANAGER, saw=SeenContent.LABEL, place="sample"
    )
    page = _questions_page(client, project)
    assert [row.number for row in page.context["rows"]] == [None, opened.number]
    assert str(sample.uuid) not in page.text and reverse("sample", args=[opened.uuid]) in page.text
    assert "the samples that you may still be given are not named" in page.text


def test_questions_when_there_is_none_or_nobody_to_answer_then_the_page_says_so(
    client: Client, project: Project
) -> None:
    page = _questions_page(client, project).text
    assert "No questions yet" in page and "no question can be answered" in page
    make_member(project, Role.DOMAIN_EXPERT)
    assert "no question can be answered" not in _questions_page(client, project).text


def test_questions_when_there_are_many_then_the_page_asks_no_more_queries(
    client: Client, project: Project, django_assert_num_queries: Any
) -> None:
    for _ in range(2):
        for _ in range(3):
            _ask(make_sample(project))
        with django_assert_num_queries(12):
            _questions_page(client, project)
