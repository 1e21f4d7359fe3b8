"""Web server and worker together, for one machine; both stop with Ctrl+C, and when this process is killed."""

from __future__ import annotations

import contextlib
import errno
import signal
import socket
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.jobs.child_process import GRACE_SECONDS

_TIED = (sys.executable, "-m", "config.jobs.child_process")


class Command(BaseCommand):
    help = "Start web server and worker; both stop with Ctrl+C. The rows keep what the worker had in hand."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--web-workers", type=int, default=2)
        parser.add_argument("--job-workers", type=int, default=2)

    def handle(
        self, *args: Any, host: str, port: int, web_workers: int, job_workers: int, **options: Any
    ) -> None:
        if _is_taken(host, port):
            raise CommandError(
                f"Port {port} is taken by another program. Choose one: make run PORT={port + 1}"
            )
        commands = {
            "web server": _gunicorn(host, port, web_workers),
            "worker": _worker(job_workers),
            "clock": _clock(),
        }
        stopping = _stop_on_signals()
        # A session of its own for each: Ctrl+C reaches this process alone, which then stops them in order.
        # The pipe closes with this process, however it ends, and they end with it.
        children = {
            name: subprocess.Popen([*_TIED, *command], start_new_session=True, stdin=subprocess.PIPE)
            for name, command in commands.items()
        }
        has_failed = self._watch(children, stopping, host=host, port=port)
        self.stdout.write("Stopping ...")
        _stop(list(children.values()))
        self.stdout.write("Stopped.")
        if has_failed:
            sys.exit(1)

    def _watch(
        self, children: dict[str, subprocess.Popen[bytes]], stopping: list[int], *, host: str, port: int
    ) -> bool:
        """Wait for Ctrl+C, printing the address as soon as it answers; True when a child stopped by itself."""
        is_reported = has_failed = False
        while not stopping and not has_failed:
            if not is_reported and _answers(host, port):
                is_reported = True
                self.stdout.write(
                    self.style.SUCCESS(f"InkBench is at http://{host}:{port}/  (Ctrl+C stops it)")
                )
                self.stdout.flush()
            for name, child in children.items():
                if child.poll() is not None:
                    has_failed = True
                    self.stderr.write(
                        f"The {name} stopped by itself (exit {child.returncode}); stopping the rest."
                    )
            time.sleep(0.3)
        return has_failed


def _stop(children: Sequence[subprocess.Popen[bytes]]) -> None:
    """Ask them to end, and after the grace make them."""
    for child in children:
        child.terminate()
    ended = time.monotonic() + GRACE_SECONDS
    for child in children:
        try:
            child.wait(timeout=max(0.1, ended - time.monotonic()))
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def _answers(host: str, port: int) -> bool:
    """True when somebody listens there; the address is printed no sooner, or the first click meets nobody."""
    with contextlib.suppress(OSError), socket.create_connection((host, port), timeout=1):
        return True
    return False


def _is_taken(host: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as gunicorn does
        try:
            probe.bind((host, port))
        except OSError as error:
            return error.errno == errno.EADDRINUSE
    return False


def _gunicorn(host: str, port: int, workers: int) -> list[str]:
    return [
        "gunicorn", "config.wsgi:application",
        "--bind", f"{host}:{port}", "--workers", str(workers), "--threads", "4",
        "--timeout", "120", "--log-level", "warning",
    ]  # fmt: skip


def _worker(workers: int) -> list[str]:
    return [
        "celery", "--quiet", "-A", "config", "worker",
        # Threads: an import may then decode pages in processes of its own, which a prefork worker forbids.
        "--pool", "threads", "--concurrency", str(workers), "--loglevel", "warning", "--without-gossip",
        "--without-mingle",
    ]  # fmt: skip


def _clock() -> list[str]:
    # Not inside the worker (`--beat`): there it is a child that lives on, and ticks on, after a kill -9 of the worker.
    return [
        "celery", "--quiet", "-A", "config", "beat", "--pidfile", "",
        "--schedule", settings.CELERY_BEAT_SCHEDULE_FILENAME, "--loglevel", "warning",
    ]  # fmt: skip


def _stop_on_signals() -> list[int]:
    received: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        received.append(number)

    signal.signal(signal.SIGINT, note)
    signal.signal(signal.SIGTERM, note)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # under nohup it is to outlive its terminal
        signal.signal(signal.SIGHUP, note)
    return received
