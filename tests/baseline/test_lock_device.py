"""One device and one tab at a time, and what the page reports."""

from __future__ import annotations

import pytest
from django.urls import reverse

from baseline.models import Event, Response
from baseline.protocol import EventKind
from tests.baseline.made import Taker, make_baseline, pass_time, the_taker

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_tab_when_a_second_one_is_opened_then_it_is_refused_in_words_and_written_down() -> None:
    taker = the_taker(make_baseline())
    taker.start()
    taker.do("show")
    assert taker.sign(tab_token="tab1").status_code == 200
    refused = taker.sign(tab_token="tab2")
    assert refused.status_code == 409 and "another tab" in refused.json()["message"]
    assert taker.save("from the second", tab_token="tab2").status_code == 409
    assert taker.submit("from the second", tab_token="tab2").status_code == 409
    assert not Response.objects.exists() and taker.task().text == ""
    assert Event.objects.filter(kind=EventKind.REFUSED).count() == 3


def test_tab_when_the_browser_came_back_after_a_crash_then_it_goes_on_with_the_text() -> None:
    taker = the_taker(make_baseline())
    taker.start()
    taker.do("show")
    taker.save("half", tab_token="tab1")
    assert "half" in taker.look().text
    assert taker.sign(tab_token="tab2", alone=True).status_code == 200
    assert Event.objects.filter(kind=EventKind.RESUMED).count() == 1
    assert taker.save("the dead tab speaks", tab_token="tab1").status_code == 409


def test_device_when_a_second_one_comes_then_it_is_refused_until_the_first_is_silent() -> None:
    taker = the_taker(make_baseline())
    taker.start()
    taker.do("show")
    taker.sign(tab_token="tab1")
    other = Taker(taker.row, tab_token="phone")
    assert other.look().status_code == 409 and "another device" in other.look().text
    assert other.client.get(reverse("baseline_image", args=[taker.row.uuid])).status_code == 404
    assert other.sign(alone=True).status_code == 409
    pass_time(taker, seconds=100)
    assert other.look().status_code == 200
    assert other.sign().status_code == 200
    assert taker.sign(tab_token="tab1").status_code == 409
    resumed = Event.objects.get(kind=EventKind.RESUMED)
    assert resumed.detail["away_since"]


def test_tab_token_when_a_submit_names_none_then_it_is_refused_and_the_place_is_not_free() -> None:
    taker = the_taker(make_baseline())
    taker.start()
    taker.do("show")
    taker.sign(tab_token="tab1")
    for tab_token in ("", "a\0b", "ｔａｂ"):
        refused = taker.do(
            "submit",
            text="x",
            tab_token=tab_token,
            image_hash=taker.key(),
            idempotency_key="k",
            alone="yes",
        )
        assert refused.status_code == 409
    assert taker.fresh().tab_token == "tab1" and not Response.objects.exists()
    assert Taker(taker.row, tab_token="phone").look().status_code == 409


def test_events_when_reported_then_each_is_stored_once_with_the_servers_time() -> None:
    taker = the_taker(make_baseline())
    taker.start()
    taker.do("show")
    pass_time(taker, seconds=20)
    events = [
        {"kind": "blur", "key": "a1", "ago_ms": 5000},
        {"kind": "focus", "key": "a2", "ago_ms": 1000},
        {"kind": "paste", "key": "a3", "ago_ms": 0, "size": 12},
        {"kind": "submitted", "key": "a4", "ago_ms": 0},
        {"kind": "blur", "key": "a5", "ago_ms": 10**12},
        "nonsense",
    ]
    for _ in range(2):
        assert taker.sign(events).status_code == 200
    message = {
        event.key: event for event in Event.objects.filter(kind__in=["blur", "focus", "paste", "submitted"])
    }
    assert set(message) == {"a1", "a2", "a3", "a5"} and message["a3"].detail == {"size": 12}
    assert (message["a2"].at - message["a1"].at).total_seconds() == 4
    assert message["a5"].at == taker.task().shown_at
