"""Every address of a release's figures is closed to those who rate it, and lists that link there say why."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.urls import reverse

from baseline.services.configure_baseline import create_baseline
from config.accounts.models import Role, User
from config.accounts.services import give_roles
from config.exposure.models import ReservedContent
from config.exposure.reservations import reserve
from config.jobs.services import run_waiting
from evaluation.models import ExportFormat, GoldItem, Release
from evaluation.permissions import closed_figures
from evaluation.preference.models import Study
from evaluation.preference.services.open_study import close_study
from evaluation.services.export_release import request_export
from evaluation.services.score_predictions import request_score
from tests.blindness.addresses import patterns
from tests.evaluation.preference.visiting import client_of
from tests.evaluation.preference.world import answer_all, make_maths_release, make_open_study, make_study

pytestmark = [pytest.mark.django_db, pytest.mark.database]
# Addresses that start so belong to a release.
OWNERS = ("releases", "exports", "prediction-sets", "score-runs", "baselines", "studies")
WORDS = {"kind": "csv", "action": "cancel", "number": 1, "name": "shares"}


def _of_a_release(study: Study) -> Iterator[tuple[str, str]]:
    """(name, address) of every pattern that starts with something of the release."""
    release = study.release
    answers = release.prediction_sets.get()
    run = request_score(prediction_set=answers)
    export = request_export(release=release, format=ExportFormat.INKBENCH, by=release.created_by)
    baseline = create_baseline(release=release, by=release.created_by, name="People")
    run_waiting()
    other = make_study(release)
    ids = dict(zip(OWNERS, (release, export, answers, run, baseline, other), strict=True))
    for name, route, parameters in patterns():
        start = re.match(r"(?:api/v1/)?([a-z-]+)/<int:pk>/", route)
        if start is None or start[1] not in OWNERS or name.startswith("moved:"):
            continue
        arguments: dict[str, Any] = {"pk": ids[start[1]].pk, "sample_id": release.items.first().sample_id}  # type: ignore[union-attr]
        arguments |= WORDS
        yield name, reverse(name, kwargs={key: arguments[key] for key in parameters})


def test_every_address_of_a_release_when_a_rater_manages_it_since_then_closed_until_the_study_closes() -> (
    None
):
    """A rater who is made a manager later, since nobody who manages a release can be made a rater of it."""
    study, enrolments = make_open_study(1)
    rater = enrolments[0].user
    give_roles(team=study.release.team, user=rater, roles=[Role.STUDY_EXPERT, Role.MANAGER])
    visitor, boss = client_of(rater), client_of(study.release.created_by)
    found = list(_of_a_release(study))
    names = {name for name, _ in found}
    assert names >= {"leaderboard", "leaderboard_file", "item_score", "score_run", "release_reports"}
    assert names >= {
        "release_data_card",
        "export_download",
        "baseline_results",
        "study_figure",
        "study_record",
    }
    assert names >= {"api:leaderboard", "api:score_item", "api:scores", "api:export_download", "studies"}
    for name, address in found:
        for answer in (visitor.get(address), visitor.post(address)):
            assert answer.status_code in (403, 405), (name, answer.status_code)
            assert answer.status_code == 405 or "opens for you when the study closes" in answer.text, name
    # The study itself is not there for them at all, so they cannot close it.
    own = [reverse("study", args=[study.pk]), reverse("study_action", args=[study.pk, "close"])]
    assert [visitor.get(own[0]).status_code, visitor.post(own[1]).status_code] == [404, 404]
    assert {boss.get(address).status_code for _, address in found} <= {200, 302, 404, 405}

    close_study(study)
    for name, address in found:
        assert visitor.get(address).status_code != 403, name


def _links(person: User, release: Release) -> tuple[set[str], str]:
    page = client_of(person).get(reverse("project_releases", args=[release.team.slug]))
    assert page.status_code == 200
    return set(re.findall(r'href="(/releases/[^"]*)"', page.text)), page.text


@pytest.mark.parametrize("is_manager", [False, True])
def test_list_of_releases_when_figures_are_closed_to_the_person_then_no_link_and_the_reason(
    is_manager: bool,
) -> None:
    study, enrolments = make_open_study(1)
    release, rater = study.release, enrolments[0].user
    other = make_maths_release(team=release.team)
    answer_all(other)
    if is_manager:
        give_roles(team=release.team, user=rater, roles=[Role.STUDY_EXPERT, Role.MANAGER])
    closed, opened = (reverse("leaderboard", args=[row.pk]) for row in (release, other))

    links, text = _links(rater, release)
    assert opened in links and closed not in links
    assert text.count("Scores open for you when your study closes.") == 1
    assert (reverse("release", args=[other.pk]) in links) is is_manager
    assert reverse("release", args=[release.pk]) not in links
    assert {closed, opened} <= _links(release.created_by, release)[0]

    close_study(study)
    links, text = _links(rater, release)
    assert {closed, opened} <= links and "your study closes" not in text


def test_list_of_releases_when_a_baseline_waits_too_then_it_is_the_reason() -> None:
    study, enrolments = make_open_study(1)
    release, rater = study.release, enrolments[0].user
    image = GoldItem.objects.filter(release=release).exclude(pixel_hash="").first()
    assert image is not None
    reserve(user=rater, image_hashes=[image.pixel_hash], holder="baseline 1")
    assert closed_figures(rater, [release]) == {release.pk: ReservedContent.GOLD}
    links, text = _links(rater, release)
    assert not links and "Opens for you when you have finished the baseline." in text
    assert closed_figures(release.created_by, [release]) == {}
