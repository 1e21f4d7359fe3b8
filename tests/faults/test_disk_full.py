"""A full data volume: worker, clock and web server live on, and what waits is done when there is space again."""

from __future__ import annotations

import contextlib
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.faults.imports import OPEN_IMPORT, PAGES, START_IMPORT, write_folder
from tests.sites.serving import Serving, children_of, client_of, sign_in_all
from tests.sites.site import Site, copy_site, drop_site, with_settings
from tests.waiting import wait_until

SWEEPS = 4
PREFERENCES = {"first_name": "Mei", "reading_size": "medium", "theme": "auto"}


@pytest.fixture
def volume(tmp_path: Path) -> Iterator[Path]:
    """A small file system of its own."""
    folder = tmp_path / "volume"
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", str(folder)], capture_output=True, text=True
    )
    if made.returncode:
        pytest.skip(f"needs root to mount a small file system ({made.stderr.strip()})")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(volume: Path) -> Path:
    """A file that leaves nothing."""
    ballast = volume / "ballast"
    with ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(1 << 12))
    return ballast


def check_pages(site: Site, client: httpx2.Client, *, is_full: bool) -> None:
    """Reading works, and saving says why it does not. The SQLite file is on the disk, the PostgreSQL server is not."""
    assert client.get("/").status_code == 200
    saved = client.post("/account/preferences/", data=PREFERENCES, headers={"Accept-Language": "en"})
    if is_full and not site.database_url:
        assert saved.status_code == 507 and "disk is full" in saved.text
    else:
        assert saved.status_code == 302


def test_site_when_its_disk_is_full_then_its_processes_live_on_and_the_job_is_done_when_there_is_space(
    bare_site: Site, volume: Path, tmp_path: Path
) -> None:
    """On SQLite the job is queued before the disk is full, because its row needs space itself."""
    write_folder(tmp_path / "scans")
    copied = copy_site(bare_site, volume / "site")
    site = with_settings(copied, JOB_SWEEP_SECONDS="1", JOB_LEASE_SECONDS="2", WEB_KEEP_FREE_BYTES="0")
    site.script(
        OPEN_IMPORT.format(folder=str(tmp_path / "scans")) + ("" if site.database_url else START_IMPORT)
    )
    (session,) = sign_in_all(site).values()
    ballast = fill(volume)
    with Serving(site) as serving, client_of(serving, session) as client:
        assert serving.process
        before = children_of(serving.process.pid)
        if site.database_url:
            site.script(START_IMPORT)
        time.sleep(2 * SWEEPS)
        fill(volume)
        time.sleep(SWEEPS)
        assert children_of(serving.process.pid) == before and len(before) == 5
        ballast.unlink()
        wait_until(
            lambda: site.query("SELECT count(*) FROM annotation_importrun WHERE state = 'done'") == [(1,)],
            "the import to end",
            seconds=90,
        )
        assert site.query("SELECT count(*) FROM annotation_sample") == [(PAGES,)]
        fill(volume)
        check_pages(site, client, is_full=True)
        ballast.unlink()
        check_pages(site, client, is_full=False)
        assert children_of(serving.process.pid) == before
    drop_site(site)
