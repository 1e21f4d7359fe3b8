"""Clients that repeat a request until it is answered, beside a site that is killed and comes back."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import httpx2

from tests.sites.serving import Serving
from tests.waiting import PATIENCE_SECONDS


def until_answered(ask: Callable[[], httpx2.Response], hold: Callable[[], None]) -> httpx2.Response:
    """The answer to a request, which is repeated as long as the server is dead. `hold` returns when it may be back."""
    until = time.monotonic() + 2 * PATIENCE_SECONDS
    while True:
        try:
            return ask()
        except httpx2.TransportError:
            assert time.monotonic() < until
            hold()
            time.sleep(0.05)


class Outage:
    """The time between a kill and the site's return, in which clients wait."""

    def __init__(self) -> None:
        self._is_over = threading.Event()

    def wait(self) -> None:
        assert self._is_over.wait(timeout=2 * PATIENCE_SECONDS)

    def seconds_of(self, work: Sequence[Callable[[], None]], kill: Callable[[], None] | None) -> float:
        """How long all of them take at once; `kill` runs beside them and returns when the site is up again."""
        start = time.monotonic()
        with ThreadPoolExecutor(len(work)) as pool:
            working = [pool.submit(part) for part in work]
            try:
                if kill is not None:
                    kill()
            finally:
                self._is_over.set()
            for future in working:
                future.result()
        return time.monotonic() - start


def kill_after(seconds: float, serving: Serving, *, power_cut: bool) -> Callable[[], None]:
    def kill() -> None:
        time.sleep(seconds)
        serving.kill(power_cut=power_cut)
        serving.start()

    return kill
