"""Waiting for what other processes do."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_SECONDS = 240  # machines that run everything at once are slow


def wait_until(is_so: Callable[[], bool], what: str, *, seconds: float = PATIENCE_SECONDS) -> None:
    """Return as soon as it is so; fail with `what` when it never is."""
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until, f"waited {seconds} s in vain: {what}"
        time.sleep(0.1)
