"""One pass, from consent to debrief, by HTTP: the server owns the order."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from baseline.models import Event, Response
from baseline.services.configure_baseline import add_consent_text, close_baseline
from config.exposure.models import Exposure, Reservation, SeenContent
from tests.baseline.made import Taker, make_baseline, make_release, takers, the_taker

pytestmark = [pytest.mark.django_db, pytest.mark.database]
VERBS = ("agree", "answer", "begin", "practise", "seen", "rested", "show", "submit", "finish", "withdraw")


def test_pass_when_taken_to_its_end_then_each_page_came_once_in_order_and_all_is_stored() -> None:
    taker = the_taker(
        make_baseline(questions=[{"label": "Hand?", "choices": [], "is_optional": False}], break_every=2)
    )
    pages = [taker.page()]
    for verb, fields in [("agree", {"consent": "1"}), ("answer", {"q0": "left"}), ("begin", {})]:
        taker.do(verb, **fields)
        pages.append(taker.page())
    for position in range(4):
        if taker.page() == "break":
            pages.append("break")
            taker.do("rested")
        taker.do("show")
        pages.append(taker.page())
        taker.submit(f"read {position}")
    pages.append(taker.page())
    taker.do("finish", words="It rained.")
    assert [*pages, taker.page()] == [
        *["consent", "about", "brief", "ready", "item", "item", "break", "item", "item", "debrief", "over"]
    ]
    row = taker.fresh()
    assert row.about == {"Hand?": "left"} and row.debrief == "It rained." and row.finished_at is not None
    assert list(row.tasks.values_list("response__text", flat=True)) == [f"read {n}" for n in range(4)]
    assert not Reservation.objects.filter(user=row.person).exists()


def test_room_when_any_address_is_opened_then_it_leads_to_the_current_page_and_nothing_starts() -> None:
    taker = the_taker(make_baseline())
    taker.start()
    before = taker.fresh().version
    for verb in VERBS:
        answer = taker.client.get(reverse("baseline_act", args=[taker.row.uuid, verb]))
        assert answer.status_code == 302 and answer["Location"] == taker.url
    for method in ("get", "head"):
        assert getattr(taker.client, method)(taker.url).status_code == 200
    assert taker.fresh().version == before
    assert not Event.objects.exists() and not Exposure.objects.exists()


def test_link_when_bots_preview_it_then_nobody_joins_and_no_clock_starts() -> None:
    baseline = make_baseline(has_link=True, people=0)
    bot = Client(headers={"user-agent": "WhatsApp/2.0"})
    for method in ("get", "head", "get"):
        assert getattr(bot, method)(reverse("baseline_join", args=[baseline.code])).status_code == 200
    row_url = reverse("baseline_session", args=[the_taker(make_baseline()).row.uuid])
    assert bot.get(row_url).status_code == 302  # to the sign-in page
    assert not baseline.participations.exists() and not Event.objects.exists()


@pytest.mark.parametrize("verb", ["agree", "begin", "show", "finish"])
def test_transition_when_it_is_of_another_page_then_nothing_moves(verb: str) -> None:
    taker = the_taker(make_baseline())
    taker.start()
    taker.do("show")
    before = taker.fresh().version
    taker.do(verb, consent="1")
    assert (taker.fresh().version, taker.page()) == (before, "item")


def test_consent_when_the_text_has_changed_since_it_was_shown_then_the_new_one_is_asked_for() -> None:
    taker = the_taker(make_baseline())
    add_consent_text(baseline=taker.row.baseline, by=taker.row.baseline.created_by, text="New words.")
    taker.do("agree", consent="1")
    assert taker.page() == "consent" and "New words." in taker.look().text
    taker.do("agree", consent="2")
    assert taker.page() == "brief" and taker.fresh().consent.number == 2


def test_about_when_a_question_is_open_then_it_is_named_and_the_rest_kept() -> None:
    questions = [
        {"label": "Mother tongue?", "choices": [], "is_optional": False},
        {"label": "Hand?", "choices": ["left", "right"], "is_optional": False},
    ]
    taker = the_taker(make_baseline(questions=questions))
    taker.do("agree", consent="1")
    refused = taker.do("answer", q0="Finnish", q1="both")
    assert (
        refused.status_code == 422
        and "Finnish" in refused.text
        and "Please answer this question." in refused.text
    )
    assert taker.page() == "about"


def test_practice_when_submitted_then_the_gold_is_shown_and_written_down_and_nothing_is_scored() -> None:
    baseline = make_baseline(practice=[2])
    taker = the_taker(baseline)
    taker.do("agree", consent="1")
    taker.do("begin")
    assert "a second page" not in taker.look().text
    taker.do("practise", text="a secnod page")
    shown = taker.look().text
    assert "a second page" in shown and "a secnod page" in shown
    assert Exposure.objects.get().saw == SeenContent.GOLD
    assert not Response.objects.exists() and not Event.objects.exists()
    taker.do("seen")
    assert taker.page() == "ready" and len(baseline.sample_ids) == 3


def test_room_when_it_is_somebody_elses_then_it_is_not_there() -> None:
    mine, other = takers(make_baseline(people=2))
    stranger = Taker(other.row, mine.client)
    assert stranger.look().status_code == 404
    assert stranger.do("agree", consent="1").status_code == 404
    assert stranger.sign().status_code == 404


def test_withdrawn_when_asked_for_then_nothing_written_is_left() -> None:
    taker = the_taker(make_baseline())
    taker.start()
    taker.read("secret words")
    taker.do("withdraw")
    assert taker.page() == "ready"  # not without the tick
    taker.do("withdraw", sure="yes")
    assert taker.page() == "withdrawn"
    assert not Response.objects.exists() and not Event.objects.exists()
    assert set(taker.row.tasks.values_list("text", flat=True)) == {""}


def test_room_when_the_baseline_was_closed_meanwhile_then_nothing_of_the_page_is_shown_any_more() -> None:
    taker = the_taker(make_baseline())
    taker.start()
    taker.do("show")
    taker.save("half a line")
    close_baseline(baseline=taker.row.baseline)
    shown = taker.look()
    assert shown.status_code == 409 and "Study closed" in shown.text and "half a line" not in shown.text
    assert taker.client.get(reverse("baseline_image", args=[taker.row.uuid])).status_code == 404
    assert taker.submit("too late").status_code == 409 and not Response.objects.exists()
    taker.do("withdraw", sure="yes")
    assert taker.page() == "withdrawn" and taker.look().status_code == 200


def test_room_when_the_baseline_has_not_begun_then_it_says_so() -> None:
    taker = the_taker(make_baseline(is_open=False))
    assert "Not started yet" in taker.look().text
    taker.do("agree", consent="1")
    assert taker.page() == "consent"


def test_words_when_no_database_takes_them_then_they_are_refused_and_the_rest_is_kept() -> None:
    questions = [
        {"label": "Tongue?", "choices": [], "is_optional": False},
        {"label": "Hand?", "choices": [], "is_optional": False},
    ]
    taker = the_taker(make_baseline(make_release(["one"]), questions=questions))
    taker.do("agree", consent="1")
    refused = taker.do("answer", q0="Finnish", q1="left\0")
    assert refused.status_code == 422 and "Finnish" in refused.text and taker.page() == "about"
    taker.do("answer", q0="Finnish", q1="left")
    taker.do("begin")
    taker.read("x")
    refused = taker.do("finish", words="It rained\0.")
    assert refused.status_code == 422 and "It rained" in refused.text and taker.page() == "debrief"


def test_home_when_a_pass_is_over_then_it_leads_to_where_one_withdraws() -> None:
    taker = the_taker(make_baseline(make_release(["one"])))
    mine = reverse("baselines_mine")
    assert f'href="{mine}"' not in taker.client.get(reverse("home")).text
    taker.start()
    taker.read("one")
    taker.do("finish")
    assert f'href="{mine}"' in taker.client.get(reverse("home")).text
    assert taker.url in taker.client.get(mine).text and "withdraw/" in taker.look().text
