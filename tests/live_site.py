"""The whole site as `manage.py serve` runs it: own data folder, SQLite, gunicorn, worker, embedded broker."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class LiveSite:
    """A running site; `manage` runs a management command on its data, `url` is its root without a slash."""

    url: str
    environment: dict[str, str]

    def manage(self, *arguments: str, feed: str = "") -> str:
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            input=feed,
            capture_output=True,
            text=True,
            check=True,
            timeout=900,
        ).stdout

    def add_people(self, *names: str, password: str) -> None:
        """Accounts without any role, as sign-up would make them."""
        self.manage(
            "shell",
            "-c",
            "from config.accounts.models import User\n"
            f"for name in {names!r}: User.objects.create_user(username=name, password={password!r})",
        )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def live_site(folder: Path, **environment: str) -> Iterator[LiveSite]:
    """Migrate and serve in `folder` until the block ends; the log is folder/serve.log."""
    port = free_port()
    env = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DATABASE_URL", "DJANGO_SETTINGS_MODULE")
    }
    env |= {"INKBENCH_DATA": str(folder), "PYTHONUNBUFFERED": "1"} | environment
    site = LiveSite(url=f"http://127.0.0.1:{port}", environment=env)
    site.manage("migrate", "--verbosity", "0")
    site.manage("collectstatic", "--noinput", "--verbosity", "0")
    with (folder / "serve.log").open("wb") as log:
        server = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", str(port), "--job-workers", "1"],
            cwd=ROOT,
            env=env,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        _wait_until_up(site, server, folder / "serve.log")
        yield site
    finally:
        server.send_signal(signal.SIGINT)
        try:
            server.wait(timeout=30)
        except subprocess.TimeoutExpired:
            server.kill()


def _wait_until_up(site: LiveSite, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(240):
        if server.poll() is not None:
            break
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{site.url}/accounts/login/", timeout=5):
            return
        time.sleep(0.5)
    raise RuntimeError(f"the site did not come up:\n{log.read_text(errors='replace')[-3000:]}")
