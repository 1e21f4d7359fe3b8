"""kill -9 of the site while experts grade and vote, and while results are computed: nothing lost, nothing twice."""

from __future__ import annotations

import json
import random
import re
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.faults.conftest import seeds
from tests.faults.retrying import Outage, kill_after, until_answered
from tests.sites.serving import Serving, client_of, sign_in_all
from tests.sites.site import Site, copy_site, drop_site, with_settings
from tests.waiting import wait_until

RATERS = ("ra", "rb", "rc")
ITEMS = 6  # and one for practice, one for attention
SET_UP = f"""
from annotation.demo.seeding.expert_study import make_example_project
from config.accounts.models import User
raters = [User.objects.create_user(name) for name in {RATERS!r}]
make_example_project(by=User.objects.get(username="manager"), raters=raters, n_items={ITEMS})
"""
ENROLMENTS = (
    "SELECT u.username, e.uuid FROM preference_enrolment e JOIN accounts_user u ON u.id = e.user_id "
    "WHERE e.study_id = 1"
)
STUDY = 1  # of the example: the one that waits for its raters


@dataclass(frozen=True, slots=True)
class Trial:
    site: Site
    sessions: dict[str, str]
    expected: dict[str, Any]
    seconds: float


class Rater:
    """Grades and chooses by name and position; sends all again when no answer came, and then twice more."""

    def __init__(self, serving: Serving, name: str, enrolment: str, session: str, pause: Outage) -> None:
        self.name, self.enrolment, self.pause = name, f"/expert-studies/{uuid.UUID(enrolment)}/", pause
        self.client = client_of(serving, session)

    def rate(self) -> None:
        with self.client:
            while match := re.search(r'name="position" value="(\d+)"', self._page()):
                position = int(match.group(1))
                dice = random.Random(f"{self.name} {position}")
                grade = {"position": position, "grade": dice.randrange(11), "mark_conditions": "1"}
                choice = {
                    "position": position,
                    "choice": dice.choice(["A", "B", "none"]),
                    "comment": f"{position}",
                }
                self._send("grade/", grade)
                self._send("vote/", choice)
                # an impatient hand and a second tab: other answers, too late
                self._send("grade/", grade | {"grade": (grade["grade"] + 1) % 11})
                self._send("vote/", choice | {"choice": "A", "comment": "late"})

    def _page(self) -> str:
        answer = self._until_answered(lambda: self.client.get(f"{self.enrolment}?begin=1"))
        assert answer.status_code == 200, answer
        return answer.text

    def _send(self, step: str, data: dict[str, Any]) -> None:
        answer = self._until_answered(lambda: self.client.post(f"{self.enrolment}{step}", data=data))
        assert answer.status_code == 302, answer.text

    def _until_answered(self, ask: Callable[[], httpx2.Response]) -> httpx2.Response:
        return until_answered(ask, self.pause.wait)


def everybody_rates(
    serving: Serving, sessions: dict[str, str], kill: Callable[[], None] | None = None
) -> float:
    """Seconds it took them; `kill` runs beside them and returns when the site is up again."""
    pause = Outage()
    enrolments = serving.site.query(ENROLMENTS)
    raters = [Rater(serving, name, str(enrolment), sessions[name], pause) for name, enrolment in enrolments]
    assert len(raters) == len(RATERS)
    return pause.seconds_of([rater.rate for rater in raters], kill)


def close(serving: Serving, session: str) -> None:
    """As the manager's button does it."""
    with client_of(serving, session) as client:
        assert client.post(f"/studies/{STUDY}/close/").status_code == 302


def state_of_answers(site: Site) -> dict[str, Any]:
    """Every answer at its place, and how often each thing happened."""
    mine = "trial_id IN (SELECT t.id FROM preference_trial t JOIN preference_enrolment e ON e.id = t.enrolment_id "
    mine += f"WHERE e.study_id = {STUDY})"
    place = (
        "JOIN preference_trial t ON t.id = a.trial_id JOIN preference_enrolment e ON e.id = t.enrolment_id "
        f"WHERE e.study_id = {STUDY} ORDER BY e.rater_number, t.position"
    )
    return {
        "grades": site.query(
            f"SELECT e.rater_number, t.position, a.value FROM preference_expertgrade a {place}"
        ),
        "votes": site.query(
            f"SELECT e.rater_number, t.position, a.choice, a.comment FROM preference_preferencevote a {place}"
        ),
        "events": site.query(
            f"SELECT kind, count(*) FROM preference_trialevent WHERE {mine} AND kind IN ('graded', 'voted') "
            "GROUP BY kind ORDER BY kind"
        ),
        "exposures": site.query("SELECT saw, count(*) FROM exposure_exposure GROUP BY saw ORDER BY saw"),
    }


def results_of(site: Site) -> Any:
    """What the worker stored; None before. Without times: they are of the run, not of the answers."""
    stored = site.query(f"SELECT results FROM preference_study WHERE id = {STUDY}")[0][0]
    results = json.loads(stored) if isinstance(stored, str) else stored
    for rater in results.get("raters", []):
        del rater["seconds"], rater["seconds_at_work"]
    return results or None


@pytest.fixture(scope="module")
def trial(bare_site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trial]:
    root = tmp_path_factory.mktemp("votes")
    settings = {
        "JOB_SWEEP_SECONDS": "2",
        "JOB_LEASE_SECONDS": "10",
    }  # longer than a part takes on a busy machine
    site = with_settings(copy_site(bare_site, root / "base"), **settings)
    site.script(SET_UP)
    sessions = sign_in_all(site)
    whole = copy_site(site, root / "whole")
    with Serving(whole) as serving:
        seconds = everybody_rates(serving, sessions)
        assert results_of(whole) is None
        close(serving, sessions["manager"])
        wait_until(lambda: results_of(whole) is not None, "the results")
    expected = state_of_answers(whole)
    n = len(RATERS) * (ITEMS + 2)
    assert len(expected["votes"]) == len(expected["grades"]) == n
    assert expected["events"] == [("graded", n), ("voted", n)]
    assert all(comment == str(position) for _, position, _, comment in expected["votes"])
    yield Trial(site, sessions, expected | {"results": results_of(whole)}, seconds)
    drop_site(whole)
    drop_site(site)


@pytest.mark.parametrize("seed", seeds(20))
def test_votes_when_the_site_is_killed_and_comes_back_then_each_is_there_once_and_results_are_the_same(
    trial: Trial, tmp_path: Path, seed: int
) -> None:
    site = copy_site(trial.site, tmp_path / "site")
    dice = random.Random(seed)
    with Serving(site) as serving:
        moment = dice.uniform(0.05, 0.9) * trial.seconds
        everybody_rates(serving, trial.sessions, kill_after(moment, serving, power_cut=seed % 2 == 0))
        assert results_of(site) is None
        close(serving, trial.sessions["manager"])
        time.sleep(dice.uniform(0, 0.6))  # the worker has begun, or is done, or has not heard of it yet
        serving.kill(power_cut=seed % 2 == 1)
        serving.start()
        wait_until(lambda: results_of(site) is not None, "the results")
    assert state_of_answers(site) | {"results": results_of(site)} == trial.expected
    drop_site(site)
