"""How long a normal request waits while slow clients hold connections: `python -m benchmarks.slow_clients`.

Each server has two processes on an empty site of its own. The slow clients send half a head, half a body, or one byte
a second, or ask for a large file and never read it; meanwhile a normal client asks for the sign-in page, once a
connection. A request without an answer after `PATIENCE_SECONDS` is given up. Servers that are not installed are
skipped; ours is `config.web_server`, with everything it checks.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import importlib.util
import os
import selectors
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = "/accounts/login/"
CLIENTS = (0, 20, 200)
PATIENCE_SECONDS = 5
SAMPLES = 20
REQUESTS = 1_000
_HEAD = b"POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\n"
_COOKIE = (
    b"Cookie: csrftoken=" + b"f" * 32 + b"\r\n"
)  # without it the page is refused before its body is read
_BODY = _HEAD + _COOKIE + b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A web server; `command` gets the port and the descriptor of a listening socket on it, and uses one of them."""

    name: str
    module: str
    command: Callable[[int, int], list[str]]
    processes: int = 1  # to start


CANDIDATES = (
    Candidate("ours (waitress)", "waitress", lambda _, fd: ["config.web_server", str(fd)], processes=2),
    Candidate(
        "waitress as it comes", "waitress",
        lambda port, _: ["waitress", f"--listen=127.0.0.1:{port}", "--threads=8", "config.wsgi:application"],
    ),
    Candidate("gunicorn, 4 threads", "gunicorn", lambda port, _: _gunicorn(port, 4)),
    Candidate("gunicorn, 64 threads", "gunicorn", lambda port, _: _gunicorn(port, 64)),
    Candidate(
        "granian, WSGI", "granian",
        lambda port, _: [
            "granian", "--interface", "wsgi", "--host", "127.0.0.1", "--port", str(port), "--workers", "2",
            "--blocking-threads", "4", "config.wsgi:application",
        ],
    ),
    Candidate(
        "uvicorn, ASGI", "uvicorn",
        lambda port, _: [
            "uvicorn", "--port", str(port), "--workers", "2", "--log-level", "warning", "benchmarks.asgi:application",
        ],
    ),
)  # fmt: skip


def _gunicorn(port: int, threads: int) -> list[str]:
    return [
        "gunicorn", "--bind", f"127.0.0.1:{port}", "--workers", "2", "--threads", str(threads), "--timeout", "120",
        "--log-level", "error", "config.wsgi:application",
    ]  # fmt: skip


@contextlib.contextmanager
def running(candidate: Candidate, data: Path) -> Iterator[tuple[int, list[subprocess.Popen[bytes]]]]:
    """The port and processes of the server, which answers."""
    listening = socket.create_server(("127.0.0.1", 0), backlog=1024)
    port = listening.getsockname()[1]
    if candidate.processes == 1:
        listening.close()
    descriptor = listening.fileno()
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", *candidate.command(port, descriptor)],
            env={**os.environ, "INKBENCH_DATA": str(data), "DJANGO_SETTINGS_MODULE": "config.settings"},
            cwd=ROOT,
            pass_fds=[descriptor] if descriptor >= 0 else [],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        for _ in range(candidate.processes)
    ]
    try:
        until = time.monotonic() + 60
        while seconds_of_answer(port) is None:
            if time.monotonic() > until:
                raise SystemExit(f"{candidate.name} does not start")
            time.sleep(0.2)
        cpu_of_requests(port, processes, 80)  # every process has loaded its pages
        yield port, processes
    finally:
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        listening.close()


def seconds_of_answer(port: int) -> float | None:
    """None where there is none."""
    start = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
    try:
        connection.request("GET", PAGE)
        connection.getresponse().read()
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()
    return time.monotonic() - start


