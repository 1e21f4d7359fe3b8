"""A small OpenAI-compatible server on loopback for tests: real HTTP, answers by script, keeps the requests.

    with OpenAIServer([refuse(retry_after="1"), answer("Dear Ann,")]) as server:
        ... base_url=server.base_url ...
        assert server.count == 2

The script is used up in order; its last step repeats. A step may also be a function of the request.
"""

from __future__ import annotations

import json
import ssl
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any


@dataclass(frozen=True, slots=True)
class Request:
    """A request as the server received it."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """One answer: status, body and headers; `delay_s` before it; `drip_s` between the bytes of its body,
    `drip_headers_s` between further headers that never end; `drop` closes the connection without a word."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    drip_s: float = 0.0
    drip_headers_s: float = 0.0
    drop: bool = False


Script = Step | Callable[[Request], Step]


def answer(text: str | None, *, model: str = "test-model", finish_reason: str = "stop", **more: Any) -> Step:
    """A chat answer with this text; `more` goes to the Step."""
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [
            {"index": 0, "finish_reason": finish_reason, "message": {"role": "assistant", "content": text}}
        ],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }
    return Step(body=json.dumps(body, ensure_ascii=False).encode(), **more)


def error(
    status: int, message: str, *, param: str | None = None, code: str | None = None, **more: Any
) -> Step:
    """An error in the shape OpenAI gives it."""
    body = {"error": {"message": message, "type": "error", "param": param, "code": code}}
    return Step(status=status, body=json.dumps(body).encode(), **more)


def refuse(*, retry_after: str | None = None) -> Step:
    """429, with Retry-After where given."""
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return error(429, "Rate limit reached", code="rate_limit_exceeded", headers=headers)


def garbage(body: bytes = b"<html>gateway</html>") -> Step:
    return Step(body=body, headers={"Content-Type": "text/html"})


def no_choices() -> Step:
    return Step(body=b'{"id": "x", "object": "chat.completion", "model": "test-model", "choices": []}')


def redirect(to: str) -> Step:
    return Step(status=307, headers={"Location": to})


def dropped() -> Step:
    return Step(drop=True)


def refuses_parameter(name: str, then: Step) -> Callable[[Request], Step]:
    """400 while the request has the parameter, `then` without it."""

    def choose(request: Request) -> Step:
        if name in request.body:
            return error(
                400,
                f"Unsupported parameter: '{name}' is not supported with this model.",
                param=name,
                code="unsupported_parameter",
            )
        return then

    return choose


class OpenAIServer:
    """Serves the script on a free port of 127.0.0.1 from `with` to its end; over TLS with a `certificate` file
    that holds key and certificate."""

    def __init__(self, script: Sequence[Script] | Script, *, certificate: Path | None = None) -> None:
        self.script: list[Script] = list(script) if isinstance(script, Sequence) else [script]
        self.requests: list[Request] = []
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler_for(self))
        self._http.daemon_threads = True
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._http.socket = context.wrap_socket(self._http.socket, server_side=True)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def port(self) -> int:
        return self._http.server_address[1]

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def count(self) -> int:
        return len(self.requests)

    def take(self, request: Request) -> Step:
        """Record a request and choose its answer."""
        with self._lock:
            self.requests.append(request)
            step = self.script[min(len(self.requests), len(self.script)) - 1]
        return step(request) if callable(step) else step

    def __enter__(self) -> OpenAIServer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


def _handler_for(server: OpenAIServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            step = server.take(Request(self.path, headers, json.loads(raw or b"{}")))
            time.sleep(step.delay_s)
            try:
                self._send(step)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True  # the client gave up waiting

        def _send(self, step: Step) -> None:
            self.close_connection = True
            if step.drop:
                return
            self.send_response(step.status)
            for name, value in {"Content-Type": "application/json", **step.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(step.body)))
            self.send_header("Connection", "close")
            while step.drip_headers_s:
                self.send_header("X-More", "x")
                self.flush_headers()
                time.sleep(step.drip_headers_s)
            self.end_headers()
            size = 1 if step.drip_s else max(len(step.body), 1)
            for start in range(0, len(step.body), size):
                self.wfile.write(step.body[start : start + size])
                self.wfile.flush()
                time.sleep(step.drip_s)

        def log_message(self, format: str, *args: Any) -> None:
            """Silent: the tests read `requests`."""

    return Handler
