"""Many people, and many requests of one person, at one moment, by HTTP on the served site (SQLite, or PostgreSQL)."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest

from baseline.sampling import order_for
from tests.at_once import at_once
from tests.browser.conftest import DIST
from tests.faults.sessions import LIMIT_SECONDS, Participant, seconds_of_clocks, set_up_baseline
from tests.sites.serving import Serving, sign_in_all, value_of
from tests.sites.site import drop_site, make_site

pytestmark = pytest.mark.database

PEOPLE = 30 if os.environ.get("TEST_DATABASE_URL") else 8
ITEMS, PER_PERSON = 6, 3
ATTEMPTS = 6


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    if not DIST.exists():
        pytest.skip("needs the built front end (npm run build)")
    site = make_site(tmp_path_factory.mktemp("sessions") / "site")
    with Serving(site) as running:
        yield running
    assert "Internal Server Error" not in running.log.read_text()
    drop_site(site)


@pytest.fixture
def participant(serving: Serving, request: pytest.FixtureRequest) -> Participant:
    """Somebody alone in a baseline of their own, with the clock of the first page running."""
    prefix = request.node.name.split("_")[1]
    ((name, uuid),) = set_up_baseline(serving.site, people=1, items=2, prefix=prefix).items()
    participant = Participant(serving, name, uuid, sign_in_all(serving.site)[name])
    for _ in ("consent", "brief", "ready"):
        participant.step()
    return participant


def test_sessions_when_everybody_takes_part_at_once_then_each_meets_each_sample_once_in_their_own_order(
    serving: Serving,
) -> None:
    site = serving.site
    more = f"samples_per_person={PER_PERSON}, people_per_sample={PEOPLE * PER_PERSON // ITEMS}, break_every=2"
    uuids = set_up_baseline(site, people=PEOPLE, items=ITEMS, more=more)
    cookies = sign_in_all(site)
    participants = [Participant(serving, name, uuid, cookies[name]) for name, uuid in uuids.items()]
    with ThreadPoolExecutor(len(participants)) as pool:
        for done in [pool.submit(participant.finish) for participant in participants]:
            done.result()
    for participant in participants:
        assert [key.rpartition("-")[2] for key in participant.seen] == [str(n) for n in range(PER_PERSON)]
    rows = site.query(
        "SELECT p.number, t.position, g.sample_id, a.kind, a.text, u.username FROM baseline_response a "
        "JOIN baseline_task t ON t.id = a.task_id JOIN baseline_participation p ON p.id = t.participation_id "
        "JOIN evaluation_golditem g ON g.id = t.item_id JOIN accounts_user u ON u.id = p.person_id "
        "ORDER BY p.number, t.position"
    )
    assert len(rows) == PEOPLE * PER_PERSON and {row[3] for row in rows} == {"text"}
    assert all(text == f"{name} goes on {position}\nto the end" for _, position, _, _, text, name in rows)
    assert set(Counter(sample for _, _, sample, *_ in rows).values()) == {PEOPLE * PER_PERSON // ITEMS}
    for number in range(1, PEOPLE + 1):
        order = [sample for n, _, sample, *_ in rows if n == number]
        assert order == order_for(order, seed=7, number=number) and len(set(order)) == PER_PERSON
    happened = Counter(kind for (kind,) in site.query("SELECT kind FROM baseline_event"))
    assert happened == dict.fromkeys(("shown", "first_key", "submitted"), PEOPLE * PER_PERSON)
    for limit, taken in seconds_of_clocks(site):
        assert limit == pytest.approx(LIMIT_SECONDS, abs=1e-3) and 0 < taken < limit
    standing = site.query(
        "SELECT step, position, finished_at IS NOT NULL, tab_token FROM baseline_participation"
    )
    assert {(step, bool(is_over), tab_token) for step, _, is_over, tab_token in standing} == {
        ("over", True, "")
    }
    assert site.query("SELECT count(*) FROM exposure_reservation") == [(0,)]


def test_submit_when_pressed_many_times_at_once_then_one_response_is_stored_and_nobody_breaks(
    serving: Serving, participant: Participant
) -> None:
    page = participant.read()
    key = value_of(page, "image_hash")
    participant.send_heartbeat("tab", key)

    def submit(number: int) -> Callable[[], httpx2.Response]:
        once = "the same" if number % 2 else f"another {number}"
        form = {"text": f"attempt {number}", "image_hash": key, "tab_token": "tab", "idempotency_key": once}
        return lambda: participant.client.post(
            f"{participant.url}submit/", data={"version": value_of(page, "version"), **form}
        )

    answers = at_once(*(submit(number) for number in range(ATTEMPTS)))
    assert {answer.status_code for answer in answers} == {302}
    assert (
        stored(
            participant, "SELECT count(*) FROM baseline_response a JOIN baseline_task t ON t.id = a.task_id"
        )
        == 1
    )
    assert stored(participant, "SELECT max(t.position) FROM baseline_task t", "t.state = 'done'") == 0
    assert stored(participant, "SELECT count(*) FROM baseline_event t", "t.kind = 'submitted'") == 1


def test_devices_when_two_come_at_once_then_one_has_the_lock_and_the_other_is_refused(
    serving: Serving, participant: Participant
) -> None:
    key = value_of(participant.read(), "image_hash")
    phone = Participant(serving, participant.name, participant.uuid, participant.cookie)
    phone.client.cookies.set("inkbench_device", "another device")

    def heartbeat(of: Participant, tab_token: str) -> Callable[[], httpx2.Response]:
        body = {"events": [], "key": key, "alone": True}
        return lambda: of.client.post(f"{participant.url}signs/{tab_token}/", json=body)

    answers = at_once(heartbeat(participant, "tab"), heartbeat(phone, "phone"))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    winner, loser = sorted(
        (participant, phone), key=lambda of: answers[0 if of is participant else 1].status_code
    )
    assert winner.client.get(f"{participant.url}image/").status_code == 200
    assert loser.client.get(f"{participant.url}image/").status_code == 404
    assert loser.client.get(participant.url).status_code == 409
    assert stored(participant, "SELECT count(*) FROM baseline_event t", "t.kind = 'refused'") == 1


def test_clocks_when_show_is_pressed_many_times_at_once_then_it_starts_once(
    serving: Serving, participant: Participant
) -> None:
    participant.respond(participant.read())
    page = participant.read()
    form = {"version": value_of(page, "version")}
    answers = at_once(*[lambda: participant.client.post(f"{participant.url}show/", data=form)] * ATTEMPTS)
    assert all(answer.status_code < 500 for answer in answers)
    assert stored(participant, "SELECT count(*) FROM baseline_event t", "t.kind = 'shown'") == 2
    assert stored(participant, "SELECT count(*) FROM baseline_task t", "t.state = 'open'") == 1


def stored(participant: Participant, select: str, where: str = "1 = 1") -> int:
    """One number of this person's rows; `t` is the table with their participation."""
    ((number,),) = participant.serving.site.query(
        f"{select} JOIN baseline_participation p ON p.id = t.participation_id "
        f"WHERE {where} AND replace(CAST(p.uuid AS text), '-', '') = '{participant.uuid.replace('-', '')}'"
    )
    return int(number)
