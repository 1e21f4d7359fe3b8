"""kill -9 of the site while people claim, type and submit at once: nothing lost, nothing twice."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.faults.conftest import seeds
from tests.faults.retrying import Outage, kill_after, until_answered
from tests.sites.serving import Serving, client_of, sign_in_all, value_of
from tests.sites.site import Site, copy_site, drop_site
from tests.waiting import PATIENCE_SECONDS

PEOPLE = 8
SET_UP = f"""
from annotation.models import Project
from config.accounts.models import Role, User
from config.accounts.services import give_roles
from tests.factories import make_sample
project = Project.objects.get(slug="letters")
for number in range({PEOPLE}):
    person = User.objects.create_user(f"p{{number}}")
    give_roles(team=project.team, user=person, roles=[Role.ANNOTATOR])
    make_sample(project, text=f"page {{number}}")
"""
COUNTED = ("sample", "work", "event", "assignment", "draft", "label", "suggestionuse", "note")


@dataclass(frozen=True, slots=True)
class Trial:
    site: Site
    sessions: dict[str, str]
    expected: dict[str, Any]
    seconds: float


class Person:
    """Somebody who takes a sample, types and submits, and sends everything again when no answer came."""

    def __init__(self, serving: Serving, name: str, session: str, pause: Outage) -> None:
        self.name, self.pause = name, pause
        self.client = client_of(serving, session)
        self.key = f"{name:_>32}"

    def work(self, all_have_one: threading.Barrier) -> None:
        with self.client:
            answer = self._until_answered(lambda: self.client.post("/projects/letters/next/label/"))
            assert answer.status_code == 302 and "/work/" in answer.headers["location"], answer
            assignment = answer.headers["location"]
            all_have_one.wait(timeout=2 * PATIENCE_SECONDS)
            page = self._until_answered(lambda: self.client.get(assignment)).text
            image = value_of(page, "image_hash")
            version = 0
            for text in (f"{self.name} begins", f"{self.name} goes on\nto the end"):
                body = {"text": text, "base_version": version, "image_hash": image}
                saved = self._until_answered(
                    lambda body=body: self.client.put(f"{assignment}autosave/", json=body)
                )
                assert saved.status_code == 200, saved.text
                version = saved.json()["version"]
            form = {"text": text, "base_version": version, "image_hash": image, "idempotency_key": self.key}
            done = self._until_answered(lambda: self.client.post(f"{assignment}submit/", data=form))
            assert done.status_code == 302, done.text

    def _until_answered(self, ask: Callable[[], httpx2.Response]) -> httpx2.Response:
        return until_answered(ask, self.pause.wait)


def everybody_works(
    serving: Serving, sessions: dict[str, str], kill: Callable[[], None] | None = None
) -> float:
    """Seconds it took them; `kill` runs beside them and returns when the site is up again."""
    all_have_one = threading.Barrier(PEOPLE)
    pause = Outage()
    people = [Person(serving, f"p{n}", sessions[f"p{n}"], pause) for n in range(PEOPLE)]
    return pause.seconds_of([partial(person.work, all_have_one) for person in people], kill)


def state_of(site: Site) -> dict[str, Any]:
    """All that the work leaves, without what differs by chance: who took which sample."""
    return {
        "counts": {table: site.query(f"SELECT count(*) FROM annotation_{table}")[0][0] for table in COUNTED},
        "labels": site.query(
            "SELECT stage, round, text, idempotency_key FROM annotation_label ORDER BY text"
        ),
        "drafts": site.query("SELECT text, version FROM annotation_draft ORDER BY text"),
        "work": site.query(
            "SELECT w.stage, w.status, w.version, w.round, w.holder_id, count(DISTINCT l.id), count(DISTINCT e.id) "
            "FROM annotation_work w JOIN annotation_label l ON l.sample_id = w.sample_id "
            "JOIN annotation_event e ON e.sample_id = w.sample_id GROUP BY w.id ORDER BY w.id"
        ),
        "assignments": site.query(
            "SELECT count(*) FROM annotation_assignment WHERE submitted_at IS NOT NULL"
        ),
        "exposures": site.query("SELECT saw, count(*) FROM exposure_exposure GROUP BY saw ORDER BY saw"),
        "files": site.files(),
    }


@pytest.fixture(scope="module")
def trial(bare_site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trial]:
    root = tmp_path_factory.mktemp("submits")
    site = copy_site(bare_site, root / "base")
    site.script(SET_UP)
    sessions = sign_in_all(site)
    whole = copy_site(site, root / "whole")
    with Serving(whole) as serving:
        seconds = everybody_works(serving, sessions)
    expected = state_of(whole)
    assert expected["counts"]["label"] == PEOPLE and expected["counts"]["event"] == 2 * PEOPLE
    assert {text for _, _, text, _ in expected["labels"]} == {
        f"p{n} goes on\nto the end" for n in range(PEOPLE)
    }
    yield Trial(site, sessions, expected, seconds)
    drop_site(whole)
    drop_site(site)


@pytest.mark.parametrize("seed", seeds(20))
def test_work_when_the_site_is_killed_and_comes_back_then_rows_and_files_equal_an_unkilled_run(
    trial: Trial, tmp_path: Path, seed: int
) -> None:
    site = copy_site(trial.site, tmp_path / "site")
    moment = random.Random(seed).uniform(0.1, 0.95) * trial.seconds
    with Serving(site) as serving:
        everybody_works(serving, trial.sessions, kill_after(moment, serving, power_cut=seed % 2 == 0))
    assert state_of(site) == trial.expected
    drop_site(site)
