"""The web server: waitress, which reads requests and sends responses in one thread and gives a thread only to a
whole request, with what it lacks: total deadlines, and ceilings on what clients that are not served may hold.

    python -m config.web_server DESCRIPTOR

DESCRIPTOR is a listening socket inherited from `manage.py serve`, which several of these processes share: connections
wait in it while one of them is started again.
"""

from __future__ import annotations

import contextlib
import io
import logging
import resource
import shutil
import signal
import socket
import struct
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.utilities import Error, RequestEntityTooLarge

from config.client_address import address_behind_proxies, block_of

log = logging.getLogger(__name__)

SMALL_BODY_BYTES = 64 * 1024  # kept in memory, never counted: what all connections hold of these is bounded
_CHECK_BYTES = 2**20  # how much of a body comes in between two looks at what there is room for
_RESET = struct.pack("ii", 1, 0)  # SO_LINGER: forget what the client did not read
_SPARE_DESCRIPTORS = 128  # database, files, logs


class _Busy(Error):  # type: ignore[misc]  # waitress ships no types
    code, reason = 503, "Service Unavailable"


class _DiskFull(Error):  # type: ignore[misc]
    code, reason = 507, "Insufficient Storage"


class _Discarded:
    """A buffer that keeps nothing."""

    def append(self, data: bytes) -> None:
        pass

    def close(self) -> None:
        pass

    def getfile(self) -> io.BytesIO:
        return io.BytesIO()

    def __len__(self) -> int:
        return 0