@contextlib.contextmanager
def slow_clients(port: int, count: int, kind: str, large_file: str) -> Iterator[list[float]]:
    """`count` connections that are opened again as soon as the server closes them; yields the ages at which it did."""
    ages: list[float] = []
    stop = threading.Event()

    def open_one(selector: selectors.BaseSelector) -> None:
        connection = socket.socket()
        if kind == "never reads":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", port))
        connection.setblocking(False)
        sent = {
            "half a head": _HEAD,
            "half a body": _BODY + b"a=1",
            "drips a head": _HEAD + b"X-A: ",
            "drips a body": _BODY,
            "never reads": f"GET {large_file} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode(),
        }[kind]
        connection.send(sent)
        selector.register(connection, selectors.EVENT_READ, time.monotonic())

    def hold() -> None:
        with selectors.DefaultSelector() as selector:
            for _ in range(count):
                open_one(selector)
            opened.set()
            next_drip = time.monotonic() + 1
            while not stop.is_set():
                time.sleep(0.1)
                drips = "drips" in kind and time.monotonic() > next_drip
                next_drip += drips
                for key in list(selector.get_map().values()):
                    if not is_closed(key.fileobj, kind, drips):  # type: ignore[arg-type]
                        continue
                    ages.append(time.monotonic() - key.data)
                    selector.unregister(key.fileobj)
                    key.fileobj.close()  # type: ignore[union-attr]
                    with contextlib.suppress(OSError):
                        open_one(selector)
            for key in list(selector.get_map().values()):
                key.fileobj.close()  # type: ignore[union-attr]

    opened = threading.Event()
    holder = threading.Thread(target=hold)
    holder.start()
    opened.wait(PATIENCE_SECONDS)
    time.sleep(1)
    try:
        yield ages
    finally:
        stop.set()
        holder.join()


def is_closed(connection: socket.socket, kind: str, drips: bool) -> bool:
    try:
        if drips:
            connection.send(b"a")
        if kind == "never reads":
            return connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) != 0
        return not connection.recv(4096)
    except BlockingIOError:
        return False
    except OSError:
        return True


def cpu_seconds(processes: list[subprocess.Popen[bytes]]) -> float:
    """Of the processes and all below them."""
    ticks = 0
    pids = [process.pid for process in processes]
    for pid in pids:
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
            for task in Path(f"/proc/{pid}/task").iterdir():
                pids += map(int, (task / "children").read_text().split())
    return ticks / os.sysconf("SC_CLK_TCK")


def cpu_of_requests(port: int, processes: list[subprocess.Popen[bytes]], count: int) -> float:
    """CPU seconds per 1,000 requests of a client that keeps its connections, four at a time."""

    def ask() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        for _ in range(count // 4):
            connection.request("GET", PAGE)
            connection.getresponse().read()
        connection.close()

    before = cpu_seconds(processes)
    clients = [threading.Thread(target=ask) for _ in range(4)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    return (cpu_seconds(processes) - before) / count * 1_000


def waits(port: int, samples: int) -> str:
    """Median and longest wait in milliseconds, and how many had no answer."""
    seconds_each: list[float | None] = []
    for _ in range(samples):
        seconds_each.append(seconds_of_answer(port))
        if seconds_each[-3:] == [None, None, None]:
            return "no answer"
    answered = [seconds * 1_000 for seconds in seconds_each if seconds is not None]
    lost = len(seconds_each) - len(answered)
    return f"{statistics.median(answered):.0f} / {max(answered):.0f} ms" + (f", {lost} lost" if lost else "")


def make_data(folder: Path) -> str:
    """An empty site; returns the address of its largest static file."""
    environment = {**os.environ, "INKBENCH_DATA": str(folder)}
    environment.pop("DATABASE_URL", None)
    for command in (["migrate", "-v0"], ["collectstatic", "--noinput", "-v0"]):
        subprocess.run([sys.executable, "manage.py", *command], env=environment, check=True, cwd=ROOT)
    large = folder / "static" / "large.bin"
    large.write_bytes(bytes(64 * 2**20))
    return "/static/large.bin"


def measure(candidate: Candidate, large_file: str, data: Path, *, samples: int, requests: int) -> None:
    with running(candidate, data) as (port, processes):
        print(
            f"{candidate.name}: {cpu_of_requests(port, processes, requests):.2f} CPU seconds per 1,000 requests"
        )
    for kind in ("half a head", "half a body", "drips a head", "drips a body", "never reads"):
        for count in CLIENTS:
            if not count and kind != "half a head":
                continue
            with running(candidate, data) as (port, _), slow_clients(port, count, kind, large_file):
                print(f"  {count:3} clients, {kind if count else '':12} {waits(port, samples)}", flush=True)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=SAMPLES)
    parser.add_argument("--requests", type=int, default=REQUESTS)
    parser.add_argument("--only", default="", help="names that begin so")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="inkbench-bench-") as name:
        large_file = make_data(Path(name))
        for candidate in CANDIDATES:
            if not candidate.name.startswith(options.only):
                continue
            if importlib.util.find_spec(candidate.module) is None:
                print(f"{candidate.name}: not installed, skipped")
                continue
            measure(candidate, large_file, Path(name), samples=options.samples, requests=options.requests)


if __name__ == "__main__":
    main()
