"""Web server and worker together, for one machine; both stop with Ctrl+C."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from argparse import ArgumentParser
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

GRACE_SECONDS = 10


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
        commands = {
            "web server": _gunicorn(host, port, web_workers),
            "worker": _worker(job_workers),
            "clock": _clock(),
        }
        # A session of its own for each: Ctrl+C reaches this process alone, which then stops them in order.
        children = {
            name: subprocess.Popen(command, start_new_session=True) for name, command in commands.items()
        }
        stopping = _stop_on_signals()
        self.stdout.write(self.style.SUCCESS(f"InkBench is at http://{host}:{port}/  (Ctrl+C stops it)"))
        while not stopping:
            for name, child in children.items():
                if child.poll() is not None:
                    self.stderr.write(
                        f"The {name} stopped by itself (exit {child.returncode}); stopping the rest."
                    )
                    stopping.append(1)
            time.sleep(0.3)
        self.stdout.write("Stopping ...")
        for child in children.values():
            child.terminate()
        ended = time.monotonic() + GRACE_SECONDS
        for child in children.values():
            try:
                child.wait(timeout=max(0.1, ended - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        self.stdout.write("Stopped.")


def _gunicorn(host: str, port: int, workers: int) -> list[str]:
    return [
        sys.executable, "-m", "gunicorn", "config.wsgi:application",
        "--bind", f"{host}:{port}", "--workers", str(workers), "--threads", "4",
        "--timeout", "120", "--log-level", "warning",
    ]  # fmt: skip


def _worker(workers: int) -> list[str]:
    return [
        sys.executable, "-m", "celery", "-A", "config", "worker",
        # Threads: an import may then decode pages in processes of its own, which a prefork worker forbids.
        "--pool", "threads", "--concurrency", str(workers), "--loglevel", "warning", "--without-gossip",
        "--without-mingle",
    ]  # fmt: skip


def _clock() -> list[str]:
    # Not inside the worker (`--beat`): there it is a child that lives on, and ticks on, after a kill -9 of the worker.
    return [
        sys.executable, "-m", "celery", "-A", "config", "beat", "--pidfile", "",
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
