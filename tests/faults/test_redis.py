"""A worker on Redis: jobs complete, and a kill -9 of worker and broker loses none of them."""

from __future__ import annotations

import contextlib
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.imports import OPEN_IMPORT, PAGES, START_IMPORT, write_folder
from tests.sites.databases import ROOT
from tests.sites.serving import free_port
from tests.sites.site import Site, drop_site, kill, make_site, with_settings
from tests.waiting import wait_until


@contextlib.contextmanager
def redis_server(folder: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """A Redis of the test's own, whose memory is gone with it; the test is skipped where there is none."""
    program = shutil.which("redis-server")
    if not program:
        pytest.skip("needs redis-server (apt-get install redis-server)")
    server = subprocess.Popen(
        [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
        cwd=folder,
        stdout=subprocess.DEVNULL,
    )
    try:
        wait_until(lambda: _answers(port), "Redis to answer")
        yield server
    finally:
        kill(server)


def _answers(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall(b"PING\r\n")
        return connection.recv(16).startswith(b"+PONG")
    return False


@contextlib.contextmanager
def celery(site: Site, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "celery", "-A", "config", *arguments],
        env=site.environment(),
        cwd=ROOT,
    )
    try:
        yield process
    finally:
        kill(process)


WORKER = ("worker", "--pool", "threads", "--concurrency", "2")


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    write_folder(tmp_path / "scans")
    made = with_settings(
        make_site(tmp_path / "site", postgres=""),
        CELERY_BROKER_URL=f"redis://127.0.0.1:{free_port()}/0",
        JOB_SWEEP_SECONDS="2",
        JOB_LEASE_SECONDS="10",
    )
    yield made
    drop_site(made)


def count(site: Site, what: str) -> int:
    return int(site.query(f"SELECT count(*) FROM annotation_{what}")[0][0])


def test_import_when_the_broker_is_redis_then_a_worker_does_it_even_after_worker_and_broker_were_killed(
    site: Site, tmp_path: Path
) -> None:
    port = int(site.settings["CELERY_BROKER_URL"].rsplit(":", 1)[1].split("/")[0])
    with redis_server(tmp_path, port) as broker, celery(site, *WORKER) as worker:
        site.script(OPEN_IMPORT.format(folder=str(tmp_path / "scans")) + START_IMPORT)
        wait_until(lambda: count(site, "sample") >= 3, "the first pages to come in")
        kill(worker)
        kill(broker)
    assert count(site, "sample") < PAGES and count(site, "importrun WHERE state = 'running'") == 1
    with (
        redis_server(tmp_path, port),
        celery(site, *WORKER),
        celery(site, "beat", "--pidfile", ""),
    ):
        wait_until(lambda: count(site, "importrun WHERE state = 'done'") == 1, "the import to end")
    assert count(site, "sample") == count(site, "work") == PAGES
    assert count(site, "importfile WHERE outcome = 'pending'") == 0
