"""The endpoint recogniser when the server refuses, is slow, or is not there: how often it asks, how long it waits."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from evaluation.model_clients.api_keys import ApiKeys
from evaluation.model_clients.endpoint_settings import EndpointSettings
from evaluation.model_clients.failures import FailureKind, ModelCallFailed
from evaluation.model_clients.openai_endpoint import OpenAIEndpoint
from tests.evaluation.model_clients.recognisers.endpoint_helpers import (
    LOOPBACK,
    Sleeps,
    failure_of,
    png,
    recogniser,
)
from tests.openai_server import (
    OpenAIServer,
    Step,
    answer,
    dropped,
    error,
    garbage,
    no_choices,
    refuse,
)


def test_read_when_refused_twice_then_waits_5_and_10_seconds_and_counts() -> None:
    sleeps = Sleeps()
    with OpenAIServer([refuse(), refuse(), answer("at last")]) as server:
        reading = recogniser(server, sleeps).recognise(png())
    assert (reading.text, reading.attempts, sleeps, server.count) == ("at last", 3, [5, 10], 3)


@pytest.mark.parametrize(
    ("step", "kind", "word"),
    [
        (refuse(), FailureKind.REFUSED, "429"),
        (error(500, "boom"), FailureKind.SERVER_ERROR, "boom"),
        (error(503, "loading"), FailureKind.SERVER_ERROR, "loading"),
        (dropped(), FailureKind.UNREACHABLE, "closed the connection"),
    ],
)
def test_read_when_the_fault_stays_then_three_retries_and_a_named_failure(
    step: Step, kind: FailureKind, word: str
) -> None:
    sleeps = Sleeps()
    with OpenAIServer(step) as server:
        failed = failure_of(server, sleeps)
    assert (failed.kind, failed.attempts, server.count, sleeps) == (kind, 4, 4, [5, 10, 20])
    assert word in str(failed.reason)
    assert failed.raw == step.body.decode()


@pytest.mark.parametrize(
    ("step", "kind", "word"),
    [
        (garbage(), FailureKind.GARBAGE, "not a chat completion"),
        (garbage(b"[1, 2]"), FailureKind.GARBAGE, "not a chat completion"),
        (garbage(b'{"choices": [{"message": {"content": 7}}]}'), FailureKind.GARBAGE, "not text"),
        (no_choices(), FailureKind.EMPTY, "has no text"),
        (answer(""), FailureKind.EMPTY, "has no text"),
        (answer(None, finish_reason="content_filter"), FailureKind.EMPTY, "content_filter"),
        (answer(" \n\t"), FailureKind.EMPTY, "has no text"),
        (answer("```markdown\n\n```"), FailureKind.EMPTY, "empty code block"),
        (error(401, "bad key"), FailureKind.AUTH, "bad key"),
        (error(403, "no access"), FailureKind.AUTH, "no access"),
        (error(400, "image too large"), FailureKind.BAD_REQUEST, "image too large"),
        (error(404, "no such model"), FailureKind.BAD_REQUEST, "no such model"),
    ],
)
def test_read_when_asking_again_is_no_use_then_one_request_and_the_raw_answer(
    step: Step, kind: FailureKind, word: str
) -> None:
    sleeps = Sleeps()
    with OpenAIServer(step) as server:
        failed = failure_of(server, sleeps)
    assert (failed.kind, failed.attempts, server.count, sleeps) == (kind, 1, 1, [])
    assert word in str(failed.reason)
    assert failed.raw == step.body.decode()


def test_read_when_slow_then_timeout_after_the_recognisers_own_time() -> None:
    started = time.monotonic()
    with OpenAIServer([answer("late", delay_s=2), answer("in time")]) as server:
        reading = recogniser(server, settings={"timeout_s": 0.3}).recognise(png())
    assert (reading.text, reading.attempts) == ("in time", 2)
    assert time.monotonic() - started < 2


@pytest.mark.parametrize(
    "step",
    [
        answer("d" * 400, drip_s=0.05),
        answer("d", drip_headers_s=0.05),
        # Each part is in time by itself, all together are not.
        answer("d" * 40, delay_s=0.3, drip_s=0.05),
    ],
    ids=["body", "headers", "both"],
)
def test_read_when_the_reply_drips_then_timeout_though_every_byte_is_in_time(step: Step) -> None:
    started = time.monotonic()
    with OpenAIServer(step) as server:
        failed = failure_of(server, settings={"timeout_s": 0.4})
        took_s = time.monotonic() - started
    assert (failed.kind, failed.attempts) == (FailureKind.TIMEOUT, 4)
    assert took_s < 4 * 0.4 + 1.5


def test_read_when_the_server_takes_the_request_byte_by_byte_then_timeout() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        threading.Thread(target=_sip, args=(listening,), daemon=True).start()
        host = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        settings = EndpointSettings(base_url=host, model="eye-1", timeout_s=0.5)
        endpoint = OpenAIEndpoint(settings, policy=LOOPBACK, sleep=Sleeps(), keys=ApiKeys(environ={}))
        started = time.monotonic()
        with pytest.raises(ModelCallFailed) as caught:
            endpoint.chat([{"role": "user", "content": "x" * 2**24}], parameters={})
        took_s = time.monotonic() - started
    assert caught.value.kind is FailureKind.TIMEOUT
    assert took_s < 4 * 0.5 + 2


def _sip(listening: socket.socket) -> None:
    """Take some of each request at intervals, so that the sender never waits long for room."""
    with contextlib.suppress(OSError):
        while True:
            connection, _address = listening.accept()
            with connection, contextlib.suppress(OSError):
                while connection.recv(4096):
                    time.sleep(0.02)


@pytest.mark.parametrize(("asked", "waited"), [("30", 30), ("1", 5), ("2.5", 5), ("soon", 5)])
def test_read_when_retry_after_is_given_then_waits_at_least_that_long(asked: str, waited: float) -> None:
    sleeps = Sleeps()
    with OpenAIServer([refuse(retry_after=asked), answer("x")]) as server:
        recogniser(server, sleeps).recognise(png())
    assert sleeps == [waited]


def test_read_when_retry_after_is_a_date_then_waits_until_it() -> None:
    sleeps = Sleeps()
    moment = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    with OpenAIServer([refuse(retry_after=moment), answer("x")]) as server:
        recogniser(server, sleeps).recognise(png())
    assert 55 < sleeps[0] <= 60


def test_read_when_retry_after_is_an_hour_then_fails_now_and_tells_the_wait() -> None:
    sleeps = Sleeps()
    with OpenAIServer(refuse(retry_after="3600")) as server:
        failed = failure_of(server, sleeps)
    assert (failed.kind, failed.retry_after_s, sleeps, server.count) == (FailureKind.REFUSED, 3600, [], 1)


def test_read_when_nothing_listens_then_unreachable() -> None:
    with OpenAIServer(answer("x")) as server:
        pass
    failed = failure_of(server)
    assert (failed.kind, failed.attempts) == (FailureKind.UNREACHABLE, 4)
