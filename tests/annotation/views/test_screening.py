"""Screening pages: own ones only, a form that works without script, and the manager's way in."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotation.models import Event, Sample, Screening
from annotation.stages import Intake
from config.accounts.models import Role
from config.accounts.selectors import teams_of
from tests.factories import make_member, make_project, make_sample

pytestmark = pytest.mark.django_db


def begin(client):
    project = make_project(requires_screening=True)
    sample = make_sample(project, intake=Intake.SCREENING, transcript="Jane Roe wrote this")
    Screening.objects.create(sample=sample)
    screener = make_member(project, Role.SCREENER)
    client.force_login(screener)
    assert "to screen for names" in client.get("/").content.decode()
    client.post(reverse("screening_next", args=[project.slug]))
    return project, sample, Screening.objects.get(person=screener)


def test_screening_finish_when_boxes_are_typed_as_numbers_then_burned_in(client):
    _project, sample, screening = begin(client)
    page = client.get(reverse("screening", args=[screening.uuid])).content.decode()
    assert "Jane Roe wrote this" in page
    sent = {"boxes": "5 5 60 30\n70, 70, 90, 90", "masks": "[]", "image_hash": sample.pixel_hash}
    answer = client.post(reverse("screening_finish", args=[screening.uuid]), sent)
    assert answer.url == reverse("home")
    after = Sample.objects.get(pk=sample.pk)
    assert after.intake == Intake.READY
    assert after.unredacted_blob == sample.full_blob
    closed = client.get(reverse("screening", args=[screening.uuid])).content.decode()
    assert "This page has been screened" in closed
    assert "Jane Roe" not in closed
    assert "/images/" not in closed


@pytest.mark.parametrize("boxes", ["5 5 60", "a b c d", "5 5 9999 30"])
def test_screening_finish_when_a_box_is_no_box_then_what_was_typed_is_kept(client, boxes):
    _project, sample, screening = begin(client)
    sent = {"boxes": boxes, "masks": "[]", "image_hash": sample.pixel_hash}
    answer = client.post(reverse("screening_finish", args=[screening.uuid]), sent)
    assert answer.status_code == 422
    assert boxes in answer.content.decode()
    assert Sample.objects.get().intake == Intake.SCREENING


def test_screening_page_when_it_is_another_persons_then_not_there(client):
    project, _sample, screening = begin(client)
    client.force_login(make_member(project, Role.SCREENER, Role.MANAGER))
    for name in ("screening", "screening_finish", "screening_save", "screening_put_back"):
        url = reverse(name, args=[screening.uuid])
        answer = client.get(url) if name == "screening" else client.post(url)
        assert answer.status_code == 404


def test_sample_page_when_being_screened_then_a_manager_opens_the_page_on_the_record(client):
    project, sample, _screening = begin(client)
    client.force_login(project.created_by)
    assert "/images/" not in client.get(reverse("sample", args=[sample.uuid])).content.decode()
    assert "/images/" in client.post(reverse("sample_unredacted", args=[sample.uuid])).content.decode()
    assert Event.objects.get(sample=sample, verb="unredacted_opened").actor == project.created_by


def test_sample_screen_again_without_a_reason_then_nothing_happens(client):
    project = make_project()
    sample = make_sample(project)
    client.force_login(project.created_by)
    url = reverse("sample_screen_again", args=[sample.uuid])
    client.post(url, {"reason": ""})
    assert Sample.objects.get().intake == Intake.READY
    client.post(url, {"reason": "a name in line 2"})
    assert Sample.objects.get().intake == Intake.SCREENING


def test_teams_of_when_somebody_else_has_the_role_then_it_is_not_this_persons_team():
    project = make_project()
    annotator = make_member(project, Role.ANNOTATOR)
    assert not teams_of(annotator, Role.MANAGER).exists()
    assert teams_of(annotator, Role.ANNOTATOR).get() == project.team
