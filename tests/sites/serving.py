"""A site served by `manage.py serve`, to be killed and started again, and people who use it by HTTP."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import httpx2

from tests.sites.databases import ROOT
from tests.sites.site import Site
from tests.waiting import PATIENCE_SECONDS, wait_until

_TOKEN = "f" * 32  # of the test's own choosing: the cookie and the header only have to be the same


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(slots=True)
class Serving:
    """Web server and worker of a site as real processes, from `with` to its end."""

    site: Site
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Serving:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *details: object) -> None:
        self.stop()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        return self.site.data / "serve.log"

    def start(self) -> None:
        """Returns when the web server answers; nothing is started where it only has to come back."""
        if self.process is None or self.process.poll() is not None:
            with self.log.open("ab") as log:
                self.process = subprocess.Popen(
                    [sys.executable, str(ROOT / "manage.py"), "serve", "--port", str(self.port)],
                    env=self.site.environment(),
                    cwd=ROOT,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                )
        wait_until(self._is_up, f"{self.url} to answer")

    def kill(self, *, power_cut: bool) -> None:
        """kill -9: in a power cut of every process at once, otherwise of web server, worker and clock themselves, whose
        children must find out. Returns when all of them are gone; after a power cut nothing of the site runs."""
        assert self.process is not None
        tree = _tree(self.process.pid)
        victims = [self.process.pid, *tree] if power_cut else children_of(self.process.pid)
        for pid in victims:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if power_cut:
            self.process.wait(timeout=PATIENCE_SECONDS)
            tree = []
        wait_until(
            lambda: not (_living(tree) or (power_cut and self.processes())),
            f"the end of all processes that ran: {self.processes()}",
        )

    def stop(self) -> None:
        """As Ctrl+C does it."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=PATIENCE_SECONDS)

    def processes(self) -> list[str]:
        """Command lines of what runs on this site's data folder, whoever is its parent now."""
        mark = f"INKBENCH_DATA={self.site.data}\0".encode()
        processes = []
        for entry in Path("/proc").iterdir():
            with contextlib.suppress(OSError):
                if entry.name.isdecimal() and mark in (entry / "environ").read_bytes() + b"\0":
                    processes.append((entry / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        return processes

    def _is_up(self) -> bool:
        assert self.process is not None and self.process.poll() is None, self.log.read_text()[-3000:]
        with contextlib.suppress(httpx2.TransportError):
            status = httpx2.get(f"{self.url}/accounts/login/", timeout=30).status_code
            assert status == 200, self.log.read_text()[-3000:]
            return True
        return False


def children_of(pid: int) -> list[int]:
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        return []


def _tree(pid: int) -> list[int]:
    return [process for child in children_of(pid) for process in (child, *_tree(child))]


def _living(pids: list[int]) -> list[int]:
    """Those that have not ended; a zombie has."""
    return [pid for pid in pids if command_of(pid)]


def command_of(pid: int) -> str:
    """The command line; empty when the process has ended."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    return ""


def sign_in_all(site: Site) -> dict[str, str]:
    """A session key for every account of the site by its name, as if each had just signed in."""
    printed = site.script(
        "from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY\n"
        "from django.contrib.sessions.backends.db import SessionStore\n"
        "from config.accounts.models import User\n"
        "for user in User.objects.all():\n"
        "    session = SessionStore()\n"
        "    session[SESSION_KEY] = str(user.pk)\n"
        "    session[BACKEND_SESSION_KEY] = 'django.contrib.auth.backends.ModelBackend'\n"
        "    session[HASH_SESSION_KEY] = user.get_session_auth_hash()\n"
        "    session.save()\n"
        "    print(user.username, session.session_key)\n"
    )
    return dict(line.split() for line in printed.splitlines())


def client_of(serving: Serving, session: str) -> httpx2.Client:
    """Somebody's browser, as far as a web server can tell."""
    return httpx2.Client(
        base_url=serving.url,
        cookies={"sessionid": session, "csrftoken": _TOKEN},
        headers={"X-CSRFToken": _TOKEN},
        timeout=PATIENCE_SECONDS,
    )


def value_of(page: str, name: str) -> str:
    """A hidden field of the page's own form."""
    match = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert match, page
    return match.group(1)
