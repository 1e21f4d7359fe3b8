"""Web server, workers and clock together, for one machine; all stop with Ctrl+C, and when this process is killed.

What stops by itself is started again while the others go on.
"""

from __future__ import annotations

import contextlib
import errno
import http.client
import os
import socket
import sys
import time
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection

from config.jobs.supervisor import Child, Supervisor, note_stop_signals
from config.jobs.workers import add_worker_options, worker_children

_WEB = "web server"
_WEB_MODULE = "config.web_server"
_BACKLOG = 1024  # connections that wait in the socket while a web process is busy or starts again


class Command(BaseCommand):
    help = "Start web server and workers; all stop with Ctrl+C. The rows keep what the workers had in hand."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=settings.WEB_HOST)
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--web-workers", type=int, default=2)
        add_worker_options(parser)

    def handle(
        self,
        *args: Any,
        host: str,
        port: int,
        web_workers: int,
        job_workers: int,
        endpoint_workers: int,
        **options: Any,
    ) -> None:
        os.environ["WEB_HOST"] = host  # the children's settings depend on it
        listening = _listen(host, port)
        web = [_WEB_MODULE, str(listening.fileno())]
        supervisor = Supervisor(
            [
                *(Child(_WEB, web, descriptors=[listening.fileno()]) for _ in range(web_workers)),
                *worker_children(job_threads=job_workers, endpoint_threads=endpoint_workers),
                Child("clock", _clock()),
            ],
            say=lambda line: self._say(line, is_error=True),
        )
        stopping = note_stop_signals()
        has_started = self._wait_for_answer(supervisor, stopping, host=host, port=port)
        is_held = False
        while has_started and not stopping:
            supervisor.check()
            is_held = is_held or _hold_database()
            time.sleep(0.3)
        self._say("Stopping ...")
        supervisor.stop()
        self._say("Stopped.")
        if not has_started and not stopping:
            sys.exit(1)

    def _wait_for_answer(self, supervisor: Supervisor, stopping: list[int], *, host: str, port: int) -> bool:
        """Print the address as soon as it answers; False when the web server fails before it ever did, which no
        second attempt will mend, or when it is to stop."""
        while not stopping:
            supervisor.check()
            if _WEB in supervisor.failed:
                self._say("The web server did not start; see above.", is_error=True)
                return False
            if _answers(host, port):
                self._say(self.style.SUCCESS(f"InkBench is at http://{host}:{port}/  (Ctrl+C stops it)"))
                return True
            time.sleep(0.3)
        return False

    def _say(self, line: str, *, is_error: bool = False) -> None:
        """A log that cannot be written, as on a full disk, stops nobody."""
        out = self.stderr if is_error else self.stdout
        with contextlib.suppress(OSError):
            out.write(line)
            out.flush()


def _hold_database() -> bool:
    """Keep one connection open: SQLite's shared files are then never removed, and reading goes on with a full disk.

    False where the disk is full already; to be tried again.
    """
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM django_migrations")
    except DatabaseError:
        return False
    return True


def _answers(host: str, port: int) -> bool:
    """True when a web server answers there, whatever it says; the address is printed no sooner."""
    connection = http.client.HTTPConnection(host, port, timeout=1)
    with contextlib.suppress(OSError, http.client.HTTPException), contextlib.closing(connection):
        connection.request("HEAD", "/accounts/login/")
        connection.getresponse()
        return True
    return False


def _listen(host: str, port: int) -> socket.socket:
    """A socket that all web processes share. Raises CommandError where there is none to be had."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(_BACKLOG)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CommandError(
                f"Port {port} is taken by another program. Choose one: make run PORT={port + 1}"
            ) from None
        raise CommandError(f"Cannot listen on {host}, port {port}: {error.strerror}.") from None
    return listening


def _clock() -> list[str]:
    # Not inside the worker (`--beat`): there it is a child that lives on, and ticks on, after a kill -9 of the worker.
    return ["celery", "--quiet", "-A", "config", "beat", "--pidfile", ""]
