"""Raters who look for what is compared, and managers who do not look at all."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from config.accounts.models import User
from config.exposure.models import Reservation
from evaluation.models import Release
from evaluation.preference.models import Enrolment, Item, PreferenceVote, Study
from evaluation.preference.score_mapping import MappingKind, ScoreMapping
from evaluation.preference.selectors import current_trial
from evaluation.preference.services import rate_item
from evaluation.preference.services.configure_study import ComparedScore, SourceChoice, remove_study
from evaluation.preference.services.open_study import close_study, open_study
from tests.evaluation.preference.visiting import address, client_of
from tests.evaluation.preference.world import (
    answer_all,
    make_maths_release,
    make_open_study,
    make_raters,
    make_study,
)
from tests.factories import make_gold, make_gold_release

pytestmark = [pytest.mark.django_db, pytest.mark.database]
WAYS: tuple[dict[str, str], ...] = (
    {},
    {"HTTP_ACCEPT": "application/json"},
    {"HTTP_HX_REQUEST": "true"},
    {"HTTP_ACCEPT_LANGUAGE": "zh-hans"},
)


def everything_said(client: Client, enrolment: Enrolment) -> list[str]:
    """Bodies, headers, cookies and addresses of whatever a rater's browser gets in a whole session, in every format."""
    said: list[str] = []

    def hear(answer: object) -> str:
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
        text = str(body.decode("latin-1"))
        said.append(f"{text}\n{answer.headers!r}\n{answer.cookies.output()}")  # type: ignore[attr-defined]
        return text

    hear(client.get("/"))
    hear(client.get(address(enrolment)))
    for step in range(40):
        pages = [hear(client.get(f"{address(enrolment)}?begin=1", **way)) for way in WAYS]  # type: ignore[arg-type]
        hear(client.head(address(enrolment)))
        for image in set(re.findall(r'/images/[^"\']+', pages[0])):
            hear(client.get(image))
        match = re.search(r'name="position" value="(\d+)"', pages[0])
        if match is None:
            return said
        body = {"position": match.group(1), "grade": step % 11, "choice": "AB"[step % 2]}
        for name in ("grade", "vote"):
            hear(
                client.post(address(enrolment, name), {"position": body["position"]})
            )  # refused: nothing chosen
            hear(client.post(address(enrolment, name), body))
        hear(
            client.post(address(enrolment, "event"), body | {"what": "left"}, content_type="application/json")
        )
    raise AssertionError("the session does not end")


def test_session_when_played_whole_then_nothing_in_it_tells_what_is_compared() -> None:
    release = make_maths_release()
    answer_all(release, system="zqsystem")
    study = make_study(
        release,
        make_raters(release),
        first=ComparedScore("ZQFIRST", SourceChoice(column="pink"), ScoreMapping(MappingKind.LINEAR, 0, 100)),
        second=ComparedScore(
            "ZQSECOND", SourceChoice("edit", "inkbench-1"), ScoreMapping(MappingKind.INVERTED, 0, 1)
        ),
    )
    Study.objects.filter(pk=study.pk).update(title="ZQTITLE")
    open_study(study)
    study.refresh_from_db()
    enrolment = study.enrolments.select_related("study__release__team", "user").first()
    assert enrolment is not None
    said = everything_said(client_of(enrolment.user), enrolment)
    assert len(said) > 11 * 10 and PreferenceVote.objects.filter(trial__enrolment=enrolment).count() == 11
    hidden = {
        "zqfirst",
        "zqsecond",
        "zqtitle",
        "zqsystem",
        "pink",
        "inkbench-1",
        "first_is",
        "attention item",
    }
    hidden |= {source.signature.casefold() for source in study.score_sources.all()}
    hidden |= {str(study.seed), release.checksum[:12]}
    for item in Item.objects.filter(study=study).select_related("gold"):
        hidden |= {item.gold.sample_id, item.gold.file_name.casefold(), item.gold.image_blob or "zq-none"}
    message = {word for word in hidden for text in said if word in text.casefold()}
    assert message == set()


