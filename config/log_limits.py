"""A log that does not fill the disk: of lines that repeat themselves a few are written a minute, the rest counted."""

from __future__ import annotations

import logging
import threading
import time

LINES_A_MINUTE = 20
_WINDOW_SECONDS = 60
_MOST_KINDS = 1_000


class RepeatFilter(logging.Filter):
    """Lines are alike that come from one place in the code, with one kind of exception."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._counts: dict[object, tuple[float, int]] = {}  # beginning of the minute, lines in it

    def filter(self, record: logging.LogRecord) -> bool:
        kind = (record.name, record.pathname, record.lineno, record.exc_info[0] if record.exc_info else None)
        now = time.monotonic()
        with self._lock:
            since, count = self._counts.get(kind, (now, 0))
            left_out = 0
            if now - since >= _WINDOW_SECONDS:
                left_out = max(count - LINES_A_MINUTE, 0)
                since, count = now, 0
            if len(self._counts) >= _MOST_KINDS:
                self._counts.clear()
            self._counts[kind] = (since, count + 1)
        if left_out:
            record.msg = f"{record.getMessage()} ({left_out} more like this were left out)"
            record.args = None
        return count < LINES_A_MINUTE
