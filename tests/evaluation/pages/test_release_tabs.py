"""The sections of a release: which page belongs to which, the list of runs, and what can be taken away."""

from __future__ import annotations

import pytest
from django.urls import reverse
from lxml import html

from config.jobs.services import run_waiting
from evaluation.models import ExportRun, ModelRun, ScoreRun
from evaluation.services.score_predictions import request_score
from evaluation.templatetags.release_tabs import TABS
from tests.factories import make_answers, make_gold, make_gold_release, make_project

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def project():
    return make_project()


@pytest.fixture
def release(project):
    return make_gold_release(project.team, [make_gold("Dear Jane"), make_gold("SECRETGOLD")])


@pytest.fixture
def manager(client, project):
    client.force_login(project.created_by)
    return client


def tabs_of(page: str) -> list[tuple[str, str | None]]:
    tree = html.fromstring(page)
    links = tree.xpath("//nav[@aria-label='Release']/a")
    return [(link.text_content().strip(), link.get("aria-current")) for link in links]


@pytest.mark.parametrize("name", [name for name, _label in TABS])
def test_release_tabs_when_at_a_page_then_it_alone_is_marked(manager, release, name):
    tabs = tabs_of(manager.get(reverse(name, args=[release.pk])).text)
    assert [words for words, _mark in tabs] == [
        "Release",
        "Leaderboard",
        "Runs",
        "Baselines",
        "Studies",
        "Reports",
    ]
    assert [mark for _words, mark in tabs if mark] == ["page"]
    assert tabs[[tab for tab, _label in TABS].index(name)][1] == "page"


def test_release_tabs_when_below_a_page_then_its_section_is_marked(manager, release):
    make_gold_release(release.team, [make_gold("Dear Jane")])
    newer = release.team.releases.order_by("-number").first()
    answers = make_answers(newer, {"Dear Jane": "Dear John"})
    run = request_score(prediction_set=answers)
    run_waiting()
    manager.post(reverse("export_new", args=[newer.pk]), {"format": "inkbench"})
    below = {
        reverse("model_run_new", args=[newer.pk]): "Runs",
        reverse("predictions_upload", args=[newer.pk]): "Runs",
        reverse("prediction_set", args=[answers.pk]): "Runs",
        reverse("score_run", args=[run.pk]): "Leaderboard",
        reverse("release_changes", args=[newer.pk]): "Reports",
        reverse("export", args=[ExportRun.objects.get().pk]): "Reports",
        reverse("baseline_new", args=[newer.pk]): "Baselines",
        reverse("study_new", args=[newer.pk]): "Studies",
    }
    for address, section in below.items():
        page = manager.get(address)
        assert page.status_code == 200
        assert [tab for tab in tabs_of(page.text) if tab[1]] == [(section, "true")], address


def test_runs_when_recognisers_and_uploads_predict_then_both_are_listed_with_their_progress(
    manager, release, django_assert_num_queries
):
    address = reverse("release_runs", args=[release.pk])
    assert "No predictions yet" in manager.get(address).text
    uploaded = make_answers(release, {"Dear Jane": "Dear John"})
    running = make_answers(release, {"Dear Jane": "Dear Jan"}, system="Reader")
    ModelRun.objects.create(
        prediction_set=running, recogniser={}, state="running", progress_done=1, progress_total=4
    )
    page = manager.get(address)
    assert [run.pk for run in page.context["page"]] == [running.pk, uploaded.pk]
    assert "Running 25 %" in " ".join(page.text.split()) and 'hx-trigger="every 3s"' in page.text
    assert reverse("model_run_new", args=[release.pk]) in page.text
    ModelRun.objects.update(state="done")
    assert "hx-trigger" not in manager.get(address).text
    with django_assert_num_queries(7):
        manager.get(address)


def test_reports_when_nothing_was_scored_then_no_score_file_is_promised(manager, release):
    address = reverse("release_reports", args=[release.pk])
    files = reverse("leaderboard_file", args=[release.pk, "csv"])
    assert files not in manager.get(address).text
    answers = make_answers(release, {"Dear Jane": "Dear John"})
    run = ScoreRun.objects.create(prediction_set=answers, bundle="inkbench-1", state="running")
    assert files not in manager.get(address).text
    ScoreRun.objects.filter(pk=run.pk).update(state="done")
    assert f"{files}?bundle=inkbench-1" in manager.get(address).text


def test_data_card_when_downloaded_then_it_is_the_exports_and_holds_no_text(manager, release):
    response = manager.get(reverse("release_data_card", args=[release.pk]))
    assert response["Content-Disposition"].endswith('release-1-data-card.md"')
    assert response.text.startswith("# ") and release.checksum in response.text
    assert "SECRETGOLD" not in response.text