def test_figures_when_somebody_rates_the_release_then_they_wait_for_the_end_and_for_nobody_else() -> None:
    """Those of another release with an item of the study too. The raters of a draft wait as well, until it is gone."""
    study, enrolments = make_open_study(1)
    release, rater = study.release, enrolments[0].user
    later = make_gold_release(
        release.team,
        [make_gold(f"{item.sample_id}, read again.", id=item.sample_id) for item in release.items.all()],
    )
    other = make_maths_release(team=release.team)
    answer_all(other)

    def answers(person: User, release: Release) -> list[tuple[int, str]]:
        client = client_of(person)
        names = ("leaderboard", "api:leaderboard")
        pages = [client.get(reverse(name, args=[release.pk])) for name in names]
        pages.append(client.get(reverse("leaderboard_file", args=[release.pk, "csv"])))
        return [(page.status_code, page.text) for page in pages]

    for closed in (release, later):
        for status, text in answers(rater, closed):
            assert (
                status == 403 and "opens for you when the study closes" in text and "edit" not in text.lower()
            )
    assert [status for status, _ in answers(rater, other)] == [200] * 3
    [spectator] = make_raters(release, 1)
    assert [status for status, _ in answers(spectator, release)] == [200] * 3
    assert client_of(rater).get(address(enrolments[0])).status_code == 200

    draft = make_study(other, [spectator])
    assert [status for status, _ in answers(spectator, other)] == [403] * 3
    remove_study(draft)
    close_study(study)
    assert not Reservation.objects.exists()
    for person, opened in ((rater, release), (rater, later), (spectator, other)):
        assert [status for status, _ in answers(person, opened)] == [200] * 3


@pytest.mark.parametrize(
    "body",
    [
        '{"position": Infinity, "what": "left"}',
        '{"position": NaN, "what": "left"}',
        '{"position": 1e999, "what": "left"}',
        '{"position": [1], "what": "left"}',
        "[1]",
        "null",
        "\ud83d".encode("utf-16-le", "surrogatepass").decode("latin-1"),
    ],
)
def test_event_when_it_is_nonsense_then_it_is_refused_and_nothing_breaks(body: str) -> None:
    _study, enrolments = make_open_study(n_raters=1)
    answer = client_of(enrolments[0].user).post(
        address(enrolments[0], "event"), body, content_type="application/json"
    )
    assert answer.status_code == 422


@pytest.mark.parametrize("position", ["0", "-1", "99999999999999999999999999", "1e3", "x", ""])
def test_answers_when_the_position_is_invented_then_nothing_is_stored(position: str) -> None:
    _study, enrolments = make_open_study(n_raters=1)
    client = client_of(enrolments[0].user)
    for step in ("grade", "vote"):
        body = {"position": position, "grade": 5, "choice": "A"}
        assert client.post(address(enrolments[0], step), body).status_code in (302, 400)
    assert current_trial(enrolments[0]).position == 1 and not PreferenceVote.objects.exists()  # type: ignore[union-attr]


def test_draft_when_both_scores_are_equal_everywhere_then_it_says_that_nothing_can_be_drawn() -> None:
    release = make_maths_release(6)
    answer_all(release)
    same = ScoreMapping(MappingKind.LINEAR, 0, 1e9)  # far above every value: all are shown as 0.0
    study = make_study(
        release,
        make_raters(release),
        first=ComparedScore("One", SourceChoice(column="pink"), same),
        second=ComparedScore("Other", SourceChoice(column="raw"), same),
    )
    assert study.draw["left_out"]["equal_scores"] == 6 and study.draw["available"] == 0
    manager = client_of(release.created_by)
    page = manager.get(reverse("study", args=[study.pk])).content.decode()
    assert "Items wanted: 6, available: 0" in page and "Open the study" not in page
    manager.post(reverse("study_action", args=[study.pk, "open"]))
    study.refresh_from_db()
    assert study.state == "draft"


def test_study_when_a_rater_leaves_the_project_then_their_answers_stay_and_the_study_goes_on() -> None:
    study, enrolments = make_open_study()
    gone = enrolments[0]
    rate_item.save_grade(enrolment=gone, position=1, value=4, marks={})
    rate_item.save_vote(enrolment=gone, position=1, choice="A", comment="")
    gone.user.memberships.all().delete()
    client = client_of(gone.user)
    assert client.post(address(gone, "vote"), {"position": 2, "choice": "A"}).status_code == 404
    manager = client_of(study.release.created_by)
    page = manager.get(reverse("study", args=[study.pk])).content.decode()
    assert gone.user.display_name in page and PreferenceVote.objects.count() == 1
    close_study(study)
    assert manager.get(reverse("study", args=[study.pk])).status_code == 200


def test_pause_when_the_study_is_closed_then_nothing_is_written() -> None:
    study, enrolments = make_open_study(n_raters=1)
    close_study(study)
    client_of(enrolments[0].user).post(address(enrolments[0], "pause"))
    enrolments[0].refresh_from_db()
    assert not enrolments[0].is_paused and not enrolments[0].trials.filter(events__kind="paused").exists()
