"""kill -9 of web server and worker while pages are uploaded, imported and read by a recogniser: nothing lost, nothing
twice. The recogniser is an endpoint on loopback, asked over real HTTP."""

from __future__ import annotations

import base64
import hashlib
import random
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from config.jobs.workers import ENDPOINT_THREADS
from tests.annotation.images.images import draw_page, encode
from tests.faults.conftest import seeds
from tests.faults.imports import state_of as state_of_import
from tests.faults.imports import write_folder
from tests.openai_server import OpenAIServer, Request, Step, answer
from tests.sites.serving import Serving, client_of, sign_in_all
from tests.sites.site import Site, copy_site, drop_site, with_settings
from tests.waiting import PATIENCE_SECONDS, wait_until

PAGES = 16
SET_UP = """
from annotation.models import Project, RecogniserSetting
project = Project.objects.get(slug="letters")
RecogniserSetting.objects.create(project=project, slot=1, kind="endpoint", label="reader", base_url="{url}",
    model="test-model", prompt="Read the page.", prompt_version="1", timeout_seconds=30)
"""


@dataclass(frozen=True, slots=True)
class Trial:
    folder: Path
    site: Site
    session: str
    expected: dict[str, Any]
    seconds: float
    reader: OpenAIServer


def read_page(request: Request) -> Step:
    """A reading that tells which bytes were sent, given after a moment of thought."""
    parts = request.body["messages"][-1]["content"]
    url = next(part["image_url"]["url"] for part in parts if part["type"] == "image_url")
    sent = base64.b64decode(url.partition(",")[2])
    return answer(f"read {hashlib.sha256(sent).hexdigest()}", delay_s=0.15)


def state_of(site: Site) -> dict[str, Any]:
    """What the import leaves, and what the recogniser said about each page."""
    return state_of_import(site) | {
        "requests": site.query(
            "SELECT state, error, count(*) FROM annotation_suggestionrequest GROUP BY 1, 2"
        ),
        "suggestions": site.query(
            "SELECT s.number, a.text, a.failure, a.image_hash FROM annotation_suggestion a "
            "JOIN annotation_suggestionrequest r ON r.id = a.request_id "
            "JOIN annotation_sample s ON s.id = r.sample_id ORDER BY s.number, a.id"
        ),
        "work": site.query(
            "SELECT s.number, w.stage, w.status, w.version FROM annotation_work w "
            "JOIN annotation_sample s ON s.id = w.sample_id ORDER BY s.number"
        ),
    }


def upload(serving: Serving, session: str, folder: Path) -> None:
    """As the form does; nothing is said when the server dies while it takes the files."""
    files = [("files", (path.name, path.read_bytes())) for path in sorted(folder.iterdir())]
    fields = {"language": "en", "structure": "text", "source": "offline"}
    with client_of(serving, session) as client:
        answer = client.post("/projects/letters/samples/import/", data=fields, files=files)
    assert answer.status_code == 302, answer.text


def is_started(site: Site) -> bool:
    return bool(site.query("SELECT 1 FROM annotation_importrun WHERE NOT is_receiving"))


def wait_until_done(site: Site) -> None:
    """Until the import and every request to the recogniser are over."""
    tables = ("annotation_importrun WHERE NOT is_receiving AND", "annotation_suggestionrequest WHERE")

    def is_done() -> bool:
        open_jobs = [
            site.query(f"SELECT count(*) FROM {t} state IN ('queued', 'running')")[0][0] for t in tables
        ]
        return is_started(site) and not any(open_jobs)

    wait_until(is_done, "import and readings to end", seconds=2 * PATIENCE_SECONDS)


