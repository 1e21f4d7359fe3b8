"""Baselines for tests, made the way the services make them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from baseline.models import Baseline, Participation, Task
from baseline.selectors.sessions import current_page
from baseline.services.assign_samples import open_baseline
from baseline.services.configure_baseline import create_baseline, enrol_participant, set_invitation_link
from config.accounts.models import Role, Team, User
from config.accounts.selectors import people_in
from evaluation.models import Release
from evaluation.records import GoldRecord
from tests.factories import make_gold, make_gold_release, make_project, make_user

TEXTS = ("the first page", "a second page", "page number three", "and the fourth")


def make_release(texts: Iterable[str] = TEXTS, **fields: Any) -> Release:
    return release_of([make_gold(text, **fields) for text in texts])


def release_of(records: Iterable[GoldRecord], *, team: Team | None = None, **fields: Any) -> Release:
    return make_gold_release(team or make_project().team, records, **fields)


def manager_of(baseline: Baseline) -> User:
    return people_in(baseline.team, Role.MANAGER)[0]


def make_baseline(
    release: Release | None = None,
    *,
    people: int = 1,
    is_open: bool = True,
    has_link: bool = False,
    **settings: Any,
) -> Baseline:
    """An open baseline with so many people in it."""
    release = release or make_release()
    made = create_baseline(
        release=release,
        by=release.created_by,
        consent="You may stop at any time.",
        **({"name": "Reading", "seed": 7} | settings),
    )
    for _ in range(people):
        enrol_participant(baseline=made, person=make_user())
    if has_link:
        set_invitation_link(baseline=made, is_open=True)
    if is_open:
        open_baseline(baseline=made)
    return made


class Taker:
    """Somebody at a browser, as far as the server can tell; one device, one tab."""

    def __init__(self, row: Participation, client: Client | None = None, *, tab_token: str = "tab1") -> None:
        self.row, self.tab_token = row, tab_token
        self.client = client or Client()
        if client is None:
            self.client.force_login(row.person)

    @property
    def url(self) -> str:
        return reverse("baseline_session", args=[self.row.uuid])

    def fresh(self) -> Participation:
        self.row = Participation.objects.select_related("baseline", "person").get(pk=self.row.pk)
        return self.row

    def page(self) -> str:
        return str(current_page(self.fresh()))

    def look(self) -> Any:
        return self.client.get(self.url)

    def do(self, verb: str, **fields: str) -> Any:
        data = {"version": str(self.fresh().version), **fields}
        return self.client.post(reverse("baseline_act", args=[self.row.uuid, verb]), data)

    def key(self) -> str:
        return f"{self.row.uuid.hex}-{self.fresh().position}"

    def start(self) -> None:
        """Through consent and brief to the first page."""
        self.do("agree", consent="1")
        self.do("begin")

    def save(self, text: str, *, key: str = "", tab_token: str = "", alone: bool = False) -> Any:
        body = {"text": text, "base_version": 0, "image_hash": key or self.key(), "alone": alone}
        url = reverse("baseline_save", args=[self.row.uuid, tab_token or self.tab_token])
        return self.client.put(url, body, content_type="application/json")

    def sign(
        self, events: list[Mapping[str, Any]] | None = None, *, tab_token: str = "", alone: bool = False
    ) -> Any:
        body = {"events": events or [], "alone": alone, "key": self.key()}
        url = reverse("baseline_signs", args=[self.row.uuid, tab_token or self.tab_token])
        return self.client.post(url, body, content_type="application/json")

    def submit(self, text: str, *, once: str = "", key: str = "", tab_token: str = "", **fields: str) -> Any:
        key = key or self.key()
        form = {
            "text": text,
            "image_hash": key,
            "tab_token": tab_token or self.tab_token,
            "idempotency_key": once or f"once-{key}",
        }
        return self.do("submit", **form, **fields)

    def read(self, text: str, **fields: str) -> Any:
        """Show the next page and submit this text."""
        self.do("show")
        return self.submit(text, **fields)

    def task(self, position: int | None = None) -> Task:
        number = self.fresh().position if position is None else position
        return Task.objects.select_related("item", "participation").get(
            participation=self.row, position=number
        )


def takers(baseline: Baseline) -> list[Taker]:
    return [Taker(row) for row in baseline.participations.select_related("person")]


def the_taker(baseline: Baseline) -> Taker:
    return takers(baseline)[0]


def pass_time(taker: Taker, **span: float) -> None:
    """Move all that is stored of the running page into the past, as if so much time went by in silence."""
    back = timedelta(**span)
    task = taker.task()
    assert task.shown_at is not None
    Task.objects.filter(pk=task.pk).update(
        shown_at=task.shown_at - back, deadline=task.deadline - back if task.deadline else None
    )
    row = taker.fresh()
    Participation.objects.filter(pk=row.pk).update(seen_at=(row.seen_at or timezone.now()) - back)
    for event in task.events.all():
        type(event).objects.filter(pk=event.pk).update(at=event.at - back)
