"""Many people, and many hands of one person, at one moment, by HTTP on the served site (SQLite, or PostgreSQL)."""

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
from tests.faults.sessions import LIMIT_SECONDS, Player, lay_out, seconds_of_clocks
from tests.sites.serving import Serving, sign_in_all, value_of
from tests.sites.site import drop_site, make_site

PEOPLE = 30 if os.environ.get("TEST_DATABASE_URL") else 8
ITEMS, EACH = 6, 3
HANDS = 6


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    if not DIST.exists():
        pytest.skip("needs the built front end (npm run build)")
    site = make_site(tmp_path_factory.mktemp("exam") / "site")
    with Serving(site) as running:
        yield running
    assert "Internal Server Error" not in running.log.read_text()
    drop_site(site)


@pytest.fixture
def player(serving: Serving, request: pytest.FixtureRequest) -> Player:
    """Somebody alone in a baseline of their own, with the clock of the first page running."""
    prefix = request.node.name.split("_")[1]
    ((name, room),) = lay_out(serving.site, people=1, items=2, prefix=prefix).items()
    made = Player(serving, name, room, sign_in_all(serving.site)[name])
    for _ in ("consent", "brief", "ready"):
        made.step()
    return made


def test_exam_when_everybody_sits_it_at_once_then_each_meets_each_sample_once_in_their_own_order(
    serving: Serving,
) -> None:
    site = serving.site
    more = f"samples_per_person={EACH}, people_per_sample={PEOPLE * EACH // ITEMS}, break_every=2"
    rooms = lay_out(site, people=PEOPLE, items=ITEMS, more=more)
    sessions = sign_in_all(site)
    players = [Player(serving, name, room, sessions[name]) for name, room in rooms.items()]
    with ThreadPoolExecutor(len(players)) as pool:
        for done in [pool.submit(player.play) for player in players]:
            done.result()
    for player in players:
        assert [key.rpartition("-")[2] for key in player.seen] == [str(n) for n in range(EACH)]
    rows = site.query(
        "SELECT p.number, t.position, g.sample_id, a.kind, a.text, u.username FROM baseline_response a "
        "JOIN baseline_task t ON t.id = a.task_id JOIN baseline_participation p ON p.id = t.participation_id "
        "JOIN evaluation_golditem g ON g.id = t.item_id JOIN accounts_user u ON u.id = p.person_id "
        "ORDER BY p.number, t.position"
    )
    assert len(rows) == PEOPLE * EACH and {row[3] for row in rows} == {"text"}
    assert all(text == f"{name} goes on {at}\nto the end" for _, at, _, _, text, name in rows)
    assert set(Counter(sample for _, _, sample, *_ in rows).values()) == {PEOPLE * EACH // ITEMS}
    for number in range(1, PEOPLE + 1):
        order = [sample for n, _, sample, *_ in rows if n == number]
        assert order == order_for(order, seed=7, number=number) and len(set(order)) == EACH
    happened = Counter(kind for (kind,) in site.query("SELECT kind FROM baseline_event"))
    assert happened == dict.fromkeys(("shown", "first_key", "handed_in"), PEOPLE * EACH)
    for limit, taken in seconds_of_clocks(site):
        assert limit == pytest.approx(LIMIT_SECONDS, abs=1e-3) and 0 < taken < limit
    standing = site.query(
        "SELECT step, position, finished_at IS NOT NULL, tab_token FROM baseline_participation"
    )
    assert {(step, bool(is_over), tab_token) for step, _, is_over, tab_token in standing} == {
        ("over", True, "")
    }
    assert site.query("SELECT count(*) FROM exposure_reservation") == [(0,)]


def test_handins_when_many_hands_press_at_once_then_one_answer_is_stored_and_nobody_breaks(
    serving: Serving, player: Player
) -> None:
    page = player.look()
    key = value_of(page, "image_hash")
    player.sign("tab", key)

    def hand_in(number: int) -> Callable[[], httpx2.Response]:
        once = "the same" if number % 2 else f"another {number}"
        form = {"text": f"hand {number}", "image_hash": key, "tab_token": "tab", "idempotency_key": once}
        return lambda: player.client.post(
            f"{player.url}hand-in/", data={"version": value_of(page, "version"), **form}
        )

    answers = at_once(*(hand_in(number) for number in range(HANDS)))
    assert {answer.status_code for answer in answers} == {302}
    assert (
        stored(player, "SELECT count(*) FROM baseline_response a JOIN baseline_task t ON t.id = a.task_id")
        == 1
    )
    assert stored(player, "SELECT max(t.position) FROM baseline_task t", "t.state = 'done'") == 0
    assert stored(player, "SELECT count(*) FROM baseline_event t", "t.kind = 'handed_in'") == 1


def test_devices_when_two_come_at_once_then_one_has_the_seat_and_the_other_is_refused(
    serving: Serving, player: Player
) -> None:
    key = value_of(player.look(), "image_hash")
    phone = Player(serving, player.name, player.room, player.session)
    phone.client.cookies.set("inkbench_device", "another device")

    def sign(hand: Player, tab_token: str) -> Callable[[], httpx2.Response]:
        body = {"events": [], "key": key, "alone": True}
        return lambda: hand.client.post(f"{player.url}signs/{tab_token}/", json=body)

    answers = at_once(sign(player, "tab"), sign(phone, "phone"))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    winner, loser = sorted((player, phone), key=lambda hand: answers[0 if hand is player else 1].status_code)
    assert winner.client.get(f"{player.url}image/").status_code == 200
    assert loser.client.get(f"{player.url}image/").status_code == 404
    assert loser.client.get(player.url).status_code == 409
    assert stored(player, "SELECT count(*) FROM baseline_event t", "t.kind = 'refused'") == 1


def test_clocks_when_show_is_pressed_many_times_at_once_then_it_starts_once(
    serving: Serving, player: Player
) -> None:
    player.write(player.look())
    page = player.look()
    form = {"version": value_of(page, "version")}
    answers = at_once(*[lambda: player.client.post(f"{player.url}show/", data=form)] * HANDS)
    assert all(answer.status_code < 500 for answer in answers)
    assert stored(player, "SELECT count(*) FROM baseline_event t", "t.kind = 'shown'") == 2
    assert stored(player, "SELECT count(*) FROM baseline_task t", "t.state = 'open'") == 1


def stored(player: Player, select: str, where: str = "1 = 1") -> int:
    """One number of this person's rows; `t` is the table with their participation."""
    ((found,),) = player.serving.site.query(
        f"{select} JOIN baseline_participation p ON p.id = t.participation_id "
        f"WHERE {where} AND replace(CAST(p.uuid AS text), '-', '') = '{player.room.replace('-', '')}'"
    )
    return int(found)
