"""kill -9 of the site while people take part in a baseline: same sample, same clock, nothing lost, nothing twice."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.faults.conftest import seeds
from tests.faults.retrying import Outage, kill_after
from tests.faults.sessions import (
    LIMIT_SECONDS,
    Participant,
    response_of,
    seconds_of_clocks,
    set_up_baseline,
    state_of,
)
from tests.sites.serving import Serving, sign_in_all
from tests.sites.site import Site, copy_site, drop_site

PEOPLE, ITEMS = 6, 2


@dataclass(frozen=True, slots=True)
class Trial:
    site: Site
    uuids: dict[str, str]
    cookies: dict[str, str]
    expected: dict[str, object]
    seconds: float


def everybody_takes_part(
    serving: Serving,
    uuids: dict[str, str],
    cookies: dict[str, str],
    kill: Callable[[], None] | None = None,
) -> float:
    """Seconds it took them; `kill` runs beside them and returns when the site is up again."""
    pause = Outage()
    participants = [
        Participant(serving, name, uuid, cookies[name], pause.wait) for name, uuid in uuids.items()
    ]
    return pause.seconds_of([participant.finish for participant in participants], kill)


@pytest.fixture(scope="module")
def trial(bare_site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trial]:
    root = tmp_path_factory.mktemp("sessions")
    site = copy_site(bare_site, root / "base")
    uuids = set_up_baseline(site, people=PEOPLE, items=ITEMS)
    cookies = sign_in_all(site)
    whole = copy_site(site, root / "whole")
    with Serving(whole) as serving:
        seconds = everybody_takes_part(serving, uuids, cookies)
    expected = state_of(whole)
    responses = expected["responses"]
    assert isinstance(responses, list) and len(responses) == PEOPLE * ITEMS
    assert {row[3] for row in responses} == {
        response_of(name, f"-{n}") for name in uuids for n in range(ITEMS)
    }
    yield Trial(site, uuids, cookies, expected, seconds)
    drop_site(whole)
    drop_site(site)


@pytest.mark.parametrize("seed", seeds(20))
def test_session_when_the_site_is_killed_and_comes_back_then_it_ends_as_if_nothing_had_happened(
    trial: Trial, tmp_path: Path, seed: int
) -> None:
    site = copy_site(trial.site, tmp_path / "site")
    moment = random.Random(seed).uniform(0.1, 0.95) * trial.seconds
    with Serving(site) as serving:
        everybody_takes_part(
            serving, trial.uuids, trial.cookies, kill_after(moment, serving, power_cut=seed % 2 == 0)
        )
    assert state_of(site) == trial.expected
    for limit, taken in seconds_of_clocks(site):
        assert limit == pytest.approx(LIMIT_SECONDS, abs=1e-3) and 0 < taken < limit
    drop_site(site)
