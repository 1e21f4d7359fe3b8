"""Messages that no worker can read, on both kinds of broker: it drops them and does the job that comes after them."""

from __future__ import annotations

import base64
import contextlib
import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis

from tests.faults.imports import OPEN_IMPORT, START_IMPORT, write_folder
from tests.faults.test_redis import WORKER, celery, count, redis_server
from tests.sites.serving import free_port
from tests.sites.site import Site, copy_site, drop_site, with_settings
from tests.waiting import wait_until

TASK = "config.jobs.tasks.run_job"
ARGUMENTS = b'[["annotation.importrun", 999], {}, {}]'


def message(body: bytes = ARGUMENTS, **changes: Any) -> bytes:
    """A message as Celery sends it, for a job that does not exist, with some of it changed."""
    return json.dumps(
        {
            "body": base64.b64encode(body).decode(),
            "content-encoding": "utf-8",
            "content-type": "application/json",
            "headers": {"task": TASK, "id": str(uuid.uuid4())},
            "properties": {
                "body_encoding": "base64",
                "delivery_tag": str(uuid.uuid4()),
                "delivery_info": {"exchange": "", "routing_key": "celery"},
            },
            **changes,
        }
    ).encode()


BROKEN = (
    b"",
    b"\xff\xfe\0",
    b"{",
    b"123",
    b"[]",
    b'"text"',
    b"{}",
    b'{"properties": {}}',
    message()[:100],
    message(headers={}),
    message(headers="text"),
    message(headers={"task": ["list"], "id": "1"}),
    message(headers={"task": "unknown", "id": "1"}),
    message(headers={"task": TASK}),
    message(headers={"task": TASK, "id": "1", "eta": "tomorrow"}),
    message(headers={"task": TASK, "id": 7, "expires": "never"}),
    message(b"not json"),
    message(b"[]"),
    message(b"null"),
    message(b'[["no.such", 1], {}, {}]'),
    message(b'[["annotation.importrun"], {}, null]'),
    message(b'[["annotation.importrun", 1], {}, {"callbacks": 7, "chord": 3}]'),
    message(b'{"task": ["list"]}', headers={}),
    message(properties={"delivery_tag": ["list"]}),
    message(properties={"delivery_tag": "1", "delivery_info": None}),
    message(**{"content-type": "application/x-python-serialize"}),
    message(**{"content-encoding": "none"}),
)


@pytest.fixture(params=["files", "redis"])
def site(request: pytest.FixtureRequest, bare_site: Site, tmp_path: Path) -> Iterator[Site]:
    """With all the broken messages in its queue, and a sweep that finds nothing by itself."""
    with contextlib.ExitStack() as stack:
        copied = copy_site(bare_site, tmp_path / "site")
        stack.callback(drop_site, copied)
        if request.param == "files":
            queue = copied.data / "broker" / "queue"
            queue.mkdir(parents=True, exist_ok=True)
            for number, broken in enumerate(BROKEN):
                (queue / f"0_{number:03}.celery.msg").write_bytes(broken)
            yield copied
        else:
            port = free_port()
            stack.enter_context(redis_server(tmp_path, port))
            with contextlib.closing(redis.Redis(port=port)) as client:
                for broken in BROKEN:
                    client.lpush("celery", broken)
            yield with_settings(copied, CELERY_BROKER_URL=f"redis://127.0.0.1:{port}/0")


@pytest.mark.parametrize("bare_site", ["sqlite"], indirect=True)
def test_worker_when_the_queue_holds_broken_messages_then_it_drops_them_and_does_the_next_job(
    site: Site, tmp_path: Path
) -> None:
    write_folder(tmp_path / "scans")
    site.script(OPEN_IMPORT.format(folder=str(tmp_path / "scans")) + START_IMPORT)
    with celery(site, *WORKER) as worker:
        wait_until(
            lambda: worker.poll() is not None or count(site, "importrun WHERE state = 'done'") == 1,
            "the import to end",
            seconds=90,
        )
        assert worker.poll() is None
