"""Twenty people press Next at one moment, by HTTP, on the served site: field cases 13 and 17."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import httpx2
import pytest

from tests.at_once import at_once
from tests.sites.serving import Serving, client_of, sign_in_all
from tests.sites.site import Site, copy_site, drop_site

PEOPLE = 20
SET_UP = """
from annotation.models import Label, Work
from annotation.stages import Stage
from config.accounts.models import Role, User
from config.accounts.services import give_roles
from tests.factories import make_project, make_sample
manager = User.objects.get(username="manager")
people = [User.objects.create_user(f"p{n}") for n in range(20)]
stages = {"full": [Stage.LABEL] * 20, "single": [Stage.LABEL], "mixed": [Stage.LABEL] * 10 + [Stage.VERIFY] * 10}
for slug, rows in stages.items():
    project = make_project(manager=manager, slug=slug)
    for person in people:
        give_roles(team=project.team, user=person, roles=[Role.ANNOTATOR, Role.REVIEWER])
    for stage in rows:
        sample = make_sample(project, stage=stage)
        if stage is Stage.VERIFY:
            Label.objects.create(sample=sample, stage=Stage.LABEL, round=1, text="x", image_hash="")
"""


@pytest.fixture(scope="module")
def serving(bare_site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    site = copy_site(bare_site, tmp_path_factory.mktemp("next") / "site")
    site.script(SET_UP)
    with Serving(site) as running:
        yield running
    drop_site(site)


@pytest.fixture(scope="module")
def people(serving: Serving) -> Iterator[list[httpx2.Client]]:
    sessions = sign_in_all(serving.site)
    clients = [client_of(serving, sessions[f"p{number}"]) for number in range(PEOPLE)]
    yield clients
    for client in clients:
        client.close()


def ask_at_once(people: list[httpx2.Client], addresses: list[str]) -> list[httpx2.Response]:
    pairs = zip(people, addresses, strict=True)
    return at_once(*(partial(client.post, address) for client, address in pairs))


def held(site: Site, slug: str) -> list[tuple[int, int]]:
    """(sample, holder) of everything in somebody's hands."""
    return site.query(  # type: ignore[return-value]
        "SELECT w.sample_id, w.holder_id FROM annotation_work w JOIN annotation_sample s ON s.id = w.sample_id "
        f"JOIN annotation_project p ON p.id = s.project_id WHERE p.slug = '{slug}' AND w.status = 'held'"
    )


def test_next_when_twenty_ask_for_twenty_then_each_goes_to_a_sample_of_their_own(
    serving: Serving, people: list[httpx2.Client]
) -> None:
    answers = ask_at_once(people, ["/projects/full/next/label/"] * PEOPLE)
    assert [answer.status_code for answer in answers] == [302] * PEOPLE
    assert len({answer.headers["location"] for answer in answers}) == PEOPLE
    rows = held(serving.site, "full")
    assert len({sample for sample, _ in rows}) == len({holder for _, holder in rows}) == PEOPLE
    for client, answer in zip(people, answers, strict=True):
        assert client.get(answer.headers["location"]).status_code == 200


def test_next_when_twenty_ask_for_one_then_one_has_it_and_nineteen_read_when_it_may_fall_free(
    serving: Serving, people: list[httpx2.Client]
) -> None:
    answers = ask_at_once(people, ["/projects/single/next/label/"] * PEOPLE)
    assert sorted(answer.status_code for answer in answers) == [200] * (PEOPLE - 1) + [302]
    assert len(held(serving.site, "single")) == 1
    for answer in answers:
        if answer.status_code == 200:
            assert "may become free at" in answer.text


def test_next_when_both_queues_are_asked_at_once_then_no_sample_goes_to_two(
    serving: Serving, people: list[httpx2.Client]
) -> None:
    queues = ["label", "verify"] * (PEOPLE // 2)
    answers = ask_at_once(people, [f"/projects/mixed/next/{queue}/" for queue in queues])
    assert [answer.status_code for answer in answers] == [302] * PEOPLE
    assert len({sample for sample, _ in held(serving.site, "mixed")}) == PEOPLE
    assert not _server_errors(serving.log)


def _server_errors(log: Path) -> list[str]:
    return [
        line for line in log.read_text().splitlines() if "Internal Server Error" in line or "locked" in line
    ]
