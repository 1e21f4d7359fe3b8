"""Network connections that share one deadline, whatever they do: connect, TLS, sending, headers and body.

The HTTP library's own timeouts limit single reads and writes, so an endpoint that sends or takes one byte at a time
could hold a connection for ever.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterable
from dataclasses import dataclass

import httpcore2


@dataclass(slots=True)
class Deadline:
    """A moment of the monotonic clock; `set` starts it anew."""

    moment: float = 0.0

    def set(self, seconds: float) -> None:
        self.moment = time.monotonic() + seconds

    def seconds_left(self, late: type[httpcore2.TimeoutException]) -> float:
        """Above 0. Raises `late` when nothing is left."""
        left = self.moment - time.monotonic()
        if left <= 0:
            raise late("the deadline of the request has passed")
        return left


class DeadlineBackend(httpcore2.NetworkBackend):
    """TCP connections of which no operation lasts beyond the deadline; the library's own timeouts are not used."""

    def __init__(self, deadline: Deadline) -> None:
        self._deadline = deadline
        self._inner = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        left = self._deadline.seconds_left(httpcore2.ConnectTimeout)
        stream = self._inner.connect_tcp(host, port, left, local_address, socket_options)
        return _DeadlineStream(stream, self._deadline)


class _DeadlineStream(httpcore2.NetworkStream):
    def __init__(self, inner: httpcore2.NetworkStream, deadline: Deadline) -> None:
        self._inner = inner
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, self._deadline.seconds_left(httpcore2.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """The inner stream would give each part of the buffer the whole time again."""
        connection = self._inner.get_extra_info("socket")
        rest = memoryview(buffer)
        while rest:
            connection.settimeout(self._deadline.seconds_left(httpcore2.WriteTimeout))
            try:
                rest = rest[connection.send(rest) :]
            except TimeoutError as error:
                raise httpcore2.WriteTimeout(str(error)) from error
            except OSError as error:
                raise httpcore2.WriteError(str(error)) from error

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        left = self._deadline.seconds_left(httpcore2.ConnectTimeout)
        return _DeadlineStream(self._inner.start_tls(ssl_context, server_hostname, left), self._deadline)

    def get_extra_info(self, info: str) -> object:
        return self._inner.get_extra_info(info)
