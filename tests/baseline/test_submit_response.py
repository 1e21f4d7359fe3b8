"""The submission: once, for good, and never blank; what is refused is kept on the page."""

from __future__ import annotations

import pytest
from django.urls import reverse

from baseline.models import Response, ResponseKind, TaskState
from tests.baseline.made import make_baseline, pass_time, the_taker

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_submit_when_sent_twice_then_one_answer_and_one_step() -> None:
    taker = the_taker(make_baseline())
    taker.start()
    taker.do("show")
    key = taker.key()
    for _ in range(2):
        assert taker.submit("once", once="the same", key=key).status_code == 302
    assert Response.objects.count() == 1 and taker.fresh().position == 1


def test_submit_when_over_then_neither_the_text_can_be_changed_nor_the_page_seen_again() -> None:
    taker = the_taker(make_baseline())
    taker.start()
    taker.do("show")
    key = taker.key()
    taker.submit("first words")
    refused = taker.save("second thoughts", key=key)
    assert refused.status_code == 409 and refused.json()["kind"] == "closed"
    taker.submit("second thoughts", once="another", key=key)
    assert Response.objects.get().text == "first words"
    back = taker.look()
    assert "first words" not in back.text and "Page 2 of 4" in back.text
    assert back["Cache-Control"] == "private, no-store"
    assert taker.client.get(reverse("baseline_image", args=[taker.row.uuid])).status_code == 404


def test_submit_when_blank_then_it_is_refused_and_cannot_read_is_an_answer() -> None:
    taker = the_taker(make_baseline())
    taker.start()
    taker.do("show")
    refused = taker.submit("  \n")
    assert refused.status_code == 422 and "I cannot read this" in refused.text
    assert taker.submit("", cannot_read="yes").status_code == 302
    assert Response.objects.get().kind == ResponseKind.CANNOT_READ


def test_submit_when_the_text_is_unfit_then_it_is_refused_and_kept_on_the_page() -> None:
    taker = the_taker(make_baseline())
    taker.start()
    taker.do("show")
    refused = taker.submit("kept words \x07")
    assert refused.status_code == 422 and "kept words" in refused.text and "U+0007" in refused.text
    assert not Response.objects.exists()


def test_submit_when_it_has_no_key_of_its_own_then_it_is_taken_after_a_page_that_timed_out() -> None:
    taker = the_taker(make_baseline(time_limit_seconds=60))
    taker.start()
    taker.do("show")
    pass_time(taker, seconds=90)
    taker.look()
    taker.do("show")
    taker.do("submit", text="second page", tab_token="tab1", image_hash=taker.key(), idempotency_key="")
    assert list(Response.objects.order_by("pk").values_list("kind", flat=True)) == ["nothing", "text"]


def test_submit_when_a_request_is_replayed_for_a_later_page_then_nothing_is_taken() -> None:
    taker = the_taker(make_baseline())
    taker.start()
    taker.do("show")
    old = taker.key()
    taker.submit("first", once="a")
    taker.do("show")
    taker.submit("first", once="a", key=old)
    taker.submit("forged", once="b", key=old)
    taker.submit("forged", once="c", key=f"{taker.row.uuid.hex}-3")
    assert Response.objects.count() == 1 and taker.task(1).state == TaskState.OPEN
