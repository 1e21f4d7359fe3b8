"""`manage.py serve` keeps what it started running, and ends with all of it, however it is asked to."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.sites.serving import Serving, children_of, command_of
from tests.sites.site import Site, copy_site, drop_site
from tests.waiting import PATIENCE_SECONDS, wait_until

pytestmark = pytest.mark.parametrize("bare_site", ["sqlite"], indirect=True)
KINDS = ("config.web_server", " --queues celery ", " --queues endpoints ", " beat ")


@pytest.fixture
def _hangup_heard() -> Iterator[None]:
    """Under nohup SIGHUP is ignored by every child, and `serve` leaves it so."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.fixture
def site(bare_site: Site, tmp_path: Path) -> Iterator[Site]:
    copied = copy_site(bare_site, tmp_path / "site")
    yield copied
    drop_site(copied)


@pytest.mark.usefixtures("_hangup_heard")
def test_serve_when_its_processes_or_itself_are_killed_then_all_comes_back_and_none_is_left(
    site: Site,
) -> None:
    """Each child is started again while the site answers; without `serve` they end, and the port is free at once; when
    its terminal is closed it ends with all of them (Ctrl+C: tests/config/jobs/test_serve.py)."""
    with Serving(site) as serving:
        kill_one_of_each_kind(serving)
        assert serving.process
        os.kill(serving.process.pid, signal.SIGKILL)
        serving.process.wait()
        wait_until(lambda: not serving.processes(), f"no process to be left: {serving.processes()}")
        serving.start()  # on the same port
        assert len(serving.processes()) >= 5  # itself, web server, workers, clock
        serving.process.send_signal(signal.SIGHUP)
        assert serving.process.wait(timeout=PATIENCE_SECONDS) == 0
        assert serving.processes() == []


def kill_one_of_each_kind(serving: Serving) -> None:
    assert serving.process
    serve = serving.process.pid

    def running() -> dict[int, str]:
        commands = {pid: command_of(pid).partition("child_process ")[2] for pid in children_of(serve)}
        return {pid: command for pid, command in commands.items() if command}

    before = running()
    victims = [next(pid for pid, command in before.items() if kind in command) for kind in KINDS]
    for victim in victims:
        os.kill(victim, signal.SIGKILL)
    assert httpx2.get(f"{serving.url}/accounts/login/", timeout=30).status_code == 200
    wait_until(
        lambda: sorted(running().values()) == sorted(before.values()), f"all to run: {before} {running()}"
    )
    assert len(before) == 5 and set(before) - set(running()) == set(victims)
    lines = [line for line in serving.log.read_text().splitlines() if "SIGKILL" in line]
    assert len(lines) == 4 and all("stopped by itself" in line for line in lines)
