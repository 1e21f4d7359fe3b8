"""The web server in front of a small application, with clients that are slow in every way."""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import io
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import RequestFactory

from config.downloads import send_file
from config.web_server import Server, make_server
from tests.waiting import wait_until

HEAD = b"POST / HTTP/1.1\r\nHost: localhost\r\n"
SESSION = b"Cookie: sessionid=x\r\n"
LARGE = 8 * 2**20


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Says what it got; `/large` is more than any buffer between the server and a client."""
    body = environ["wsgi.input"].read()
    start_response("200 OK", [])
    if environ["PATH_INFO"] == "/large":
        return (bytes(2**20) for _ in range(64))
    if environ["PATH_INFO"] == "/part":
        response = send_file(
            RequestFactory().get("/", headers={"Range": "bytes=1-"}), io.BytesIO(bytes(64 * 2**20)),
            name="a", size=64 * 2**20, etag="e", content_type="text/plain",
        )  # fmt: skip
        return environ["wsgi.file_wrapper"](response.file_to_stream)
    return [f"{hashlib.sha256(body).hexdigest()} {environ.get('HTTP_X_FORWARDED_PROTO', '')}".encode()]


@pytest.fixture
def server(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """One thread serves requests, so that whoever holds it stops the site."""
    settings.WEB_THREADS = 1
    settings.WEB_HEADER_SECONDS = settings.WEB_TRANSFER_SECONDS = 1.5
    settings.WEB_KEEP_FREE_BYTES = 0
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    running = make_server(application, socket.create_server(("127.0.0.1", 0)))
    stop = threading.Event()

    def loop() -> None:
        while not stop.is_set():
            running.asyncore.loop(timeout=0.1, map=running._map, use_poll=True, count=1)

    thread = threading.Thread(target=loop)
    thread.start()
    yield running
    stop.set()
    thread.join()
    for channel in list(running.active_channels.values()):
        channel.handle_close()
    running.task_dispatcher.shutdown()
    running.close()


@contextlib.contextmanager
def connected(server: Server, sent: bytes = b"", *, receive_buffer: int = 0) -> Iterator[socket.socket]:
    with socket.socket() as client:
        if receive_buffer:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        client.settimeout(20)
        client.connect(("127.0.0.1", int(server.effective_port)))
        client.sendall(sent)
        yield client


def reply_to(client: socket.socket) -> bytes:
    """All until the end of the connection; empty when it is cut without a reply."""
    received = b""
    with contextlib.suppress(ConnectionError):
        while data := client.recv(1 << 16):
            received += data
    return received


def status_of(client: socket.socket) -> int:
    reply = client.recv(100)
    assert reply, "no reply"
    return int(reply.split()[1])


def seconds_of_answer(server: Server) -> float:
    start = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", int(server.effective_port), timeout=20)
    connection.request("GET", "/")
    assert connection.getresponse().status == 200
    connection.close()
    return time.monotonic() - start


def body_of(size: int, *, head: bytes = SESSION) -> bytes:
    return HEAD + head + f"Content-Length: {size}\r\n\r\n".encode()


@pytest.mark.parametrize("start", [b"", HEAD, body_of(1_000)], ids=["nothing", "half a head", "half a body"])
def test_request_when_clients_stay_silent_then_others_are_served_and_they_are_cut(
    server: Server, start: bytes
) -> None:
    with contextlib.ExitStack() as stack:
        silent = [stack.enter_context(connected(server, start)) for _ in range(20)]
        assert seconds_of_answer(server) < 1
        begun = time.monotonic()
        assert {reply_to(client) for client in silent} == {b""}
        assert time.monotonic() - begun < 6


@pytest.mark.parametrize("start", [HEAD + b"X: ", body_of(1_000)], ids=["head", "body"])
def test_request_when_a_client_drips_then_it_is_cut(server: Server, start: bytes) -> None:
    begun = time.monotonic()
    with connected(server, start) as client, pytest.raises(ConnectionError):
        while time.monotonic() - begun < 10:
            client.sendall(b"a")
            time.sleep(0.2)


def test_request_when_its_body_is_slow_but_above_the_rate_then_it_is_served(
    server: Server, settings: Any
) -> None:
    settings.WEB_MIN_BYTES_PER_SECOND = 2_000
    with connected(server, body_of(20_000)) as client:
        for _ in range(20):
            client.sendall(bytes(1_000))
            time.sleep(0.2)
        assert status_of(client) == 200


def test_response_when_a_client_never_reads_it_then_it_is_cut_and_gives_its_thread_back(
    server: Server,
) -> None:
    ask = b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with connected(server, ask, receive_buffer=4096):
        assert seconds_of_answer(server) < 6
        wait_until(lambda: not server.active_channels, "the connection to be cut", seconds=10)


def test_response_when_it_is_a_part_of_a_file_then_it_holds_no_thread(server: Server) -> None:
    with connected(server, b"GET /part HTTP/1.1\r\nHost: localhost\r\n\r\n", receive_buffer=4096):
        assert seconds_of_answer(server) < 1


def test_response_when_a_client_reads_it_slowly_but_above_the_rate_then_it_gets_all(
    server: Server, settings: Any
) -> None:
    settings.WEB_MIN_BYTES_PER_SECOND = 2**20
    received = 0
    with connected(server, b"GET /large HTTP/1.0\r\n\r\n", receive_buffer=4096) as client:
        while data := client.recv(2**20):
            received += len(data)
            time.sleep(len(data) / (16 * 2**20))
    assert received > 64 * 2**20


def test_request_when_its_body_is_large_then_only_with_a_session_or_a_token(server: Server) -> None:
    for head, status in ((b"", 413), (SESSION, 200), (b"Authorization: Bearer x\r\n", 200)):
        content = bytes(LARGE)
        with connected(server, body_of(LARGE, head=head)) as client:
            if status == 200:
                client.sendall(content)
            assert status_of(client) == status
    with connected(server, HEAD + b"Transfer-Encoding: chunked\r\n\r\n") as client:
        client.sendall(b"20000\r\n" + bytes(0x20000) + b"\r\n")
        assert status_of(client) == 413


def test_request_when_its_body_is_large_then_the_application_gets_all_and_no_file_stays(
    server: Server, tmp_path: Path
) -> None:
    content = bytes(range(256)) * (LARGE // 256)
    with connected(server, body_of(LARGE, head=SESSION + b"Connection: close\r\n") + content) as client:
        assert hashlib.sha256(content).hexdigest().encode() in reply_to(client)
    assert list(tmp_path.iterdir()) == []


def test_request_when_the_disk_has_too_little_room_then_small_bodies_alone_are_taken(
    server: Server, settings: Any
) -> None:
    settings.WEB_KEEP_FREE_BYTES = 2**60
    with connected(server, body_of(LARGE) + bytes(LARGE)) as client:
        assert status_of(client) == 507  # which a browser shows only after it has sent everything
    with connected(server, body_of(1_000) + bytes(1_000)) as client:
        assert status_of(client) == 200


def test_request_when_one_address_sends_too_much_at_once_then_its_last_body_is_refused(
    server: Server, settings: Any
) -> None:
    settings.WEB_BUFFER_BYTES = LARGE
    with connected(server, body_of(2 * LARGE) + bytes(LARGE)):
        wait_until(lambda: held_by(server) == LARGE, "the body to come in", seconds=10)
        with connected(server, body_of(LARGE) + bytes(LARGE)) as second:
            assert status_of(second) == 503
        assert held_by(server) == LARGE


def test_request_when_the_buffer_is_full_then_the_address_that_holds_most_gives_up_its_largest(
    server: Server, settings: Any
) -> None:
    settings.WEB_BUFFER_BYTES = LARGE
    settings.TRUSTED_PROXIES = 1
    settings.WEB_TRANSFER_SECONDS = 20

    def head(address: str) -> bytes:
        return SESSION + f"X-Forwarded-For: 9.9.9.9, {address}\r\n".encode()

    sizes = {"1.1.1.1": 4 * 2**20 + 1, "2.2.2.2": 3 * 2**20, "3.3.3.3": 3 * 2**20}
    with contextlib.ExitStack() as stack:
        clients = []
        for address, size in sizes.items():
            sent = body_of(size + 1, head=head(address)) + bytes(size)
            clients.append(stack.enter_context(connected(server, sent)))
            wait_until(lambda: held_by(server) >= sizes["1.1.1.1"] or len(clients) > 1, "a body", seconds=10)
        first, second, third = clients
        assert reply_to(first) == b""
        for client in (second, third):
            client.sendall(b"0")
            assert status_of(client) == 200


def held_by(server: Server) -> int:
    return sum(channel.held()[1] for channel in list(server.active_channels.values()))


def test_request_when_all_connections_are_taken_then_the_slowest_makes_room(
    settings: Any, request: pytest.FixtureRequest
) -> None:
    settings.WEB_CONNECTIONS = 12
    server: Server = request.getfixturevalue("server")
    settings.WEB_HEADER_SECONDS = 60
    with contextlib.ExitStack() as stack:
        silent = [stack.enter_context(connected(server, HEAD)) for _ in range(40)]
        assert seconds_of_answer(server) < 2
        assert reply_to(silent[0]) == b""
        wait_until(lambda: len(server.active_channels) <= 12, "the connections to be few", seconds=5)


def test_request_when_a_proxy_names_the_scheme_then_the_application_hears_it(server: Server) -> None:
    head = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: https\r\nConnection: close\r\n\r\n"
    with connected(server, head) as client:
        assert reply_to(client).endswith(b" https")
