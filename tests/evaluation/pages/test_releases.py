"""Release and leaderboard pages: who gets to them, and what they say."""

from __future__ import annotations

import csv
import io

import pytest
from django.urls import reverse

from config.accounts.models import Role
from config.blobs import drop_blob
from config.exposure.models import Exposure
from config.jobs.services import run_waiting
from evaluation.services.score_predictions import request_score
from tests.factories import (
    make_answers,
    make_gold,
    make_gold_release,
    make_member,
    make_project,
    make_user,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


@pytest.fixture
def project():
    return make_project()


@pytest.fixture
def release(project):
    return make_gold_release(project.team, [make_gold("Dear Jane,\nthe end."), make_gold("SECRETGOLD")])


def manager_pages(release):
    answers = release.prediction_sets.first() or make_answers(release, {})
    return [
        ("get", reverse("release", args=[release.pk])),
        ("get", reverse("release_runs", args=[release.pk])),
        ("get", reverse("release_reports", args=[release.pk])),
        ("get", reverse("release_data_card", args=[release.pk])),
        ("get", reverse("release_changes", args=[release.pk])),
        ("post", reverse("release_check", args=[release.pk])),
        ("post", reverse("prediction_set_score", args=[answers.pk])),
        ("get", reverse("release_new", args=[release.team.slug])),
    ]


def member_pages(release):
    return [
        reverse("leaderboard", args=[release.pk]),
        reverse("leaderboard_file", args=[release.pk, "csv"]),
        reverse("leaderboard_file", args=[release.pk, "json"]),
        reverse("project_releases", args=[release.team.slug]),
    ]


@pytest.mark.parametrize("role", [None, *(role for role in Role if role != Role.MANAGER)])
def test_release_pages_when_no_manager_asks_then_404_and_members_see_figures_only(
    client, project, release, role
):
    make_gold_release(project.team, [make_gold("SECRETGOLD 2")])
    client.force_login(make_user() if role is None else make_member(project, role))
    for method, address in manager_pages(release):
        response = getattr(client, method)(address)
        assert response.status_code == 404, address
    for address in member_pages(release):
        response = client.get(address)
        assert response.status_code == (404 if role is None else 200), address
        assert "SECRETGOLD" not in response.text
    assert not Exposure.objects.exists()


def test_release_pages_when_nobody_is_signed_in_then_the_way_leads_to_signing_in(client, release):
    for method, address in [*manager_pages(release), *(("get", a) for a in member_pages(release))]:
        response = getattr(client, method)(address)
        assert response.status_code == 302 and "/login/" in response["Location"], address


def test_release_page_then_counts_and_changes_are_shown_and_no_text(client, project, release):
    first, second = (item.record for item in release.items.all())
    newer = make_gold_release(
        project.team,
        [make_gold("Dear Jane,\nThe end.", id=first["id"]), make_gold("a new one", language="zh-Hans")],
    )
    client.force_login(project.created_by)
    page = client.get(reverse("release", args=[newer.pk]))
    assert page.status_code == 200 and page.context["contents"].total == 2
    reports = client.get(reverse("release_reports", args=[newer.pk]))
    changes = reports.context["changes"]
    assert (changes.added, changes.removed, changes.changed) == (1, 1, 1)
    assert reverse("release_changes", args=[newer.pk]) in reports.text
    assert "Dear Jane" not in page.text + reports.text and not Exposure.objects.exists()
    texts = client.get(reverse("release_changes", args=[newer.pk]))
    assert all(words in texts.text for words in ("Dear Jane,\nThe end.", "a new one", "SECRETGOLD"))
    assert Exposure.objects.filter(user=project.created_by, saw="gold").count() == 3
    assert second["text"] == "SECRETGOLD"


def test_release_changes_when_it_is_the_first_then_404(client, project, release):
    client.force_login(project.created_by)
    assert client.get(reverse("release_changes", args=[release.pk])).status_code == 404


def test_release_check_when_a_image_is_gone_then_it_is_named(client, project, release):
    client.force_login(project.created_by)
    address = reverse("release_check", args=[release.pk])
    assert "Checked" in client.post(address, follow=True).text
    item = release.items.first()
    drop_blob(item.image_blob)
    assert item.file_name in client.post(address, follow=True).text


def test_release_new_when_nothing_is_verified_then_it_says_so(client, project):
    client.force_login(project.created_by)
    page = client.get(reverse("release_new", args=[project.slug]))
    assert "Nothing verified yet" in page.text
    client.post(reverse("release_new", args=[project.slug]), {"confirm": "on"})
    assert not project.team.releases.exists()


def test_leaderboard_when_scored_from_the_page_then_figures_signature_and_files_agree(
    client, project, release
):
    answers = make_answers(release, {"SECRETGOLD": "SECRETGALD"})
    client.force_login(project.created_by)
    client.post(reverse("prediction_set_score", args=[answers.pk]))
    run_waiting()
    page = client.get(reverse("leaderboard", args=[release.pk]))
    assert "55.00" in page.text and "50.0" in page.text  # (1 + 0.1) / 2, one of two answered
    assert f"data:{release.checksum}" in page.text
    lines = list(csv.DictReader(io.StringIO(client.get(member_pages(release)[1]).text)))
    edit = next(line for line in lines if (line["metric"], line["group"]) == ("edit", "all"))
    assert float(edit["value"]) == pytest.approx(0.55)
    record = client.get(member_pages(release)[2]).json()
    assert record["release"]["checksum"] == release.checksum
    assert record["systems"][0]["missing"] == 1


def test_leaderboard_by_language_then_columns_are_languages_and_choices_stay_in_the_address(
    client, project, release
):
    request_score(prediction_set=make_answers(release, {"SECRETGOLD": "x"}))
    run_waiting()
    client.force_login(project.created_by)
    page = client.get(reverse("leaderboard", args=[release.pk]), {"view": "language", "metric": "cer"})
    assert [column.key for column in page.context["board"].columns] == [
        ("cer", "all"),
        ("cer", "language:en"),
    ]
    assert "view=language&amp;metric=cer&amp;sort=" in page.text
    strange = client.get(reverse("leaderboard", args=[release.pk]), {"view": "x", "bundle": "y", "sort": "z"})
    assert strange.status_code == 200


def test_leaderboard_when_a_system_name_is_a_formula_then_the_csv_holds_a_text(client, project, release):
    request_score(prediction_set=make_answers(release, {"SECRETGOLD": "x"}, system="=1+1"))
    run_waiting()
    client.force_login(project.created_by)
    assert "'=1+1" in client.get(member_pages(release)[1]).text


def test_leaderboard_page_then_the_queries_do_not_grow_with_the_systems(
    client, project, release, django_assert_max_num_queries
):
    client.force_login(project.created_by)
    for name in ("a", "b", "c", "d"):
        request_score(prediction_set=make_answers(release, {"SECRETGOLD": "x"}, system=name))
    run_waiting()
    with django_assert_max_num_queries(9):
        client.get(reverse("leaderboard", args=[release.pk]))