class Request(HTTPRequestParser):  # type: ignore[misc]
    """A request while it comes in; refused as soon as it is more than its client may send."""

    next_check = 0  # bytes of the body
    refusal: Error | None = None

    def __init__(self, adj: Adjustments, channel: Channel) -> None:
        super().__init__(adj)
        self.channel = channel

    def received(self, data: bytes) -> int:
        try:
            consumed: int = super().received(data)
        except OSError as error:  # the disk filled up in spite of the check
            log.warning("A request's body could not be kept: %s", error)
            self.refuse(_DiskFull("Not enough disk space. Try again later."))
            consumed = super().received(data)
        if self.refusal is None and self.headers_finished and not self.completed:
            self._check()
        if self.completed and self.refusal is not None:
            self.error = self.refusal
        return consumed

    def refuse(self, refusal: Error) -> None:
        """Forget the body. Who is signed in may send the rest of it, or the reply would be lost with the connection."""
        self.refusal = refusal
        self.body_rcv.getbuf().close()
        self.body_rcv.buf = _Discarded()
        self.completed = not self._names_somebody()

    def _check(self) -> None:
        size = max(self.content_length, self.body_bytes_received)
        if size <= SMALL_BODY_BYTES or self.body_bytes_received < self.next_check:
            return
        self.next_check = self.body_bytes_received + _CHECK_BYTES
        rest = size - self.body_bytes_received
        free = shutil.disk_usage(tempfile.gettempdir()).free
        if size > settings.WEB_ANONYMOUS_BODY_BYTES and not self._names_somebody():
            self.refuse(RequestEntityTooLarge("Sign in first."))
        elif not self.channel.server.has_room(self.address):
            self.refuse(_Busy("Too many uploads at once. Try again later."))
        elif free - rest - size < settings.WEB_KEEP_FREE_BYTES:  # the files in it are written again by Django
            self.refuse(_DiskFull("Not enough disk space. Try again later."))

    def _names_somebody(self) -> bool:
        cookies = self.headers.get("COOKIE", "")
        return "AUTHORIZATION" in self.headers or f"{settings.SESSION_COOKIE_NAME}=" in cookies

    @property
    def address(self) -> str:
        """What counts as one client."""
        forwarded = self.headers.get("X_FORWARDED_FOR", "")
        return block_of(address_behind_proxies(str(self.channel.addr[0]), forwarded))


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection that is cut when its client keeps the server waiting.

    Headers have a total deadline. A body and a response have an allowance of seconds that each byte adds to, as many as
    it takes at the slowest permitted rate, and that never exceeds what it was at first.
    """

    request: Request | None
    waits_for: tuple[str, object] = ("", None)
    deadline = 0.0

    def __init__(self, server: Server, sock: socket.socket, addr: Any, adj: Adjustments, map: Any) -> None:
        super().__init__(server, sock, addr, adj, map=map)
        self._wait(("headers", None), time.monotonic())

    def parser_class(self, adj: Adjustments) -> Request:
        return Request(adj, self)

    def received(self, data: bytes) -> bool:
        self._credit(len(data))
        return bool(super().received(data))

    def send(self, data: bytes, do_close: bool = True) -> int:
        sent = int(super().send(data, do_close=do_close))
        self._credit(sent)
        return sent

    def _credit(self, transferred: int) -> None:
        if self.waits_for[0] in ("body", "response"):
            longest = time.monotonic() + settings.WEB_TRANSFER_SECONDS
            self.deadline = min(self.deadline + transferred / settings.WEB_MIN_BYTES_PER_SECOND, longest)

    def _state(self) -> tuple[str, object]:
        request = self.request
        if self.total_outbufs_len:
            return "response", None
        if self.requests:
            return "server", None
        if request is None:
            is_new = self.last_activity == self.creation_time
            return ("headers", None) if is_new else ("idle", self.last_activity)
        return ("body" if request.headers_finished else "headers"), request

    def _wait(self, state: tuple[str, object], now: float) -> None:
        seconds = {
            "headers": settings.WEB_HEADER_SECONDS,
            "idle": settings.WEB_IDLE_SECONDS,
            "server": float("inf"),
        }.get(state[0], settings.WEB_TRANSFER_SECONDS)
        if not (state[0] == self.waits_for[0] == "headers" and self.waits_for[1] is None):
            # The first request's deadline counts from the connection's beginning.
            self.deadline = now + seconds
        self.waits_for = state

    def check_deadline(self, now: float) -> None:
        """Called every second by the thread that reads."""
        state = self._state()
        if state != self.waits_for:
            self._wait(state, now)
        if now > self.deadline:
            self.cut()

    def cut(self) -> None:
        """Close the connection although the client neither reads nor closes: poll() reports the shutdown."""
        self.will_close = True
        with contextlib.suppress(OSError):
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            self.socket.shutdown(socket.SHUT_RDWR)

    def held(self) -> tuple[str, int]:
        """Address and bytes of the bodies too large to be left uncounted, coming in or being served."""
        requests = [*self.requests, *([self.request] if self.request else [])]
        large = [r for r in requests if r.body_bytes_received > SMALL_BODY_BYTES and r.refusal is None]
        return (large[0].address if large else ""), sum(request.body_bytes_received for request in large)

    def handle_close(self) -> None:
        super().handle_close()
        if self.request is not None:  # half received: its temporary file ends with the connection
            self.request.close()
            self.request = None


class Server(TcpWSGIServer):  # type: ignore[misc]
    channel_class = Channel

    def maintenance(self, now: float) -> None:
        clock = time.monotonic()
        for channel in list(self.active_channels.values()):
            channel.check_deadline(clock)

    def readable(self) -> bool:
        """At the limit of connections the client that has kept the server waiting longest makes room."""
        if len(self.active_channels) >= self.adj.connection_limit - 2:  # the map holds the server's own two
            waiting = [c for c in self.active_channels.values() if not c.requests and not c.will_close]
            if waiting:
                min(waiting, key=lambda c: (c.held()[1] > 0, c.deadline)).cut()
        return bool(super().readable())

    def has_room(self, address: str) -> bool:
        """False where a body of this address is one too many; an address that holds more gives up its largest."""
        held: dict[str, int] = defaultdict(int)
        largest: dict[str, tuple[int, Channel]] = {}
        for channel in self.active_channels.values():
            of, size = channel.held()
            held[of] += size
            if size > largest.get(of, (0, None))[0]:
                largest[of] = (size, channel)
        if held[address] > settings.WEB_MAX_BODY_BYTES:
            return False
        if sum(held.values()) <= settings.WEB_BUFFER_BYTES:
            return True
        most = max(held, key=lambda of: held[of])
        if most == address:
            return False
        largest[most][1].cut()
        return True


def make_server(application: Any, listening: socket.socket) -> Server:
    adj = Adjustments(
        sockets=[listening],
        threads=settings.WEB_THREADS,
        recv_bytes=SMALL_BODY_BYTES,
        connection_limit=_connection_limit(),
        asyncore_use_poll=True,
        cleanup_interval=1,
        max_request_header_size=64 * 1024,
        max_request_body_size=settings.WEB_MAX_BODY_BYTES,
        inbuf_overflow=SMALL_BODY_BYTES,
        outbuf_high_watermark=2 * 2**20,
        # Responses stay in memory, so a full disk leaves them alone; files are sent as files.
        outbuf_overflow=2**30,
        log_socket_errors=False,
        clear_untrusted_proxy_headers=False,  # `TRUSTED_PROXIES` says which of them count
        ident="",
    )
    return Server(
        application,
        {},
        _sock=listening,
        adj=adj,
        sockinfo=(listening.family, listening.type, listening.proto, listening.getsockname()),
        bind_socket=False,
    )


def _connection_limit() -> int:
    """As set, or what the system's limit of open files leaves: a connection may have a temporary file."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    wanted: int = settings.WEB_CONNECTIONS
    return wanted if hard == resource.RLIM_INFINITY else min(wanted, (hard - _SPARE_DESCRIPTORS) // 2)


def main(arguments: Iterable[str]) -> None:
    (descriptor,) = arguments
    from config.wsgi import application  # noqa: PLC0415  # sets Django up

    # Bodies on the way in, without a name: gone with the process.
    tempfile.tempdir = settings.FILE_UPLOAD_TEMP_DIR
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    server = make_server(application, socket.socket(fileno=int(descriptor)))
    server.run()


if __name__ == "__main__":
    main(sys.argv[1:])
