"""The example that a command makes: one baseline over, one waiting, of every kind of page."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from baseline import demo
from baseline.demo import PAGES, READERS
from baseline.models import Baseline, Event, Response, State, Task
from evaluation.models import PredictionSet
from tests.drawn_pages import drawn_page
from tests.factories import make_user

pytestmark = pytest.mark.django_db


def test_example_when_made_then_one_exam_is_over_and_one_waits_and_a_second_making_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(demo, "draw_page", drawn_page)
    manager, reader = make_user("mei"), make_user("ben")
    with pytest.raises(CommandError, match="nobody"):
        call_command("example_baseline", "--manager", "mei", "--people", "nobody")
    with pytest.raises(CommandError, match="cannot take part"):
        call_command("example_baseline", "--manager", "mei", "--people", "mei")
    call_command("example_baseline", "--manager", "mei", "--people", "ben")
    over, waiting = Baseline.objects.order_by("pk")
    assert (over.state, waiting.state, over.created_by) == (State.CLOSED, State.OPEN, manager)
    assert {item.structure for item in over.release.items.all()} == {"text", "table", "formula"}
    assert Response.objects.count() == READERS * len(PAGES)
    assert not Task.objects.filter(participation__baseline=over).exclude(state="done").exists()
    assert Event.objects.filter(kind="shown").count() == READERS * len(PAGES)
    assert waiting.participations.get().person == reader and waiting.is_link_open
    names = set(PredictionSet.objects.values_list("system__name", flat=True))
    assert {"reader", "hasty reader", "Human", "Human (consensus)", "Human P03"} <= names
    with pytest.raises(CommandError, match="exists already"):
        call_command("example_baseline", "--manager", "mei", "--people", "ben")
