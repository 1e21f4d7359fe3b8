"""Rating pages: own ones only, choices kept at a refusal, and the manager's figures."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotation.difficulty import Dimension
from annotation.models import Rating
from config.accounts.models import Role
from tests.factories import make_member, make_project, make_sample

pytestmark = pytest.mark.django_db


def begin(client, project=None):
    project = project or make_project()
    sample = make_sample(project, transcript="secret transcript")
    rater = make_member(project, Role.DIFFICULTY_RATER)
    client.force_login(rater)
    answer = client.post(reverse("rating_next", args=[project.slug]))
    rating = Rating.objects.get(person=rater)
    assert answer.url == reverse("rating", args=[rating.uuid])
    return project, sample, rating


def choices(sample, **changed):
    return dict.fromkeys(map(str, Dimension), "3") | {"image_hash": sample.pixel_hash, "note": ""} | changed


def test_rating_page_when_open_then_anchors_and_no_evidence(client):
    _project, _sample, rating = begin(client)
    page = client.get(reverse("rating", args=[rating.uuid])).content.decode()
    assert page.count("difficulty__anchors") == 6
    assert "secret transcript" not in page


def test_rating_page_when_it_is_another_persons_then_not_there(client):
    project, _sample, rating = begin(client)
    client.force_login(make_member(project, Role.DIFFICULTY_RATER, Role.MANAGER))
    for name in ("rating", "rating_submit", "rating_save", "rating_skip"):
        url = reverse(name, args=[rating.uuid])
        answer = client.get(url) if name == "rating" else client.post(url)
        assert answer.status_code == 404


def test_rating_submit_when_one_choice_is_missing_then_the_others_are_kept(client):
    _project, sample, rating = begin(client)
    sent = choices(sample, note="half gone")
    del sent["cursiveness"]
    answer = client.post(reverse("rating_submit", args=[rating.uuid]), sent)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert page.count(" checked") == 5
    assert "half gone" in page


def test_rating_submit_when_complete_then_home_and_the_page_is_closed(client):
    _project, sample, rating = begin(client)
    answer = client.post(reverse("rating_submit", args=[rating.uuid]), choices(sample))
    assert answer.url == reverse("home")
    assert b"You have rated this sample" in client.get(reverse("rating", args=[rating.uuid])).content
    late = client.post(
        reverse("rating_save", args=[rating.uuid]),
        {"scores": {}, "note": ""},
        content_type="application/json",
    )
    assert late.status_code == 409


def test_project_difficulty_when_nothing_is_rated_then_no_number_is_made_up(client):
    project, _sample, _rating = begin(client)
    client.force_login(project.created_by)
    page = client.get(reverse("project_difficulty", args=[project.slug]))
    assert page.status_code == 200
    assert page.content.decode().count("n = 0") == 6


def test_home_when_pages_wait_for_a_rater_then_they_are_counted(client):
    project, _sample, _rating = begin(client)
    make_sample(project)
    assert "to rate for difficulty" in client.get("/").content.decode()
