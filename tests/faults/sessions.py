"""Participants of a baseline on a served site: each goes through a session by HTTP from consent on, as a page would."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

import httpx2

from tests.faults.retrying import until_answered
from tests.sites.serving import Serving, client_of, value_of
from tests.sites.site import Site

LIMIT_SECONDS = 900
SET_UP = """
from baseline.services.assign_samples import open_baseline
from baseline.services.configure_baseline import create_baseline, enrol_participant
from config.accounts.models import Team, User
from tests.factories import make_gold, make_gold_release
manager = User.objects.get(username="manager")
team = Team.objects.get(slug="letters")
release = make_gold_release(team, [make_gold(f"page {{n}}") for n in range({items})])
baseline = create_baseline(
    release=release, by=manager, name="Reading", seed=7, time_limit_seconds={limit}, consent="You may stop.", {more}
)
for n in range({people}):
    enrol_participant(baseline=baseline, person=User.objects.create_user(f"{prefix}{{n}}"))
open_baseline(baseline=baseline)
for row in baseline.participations.select_related("person"):
    print(row.person.username, row.uuid)
"""


def set_up_baseline(
    site: Site, *, people: int, items: int, prefix: str = "p", more: str = ""
) -> dict[str, str]:
    """Open a baseline of a release of its own. Returns the UUID of the session of each person, `p0` and on."""
    source = SET_UP.format(people=people, items=items, limit=LIMIT_SECONDS, prefix=prefix, more=more)
    printed = site.script(source)
    return dict(line.split() for line in printed.splitlines())


@dataclass(slots=True)
class Participant:
    """One person at one browser, signed in by `cookie`, in the session `uuid`.

    `hold` is called when the server does not answer, and returns when it may again.
    """

    serving: Serving
    name: str
    uuid: str
    cookie: str
    hold: Callable[[], None] | None = None
    client: httpx2.Client = field(init=False)
    seen: list[str] = field(default_factory=list)  # keys of the tasks, in the order they were shown
    clock: dict[str, tuple[float, float]] = field(
        default_factory=dict
    )  # of each task: latest end, earliest end

    def __post_init__(self) -> None:
        self.client = client_of(self.serving, self.cookie)

    @property
    def url(self) -> str:
        return f"/baselines/{self.uuid}/"

    def finish(self) -> None:
        """Go on to the end of the session."""
        with self.client:
            while not self.step():
                pass

    def step(self) -> bool:
        """Do what the current page asks for; True at the end."""
        page = self.read()
        if "Everything is submitted" in page:
            return True
        verb = re.search(rf'action="{self.url}(?!withdraw)([a-z-]+)/"', page)
        assert verb, page
        if verb.group(1) == "submit":
            self.respond(page)
        else:
            self.press(verb.group(1), page, consent="1", words=f"{self.name} is through")
        return False

    def read(self) -> str:
        answer = self.ask(lambda: self.client.get(self.url))
        assert answer.status_code == 200, answer.text
        return answer.text

    def press(self, verb: str, page: str, **fields: str) -> httpx2.Response:
        form = {"version": value_of(page, "version"), **fields}
        answer = self.ask(lambda: self.client.post(f"{self.url}{verb}/", data=form))
        assert answer.status_code == 302, answer.text
        return answer

    def respond(self, page: str) -> None:
        """Type, send a heartbeat, type on, submit."""
        key, tab_token = value_of(page, "image_hash"), f"{self.name}tab"
        if key not in self.seen:
            self.seen.append(key)
        self.send_heartbeat(tab_token, key)
        for text in (f"{self.name} begins {key[-1]}", response_of(self.name, key)):
            body = {"text": text, "base_version": 0, "image_hash": key}
            saved = self.ask(lambda body=body: self.client.put(f"{self.url}save/{tab_token}/", json=body))
            assert saved.status_code == 200, saved.text
            self.send_heartbeat(tab_token, key)
        self.press(
            "submit",
            page,
            text=response_of(self.name, key),
            image_hash=key,
            tab_token=tab_token,
            idempotency_key=f"once-{key}",
        )

    def send_heartbeat(self, tab_token: str, key: str) -> None:
        """Report that the page is open. The time left by the server's answer must never move the end of the clock."""
        events = [{"kind": "first_key", "key": f"first{key[:8]}{key.rpartition('-')[2]}", "ago_ms": 0}]
        before = 0.0

        def report() -> httpx2.Response:
            nonlocal before
            before = time.monotonic()
            return self.client.post(f"{self.url}signs/{tab_token}/", json={"events": events, "key": key})

        answer = self.ask(report)
        after = time.monotonic()
        assert answer.status_code == 200, answer.text
        left = answer.json()["remaining"]
        # The server's end lies between these two, each as the client's clock has it.
        earliest, latest = before + left, after + left
        old_earliest, old_latest = self.clock.get(key, (earliest, latest))
        assert earliest <= old_latest + 0.01 and latest >= old_earliest - 0.01, "the clock was moved"
        self.clock[key] = (max(earliest, old_earliest), min(latest, old_latest))

    def ask(self, question: Callable[[], httpx2.Response]) -> httpx2.Response:
        """The answer to a request, which is repeated as often as the server is not there."""
        return until_answered(question, self.hold) if self.hold else question()


def response_of(name: str, key: str) -> str:
    """What a participant writes for a task."""
    return f"{name} goes on {key.rpartition('-')[2]}\nto the end"


RESPONSES = """
SELECT p.number, t.position, a.kind, a.text, a.is_timed_out, t.state, t.text, t.version
FROM baseline_task t JOIN baseline_participation p ON p.id = t.participation_id
LEFT JOIN baseline_response a ON a.task_id = t.id ORDER BY p.number, t.position, a.id
"""
EVENTS = """
SELECT p.number, t.position, e.kind, count(*) FROM baseline_event e JOIN baseline_participation p
ON p.id = e.participation_id LEFT JOIN baseline_task t ON t.id = e.task_id
GROUP BY p.number, t.position, e.kind ORDER BY p.number, t.position, e.kind
"""
PROGRESS = (
    "SELECT number, step, position, version, tab_token, debrief FROM baseline_participation ORDER BY number"
)


def state_of(site: Site) -> dict[str, object]:
    """All that the sessions leave, without what differs by chance."""
    return {
        "responses": site.query(RESPONSES),
        "events": site.query(EVENTS),
        "progress": site.query(PROGRESS),
        "exposures": site.query(
            "SELECT user_id, image_hash, saw, count(*) FROM exposure_exposure GROUP BY user_id, image_hash, saw "
            "ORDER BY user_id, image_hash, saw"
        ),
        "reserved": site.query("SELECT count(*) FROM exposure_reservation"),
    }


def seconds_of_clocks(site: Site) -> list[tuple[float, float]]:
    """(deadline, end) of each task in seconds after it was shown, as stored."""
    rows = site.query("SELECT shown_at, deadline, closed_at FROM baseline_task ORDER BY id")
    read = [[_moment(value) for value in row] for row in rows]
    return [(end - start, closed - start) for start, end, closed in read]


def _moment(value: object) -> float:
    moment = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
    return moment.timestamp()
