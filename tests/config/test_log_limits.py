from __future__ import annotations

import logging

import pytest

from config import log_limits
from config.log_limits import LINES_A_MINUTE, RepeatFilter


def record(line: int, text: str = "broken %s") -> logging.LogRecord:
    return logging.LogRecord("name", logging.WARNING, "module.py", line, text, ("pipe",), None)


def test_filter_when_a_line_repeats_itself_then_the_rest_is_left_out_and_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limit = RepeatFilter()
    written = [limit.filter(record(1)) for _ in range(LINES_A_MINUTE + 5)]
    assert sum(written) == LINES_A_MINUTE and not written[-1]
    assert limit.filter(record(2))  # another line
    monkeypatch.setattr(log_limits, "_WINDOW_SECONDS", 0)
    later = record(1)
    assert limit.filter(later)
    assert later.getMessage() == "broken pipe (5 more like this were left out)"
