"""The server's clock: it starts with a POST, and time alone ends a page."""

from __future__ import annotations

import pytest
from django.urls import reverse

from baseline.models import Event, Response, ResponseKind, TaskState
from baseline.protocol import EventKind
from config.exposure.models import Exposure
from tests.baseline.made import make_baseline, pass_time, the_taker

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_show_when_posted_then_clock_exposure_and_event_begin_together() -> None:
    taker = the_taker(make_baseline(time_limit_seconds=60))
    taker.start()
    assert taker.client.get(reverse("baseline_image", args=[taker.row.uuid])).status_code == 404
    assert "when you show the page: 1:00 minutes." in taker.look().content.decode()
    taker.do("show")
    task = taker.task()
    assert task.state == TaskState.OPEN and task.deadline and task.shown_at
    assert (task.deadline - task.shown_at).total_seconds() == 60
    assert Event.objects.get(kind=EventKind.SHOWN).at == task.shown_at
    assert Exposure.objects.get(user=taker.row.person).image_hash == task.item.pixel_hash
    image = taker.client.get(reverse("baseline_image", args=[taker.row.uuid]))
    assert image["Content-Type"] == "image/png" and image["Cache-Control"] == "private, no-store"


def test_show_when_pressed_twice_then_the_clock_starts_once() -> None:
    taker = the_taker(make_baseline())
    taker.start()
    version = str(taker.fresh().version)
    url = reverse("baseline_act", args=[taker.row.uuid, "show"])
    for _ in range(2):
        taker.client.post(url, {"version": version})
    assert Event.objects.filter(kind=EventKind.SHOWN).count() == 1 and taker.fresh().position == 0


def test_expiry_when_it_comes_while_typing_then_the_last_keystrokes_in_the_grace_count() -> None:
    taker = the_taker(make_baseline(time_limit_seconds=60))
    taker.start()
    taker.do("show")
    taker.save("what was typ")
    pass_time(taker, seconds=61)
    taker.submit("what was typed")
    answer = Response.objects.get()
    assert (answer.text, answer.kind, answer.is_timed_out) == ("what was typed", ResponseKind.TEXT, True)
    assert 900 <= (answer.late_ms or 0) < 3000
    assert taker.page() == "ready"


def test_expiry_when_the_last_words_come_after_the_grace_then_what_was_saved_stands() -> None:
    taker = the_taker(make_baseline(time_limit_seconds=60))
    taker.start()
    taker.do("show")
    taker.save("as received")
    pass_time(taker, seconds=70)
    taker.submit("too late")
    answer = Response.objects.get()
    assert (answer.text, answer.is_timed_out) == ("as received", True)
    late = Event.objects.get(kind=EventKind.LATE)
    assert late.detail == {"size": len("too late")}


def test_expiry_when_nothing_was_received_then_the_answer_is_missing_and_not_empty() -> None:
    taker = the_taker(make_baseline(time_limit_seconds=60))
    taker.start()
    taker.do("show")
    pass_time(taker, seconds=90)
    taker.look()
    answer = Response.objects.get()
    assert (answer.kind, answer.text, answer.is_timed_out) == (ResponseKind.NOTHING, "", True)
    task = taker.task(0)
    assert task.closed_at == task.deadline and Event.objects.get(kind=EventKind.TIMED_OUT).at == task.deadline


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
    assert Event.objects.filter(kind=EventKind.SHOWN).count() == 1


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
    assert not Response.objects.exists() and taker.page() == "ready"


def test_silence_when_the_laptop_slept_past_the_deadline_then_the_text_as_received_counts() -> None:
    taker = the_taker(make_baseline(gap_minutes=5, time_limit_seconds=120))
    taker.start()
    taker.do("show")
    taker.save("before the sleep")
    pass_time(taker, hours=8)
    taker.look()
    assert Response.objects.get().text == "before the sleep"
    times = [event.at for event in taker.task(0).events.filter(kind__in=["shown", "timed_out"])]
    assert (times[1] - times[0]).total_seconds() == 120
