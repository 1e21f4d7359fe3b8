"""One pass, from consent to debrief, by HTTP: the server owns order and clock."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from baseline.models import Answer, AnswerKind, Event, TaskState
from baseline.protocol import Kind
from baseline.services.set_up import close_baseline, word_consent
from config.accounts.models import Role
from config.accounts.services import give_roles
from config.exposure.models import Exposure, Reservation
from config.exposure.services import Saw, record_exposure
from tests.baseline.made import TEXTS, Taker, make_baseline, make_release, pass_time, takers, the_taker
from tests.factories import make_answers

pytestmark = pytest.mark.django_db
VERBS = ("agree", "answer", "begin", "practise", "seen", "rested", "show", "hand-in", "finish", "withdraw")


def test_pass_when_taken_to_its_end_then_each_page_came_once_in_order_and_all_is_stored() -> None:
    taker = the_taker(
        make_baseline(questions=[{"label": "Hand?", "choices": [], "is_optional": False}], break_every=2)
    )
    pages = [taker.page()]
    for verb, fields in [("agree", {"consent": "1"}), ("answer", {"q0": "left"}), ("begin", {})]:
        taker.do(verb, **fields)
        pages.append(taker.page())
    for at in range(4):
        if taker.page() == "break":
            pages.append("break")
            taker.do("rested")
        taker.do("show")
        pages.append(taker.page())
        taker.hand_in(f"read {at}")
    pages.append(taker.page())
    taker.do("finish", words="It rained.")
    assert [*pages, taker.page()] == [
        *["consent", "about", "brief", "ready", "item", "item", "break", "item", "item", "debrief", "over"]
    ]
    row = taker.fresh()
    assert row.about == {"Hand?": "left"} and row.debrief == "It rained." and row.finished_at is not None
    assert list(row.tasks.values_list("answer__text", flat=True)) == [f"read {n}" for n in range(4)]
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
    row_url = reverse("baseline_room", args=[the_taker(make_baseline()).row.uuid])
    assert bot.get(row_url).status_code == 302  # to the sign-in page
    assert not baseline.participations.exists() and not Event.objects.exists()


def test_show_when_posted_then_clock_exposure_and_event_begin_together() -> None:
    taker = the_taker(make_baseline(time_limit_seconds=60))
    taker.start()
    assert taker.client.get(reverse("baseline_picture", args=[taker.row.uuid])).status_code == 404
    assert "when you show the page: 1:00 minutes." in taker.look().content.decode()
    taker.do("show")
    task = taker.task()
    assert task.state == TaskState.OPEN and task.deadline and task.shown_at
    assert (task.deadline - task.shown_at).total_seconds() == 60
    assert Event.objects.get(kind=Kind.SHOWN).at == task.shown_at
    assert Exposure.objects.get(user=taker.row.person).image_hash == task.item.pixel_hash
    picture = taker.client.get(reverse("baseline_picture", args=[taker.row.uuid]))
    assert picture["Content-Type"] == "image/png" and picture["Cache-Control"] == "private, no-store"


def test_show_when_pressed_twice_then_the_clock_starts_once() -> None:
    taker = the_taker(make_baseline())
    taker.start()
    version = str(taker.fresh().version)
    url = reverse("baseline_act", args=[taker.row.uuid, "show"])
    for _ in range(2):
        taker.client.post(url, {"version": version})
    assert Event.objects.filter(kind=Kind.SHOWN).count() == 1 and taker.fresh().position == 0


def test_hand_in_when_sent_twice_then_one_answer_and_one_step() -> None:
    taker = the_taker(make_baseline())
    taker.start()
    taker.do("show")
    key = taker.key()
    for _ in range(2):
        assert taker.hand_in("once", once="the same", key=key).status_code == 302
    assert Answer.objects.count() == 1 and taker.fresh().position == 1


def test_hand_in_when_over_then_neither_the_text_can_be_changed_nor_the_page_seen_again() -> None:
    taker = the_taker(make_baseline())
    taker.start()
    taker.do("show")
    key = taker.key()
    taker.hand_in("first words")
    refused = taker.save("second thoughts", key=key)
    assert refused.status_code == 409 and refused.json()["kind"] == "closed"
    taker.hand_in("second thoughts", once="another", key=key)
    assert Answer.objects.get().text == "first words"
    back = taker.look()
    assert "first words" not in back.text and "Page 2 of 4" in back.text
    assert back["Cache-Control"] == "private, no-store"
    assert taker.client.get(reverse("baseline_picture", args=[taker.row.uuid])).status_code == 404


def test_hand_in_when_blank_then_it_is_refused_and_cannot_read_is_an_answer() -> None:
    taker = the_taker(make_baseline())
    taker.start()
    taker.do("show")
    refused = taker.hand_in("  \n")
    assert refused.status_code == 422 and "I cannot read this" in refused.text
    assert taker.hand_in("", cannot_read="yes").status_code == 302
    assert Answer.objects.get().kind == AnswerKind.CANNOT_READ


def test_hand_in_when_the_text_is_unfit_then_it_is_refused_and_kept_on_the_page() -> None:
    taker = the_taker(make_baseline())
    taker.start()
    taker.do("show")
    refused = taker.hand_in("kept words \x07")
    assert refused.status_code == 422 and "kept words" in refused.text and "U+0007" in refused.text
    assert not Answer.objects.exists()


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
    word_consent(baseline=taker.row.baseline, by=taker.row.baseline.created_by, text="New words.")
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
        refused.status_code == 422 and "Finnish" in refused.text and "This answer is missing." in refused.text
    )
    assert taker.page() == "about"


def test_practice_when_handed_in_then_the_gold_is_shown_and_written_down_and_nothing_is_scored() -> None:
    baseline = make_baseline(practice=[2])
    taker = the_taker(baseline)
    taker.do("agree", consent="1")
    taker.do("begin")
    assert "a second page" not in taker.look().text
    taker.do("practise", text="a secnod page")
    shown = taker.look().text
    assert "a second page" in shown and "a secnod page" in shown
    assert Exposure.objects.get().saw == Saw.GOLD
    assert not Answer.objects.exists() and not Event.objects.exists()
    taker.do("seen")
    assert taker.page() == "ready" and len(baseline.sample_ids) == 3


def test_room_when_it_is_somebody_elses_then_it_is_not_there() -> None:
    mine, other = takers(make_baseline(people=2))
    stranger = Taker(other.row, mine.client)
    assert stranger.look().status_code == 404
    assert stranger.do("agree", consent="1").status_code == 404
    assert stranger.sign().status_code == 404


def test_show_when_the_picture_was_seen_elsewhere_meanwhile_then_it_is_void_and_the_next_comes() -> None:
    taker = the_taker(make_baseline())
    taker.start()
    Exposure.objects.create(
        user=taker.row.person,
        image_hash=taker.task().item.pixel_hash,
        role="annotator",
        saw=Saw.IMAGE,
        place="work",
    )
    taker.do("show")
    assert taker.task(0).state == TaskState.VOID and taker.task(0).void_reason == "seen"
    assert taker.fresh().position == 1 and taker.page() == "ready"


# -- time ----------------------------------------------------------------------------------------------------------


def test_expiry_when_it_comes_while_typing_then_the_last_keystrokes_in_the_grace_count() -> None:
    taker = the_taker(make_baseline(time_limit_seconds=60))
    taker.start()
    taker.do("show")
    taker.save("what was typ")
    pass_time(taker, seconds=61)
    taker.hand_in("what was typed")
    answer = Answer.objects.get()
    assert (answer.text, answer.kind, answer.is_timed_out) == ("what was typed", AnswerKind.TEXT, True)
    assert 900 <= (answer.late_ms or 0) < 3000
    assert taker.page() == "ready"


def test_expiry_when_the_last_words_come_after_the_grace_then_what_was_saved_stands() -> None:
    taker = the_taker(make_baseline(time_limit_seconds=60))
    taker.start()
    taker.do("show")
    taker.save("as received")
    pass_time(taker, seconds=70)
    taker.hand_in("too late")
    answer = Answer.objects.get()
    assert (answer.text, answer.is_timed_out) == ("as received", True)
    late = Event.objects.get(kind=Kind.LATE)
    assert late.detail == {"size": len("too late")}


def test_expiry_when_nothing_was_received_then_the_answer_is_missing_and_not_empty() -> None:
    taker = the_taker(make_baseline(time_limit_seconds=60))
    taker.start()
    taker.do("show")
    pass_time(taker, seconds=90)
    taker.look()
    answer = Answer.objects.get()
    assert (answer.kind, answer.text, answer.is_timed_out) == (AnswerKind.NOTHING, "", True)
    task = taker.task(0)
    assert task.closed_at == task.deadline and Event.objects.get(kind=Kind.TIMED_OUT).at == task.deadline


def test_clock_when_reloaded_then_it_is_the_same_clock_with_the_same_text() -> None:
    taker = the_taker(make_baseline(time_limit_seconds=600))
    taker.start()
    taker.do("show")
    deadline = taker.task().deadline
    taker.save("half a line")
    pass_time(taker, seconds=30)
    moved = taker.task().deadline
    for _ in range(3):
        shown = taker.look().text
    assert taker.task().deadline == moved and moved and deadline and (deadline - moved).total_seconds() == 30
    assert "half a line" in shown and 'remaining="5' in shown
    assert Event.objects.filter(kind=Kind.SHOWN).count() == 1


def test_silence_when_it_is_longer_than_the_rule_then_the_page_is_void_and_the_text_kept() -> None:
    taker = the_taker(make_baseline(gap_minutes=5))
    taker.start()
    taker.do("show")
    taker.save("before the sleep")
    pass_time(taker, minutes=4)
    assert taker.sign().json()["over"] is False
    pass_time(taker, minutes=6)
    assert taker.sign().json()["over"] is True
    task = taker.task(0)
    assert (task.state, task.void_reason, task.text) == (TaskState.VOID, "gap", "before the sleep")
    assert not Answer.objects.exists() and taker.page() == "ready"


def test_silence_when_the_laptop_slept_past_the_deadline_then_the_text_as_received_counts() -> None:
    taker = the_taker(make_baseline(gap_minutes=5, time_limit_seconds=120))
    taker.start()
    taker.do("show")
    taker.save("before the sleep")
    pass_time(taker, hours=8)
    taker.look()
    assert Answer.objects.get().text == "before the sleep"
    times = [event.at for event in taker.task(0).events.filter(kind__in=["shown", "timed_out"])]
    assert (times[1] - times[0]).total_seconds() == 120


def test_withdrawn_when_asked_for_then_nothing_written_is_left() -> None:
    taker = the_taker(make_baseline())
    taker.start()
    taker.read("secret words")
    taker.do("withdraw")
    assert taker.page() == "ready"  # not without the tick
    taker.do("withdraw", sure="yes")
    assert taker.page() == "withdrawn"
    assert not Answer.objects.exists() and not Event.objects.exists()
    assert set(taker.row.tasks.values_list("text", flat=True)) == {""}


def test_room_when_the_baseline_was_closed_meanwhile_then_nothing_of_the_page_is_shown_any_more() -> None:
    taker = the_taker(make_baseline())
    taker.start()
    taker.do("show")
    taker.save("half a line")
    close_baseline(baseline=taker.row.baseline)
    shown = taker.look()
    assert shown.status_code == 409 and "This is closed" in shown.text and "half a line" not in shown.text
    assert taker.client.get(reverse("baseline_picture", args=[taker.row.uuid])).status_code == 404
    assert taker.hand_in("too late").status_code == 409 and not Answer.objects.exists()
    taker.do("withdraw", sure="yes")
    assert taker.page() == "withdrawn" and taker.look().status_code == 200


def test_room_when_the_baseline_has_not_begun_then_it_says_so() -> None:
    taker = the_taker(make_baseline(is_open=False))
    assert "has not begun" in taker.look().text
    taker.do("agree", consent="1")
    assert taker.page() == "consent"


@pytest.mark.parametrize("name", ["leaderboard", "release", "prediction_set"])
def test_pages_with_figures_or_gold_when_a_reader_is_still_to_read_then_they_are_closed_until_the_end(
    name: str,
) -> None:
    release = make_release()
    answers = make_answers(release, {TEXTS[0]: "x"})
    taker = the_taker(make_baseline(release))
    give_roles(team=release.team, user=taker.row.person, roles=[Role.MANAGER])
    url = reverse(name, args=[answers.pk if name == "prediction_set" else release.pk])
    refused = taker.client.get(url)
    assert refused.status_code == 403 and "still to read" in refused.text
    taker.start()
    for _ in TEXTS:
        taker.read("x")
    taker.do("finish")
    assert taker.client.get(url).status_code == 200


# -- one device, one tab -------------------------------------------------------------------------------------------


def test_tab_when_a_second_one_is_opened_then_it_is_refused_in_words_and_written_down() -> None:
    taker = the_taker(make_baseline())
    taker.start()
    taker.do("show")
    assert taker.sign(seat="tab1").status_code == 200
    refused = taker.sign(seat="tab2")
    assert refused.status_code == 409 and "another tab" in refused.json()["message"]
    assert taker.save("from the second", seat="tab2").status_code == 409
    assert taker.hand_in("from the second", seat="tab2").status_code == 409
    assert not Answer.objects.exists() and taker.task().text == ""
    assert Event.objects.filter(kind=Kind.REFUSED).count() == 3


def test_tab_when_the_browser_came_back_after_a_crash_then_it_goes_on_with_the_text() -> None:
    taker = the_taker(make_baseline())
    taker.start()
    taker.do("show")
    taker.save("half", seat="tab1")
    assert "half" in taker.look().text
    assert taker.sign(seat="tab2", alone=True).status_code == 200
    assert Event.objects.filter(kind=Kind.RESUMED).count() == 1
    assert taker.save("the dead tab speaks", seat="tab1").status_code == 409


def test_device_when_a_second_one_comes_then_it_is_refused_until_the_first_is_silent() -> None:
    taker = the_taker(make_baseline())
    taker.start()
    taker.do("show")
    taker.sign(seat="tab1")
    other = Taker(taker.row, seat="phone")
    assert other.look().status_code == 409 and "another device" in other.look().text
    assert other.client.get(reverse("baseline_picture", args=[taker.row.uuid])).status_code == 404
    assert other.sign(alone=True).status_code == 409
    pass_time(taker, seconds=100)
    assert other.look().status_code == 200
    assert other.sign().status_code == 200
    assert taker.sign(seat="tab1").status_code == 409
    resumed = Event.objects.get(kind=Kind.RESUMED)
    assert resumed.detail["away_since"]


def test_events_when_reported_then_each_is_stored_once_with_the_servers_time() -> None:
    taker = the_taker(make_baseline())
    taker.start()
    taker.do("show")
    pass_time(taker, seconds=20)
    events = [
        {"kind": "blur", "key": "a1", "ago_ms": 5000},
        {"kind": "focus", "key": "a2", "ago_ms": 1000},
        {"kind": "paste", "key": "a3", "ago_ms": 0, "size": 12},
        {"kind": "handed_in", "key": "a4", "ago_ms": 0},
        {"kind": "blur", "key": "a5", "ago_ms": 10**12},
        "nonsense",
    ]
    for _ in range(2):
        assert taker.sign(events).status_code == 200
    told = {
        event.key: event for event in Event.objects.filter(kind__in=["blur", "focus", "paste", "handed_in"])
    }
    assert set(told) == {"a1", "a2", "a3", "a5"} and told["a3"].detail == {"size": 12}
    assert (told["a2"].at - told["a1"].at).total_seconds() == 4
    assert told["a5"].at == taker.task().shown_at


# -- somebody who means harm ----------------------------------------------------------------------------------------


def test_seat_when_a_hand_in_names_none_then_it_is_refused_and_the_place_is_not_free() -> None:
    taker = the_taker(make_baseline())
    taker.start()
    taker.do("show")
    taker.sign(seat="tab1")
    for seat in ("", "a\0b", "ｔａｂ"):
        refused = taker.do(
            "hand-in", text="x", seat=seat, image_hash=taker.key(), idempotency_key="k", alone="yes"
        )
        assert refused.status_code == 409
    assert taker.fresh().seat == "tab1" and not Answer.objects.exists()
    assert Taker(taker.row, seat="phone").look().status_code == 409


def test_hand_in_when_it_has_no_key_of_its_own_then_it_is_taken_after_a_page_that_timed_out() -> None:
    taker = the_taker(make_baseline(time_limit_seconds=60))
    taker.start()
    taker.do("show")
    pass_time(taker, seconds=90)
    taker.look()
    taker.do("show")
    taker.do("hand-in", text="second page", seat="tab1", image_hash=taker.key(), idempotency_key="")
    assert list(Answer.objects.order_by("pk").values_list("kind", flat=True)) == ["nothing", "text"]


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


@pytest.mark.parametrize("saw", [Saw.IMAGE, Saw.LABEL, Saw.GOLD])
def test_page_when_it_is_opened_elsewhere_while_the_clock_runs_then_it_is_void(saw: Saw) -> None:
    taker = the_taker(make_baseline())
    taker.start()
    taker.do("show")
    record_exposure(
        user=taker.row.person,
        image_hash=taker.task().item.pixel_hash,
        role=Role.MANAGER,
        saw=saw,
        place="sample",
    )
    assert taker.hand_in("copied from there").status_code == 302
    assert (taker.task(0).state, taker.task(0).void_reason) == (TaskState.VOID, "seen")
    assert not Answer.objects.exists() and taker.page() == "ready"


def test_hand_in_when_a_request_is_replayed_for_a_later_page_then_nothing_is_taken() -> None:
    taker = the_taker(make_baseline())
    taker.start()
    taker.do("show")
    old = taker.key()
    taker.hand_in("first", once="a")
    taker.do("show")
    taker.hand_in("first", once="a", key=old)
    taker.hand_in("forged", once="b", key=old)
    taker.hand_in("forged", once="c", key=f"{taker.row.uuid.hex}-3")
    assert Answer.objects.count() == 1 and taker.task(1).state == TaskState.OPEN