@pytest.fixture(scope="module")
def trial(bare_site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trial]:
    root = tmp_path_factory.mktemp("worker")
    write_folder(root / "scans")
    with OpenAIServer(read_page) as reader:
        environment = {
            "MODEL_ENDPOINT_ALLOWLIST": f"127.0.0.1:{reader.port}",
            "JOB_SWEEP_SECONDS": "2",
            "JOB_LEASE_SECONDS": "10",  # longer than a page may take on a busy machine
        }
        site = with_settings(copy_site(bare_site, root / "base"), **environment)
        site.script(SET_UP.format(url=reader.base_url))
        session = sign_in_all(site)["manager"]
        whole = copy_site(site, root / "whole")
        with Serving(whole) as serving:
            start = time.monotonic()
            upload(serving, session, root / "scans")
            wait_until_done(whole)
            seconds = time.monotonic() - start
        expected = state_of(whole)
        assert expected["counts"]["sample"] == PAGES and expected["requests"] == [("done", "", reader.count)]
        assert all(text == f"read {sha}" and not failure for _, text, failure, sha in expected["suggestions"])
        yield Trial(root / "scans", site, session, expected, seconds, reader)
        drop_site(whole)
        drop_site(site)


@pytest.mark.parametrize("seed", seeds(20))
def test_import_and_readings_when_the_site_is_killed_then_rows_and_files_equal_an_unkilled_run(
    trial: Trial, tmp_path: Path, seed: int
) -> None:
    site = copy_site(trial.site, tmp_path / "site")
    moment = random.Random(seed).uniform(0.0, 1.0) * trial.seconds
    asked_before = trial.reader.count
    with Serving(site) as serving, ThreadPoolExecutor(1) as browser:
        uploading = browser.submit(upload, serving, trial.session, trial.folder)
        time.sleep(moment)
        serving.kill(power_cut=seed % 2 == 0)
        fault = uploading.exception()
        assert fault is None or isinstance(fault, httpx2.TransportError), fault
        serving.start()
        if not is_started(site):
            upload(serving, trial.session, trial.folder)  # the browser said that it did not get through
        wait_until_done(site)
    assert state_of(site) == trial.expected
    in_hand = trial.reader.count - asked_before - len(trial.expected["suggestions"])
    assert 0 <= in_hand <= ENDPOINT_THREADS  # an answer is never asked for again once it is stored
    drop_site(site)


@pytest.mark.parametrize("bare_site", ["sqlite"], indirect=True)
def test_import_when_every_endpoint_thread_waits_for_a_reply_then_it_runs_at_once(
    trial: Trial, tmp_path: Path
) -> None:
    site = copy_site(trial.site, tmp_path / "site")
    has_replied = threading.Event()

    def wait_for_test(request: Request) -> Step:
        has_replied.wait(PATIENCE_SECONDS)
        return read_page(request)

    asked_before = trial.reader.count
    trial.reader.script, before = [wait_for_test], trial.reader.script
    try:
        with Serving(site) as serving:
            upload(serving, trial.session, write_pages(tmp_path / "first", range(ENDPOINT_THREADS)))
            wait_until(lambda: trial.reader.count - asked_before == ENDPOINT_THREADS, "all threads to wait")
            upload(serving, trial.session, write_pages(tmp_path / "second", range(50, 52)))
            wait_until(lambda: imports(site) == [("done", 2)], "both imports to end")
            assert site.query("SELECT count(*) FROM annotation_suggestion") == [(0,)]
            has_replied.set()
            wait_until_done(site)
    finally:
        has_replied.set()
        trial.reader.script = before
    assert (
        trial.reader.count - asked_before == ENDPOINT_THREADS + 2
    )  # a lease that is kept is not asked for twice
    drop_site(site)


def write_pages(folder: Path, seeds: Iterable[int]) -> Path:
    folder.mkdir()
    for seed in seeds:
        (folder / f"{seed}.png").write_bytes(encode(draw_page(seed), "PNG"))
    return folder


def imports(site: Site) -> list[tuple[object, ...]]:
    return site.query("SELECT state, count(*) FROM annotation_importrun WHERE NOT is_receiving GROUP BY 1")
