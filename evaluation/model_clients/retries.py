"""When a question is asked again, and how long we wait before it."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from evaluation.model_clients.failures import FailureKind, ModelCallFailed

BACKOFF_S = (5.0, 10.0, 20.0)
MAX_RETRY_AFTER_S = 120.0  # a longer rest is left to the job: no worker sleeps through it

RETRIED = frozenset(
    {FailureKind.TIMEOUT, FailureKind.REFUSED, FailureKind.SERVER_ERROR, FailureKind.UNREACHABLE}
)


def wait_before_retry(failure: ModelCallFailed, *, retries: int) -> float | None:
    """Seconds until the next try after `retries` of them, or None when there is none."""
    if failure.kind not in RETRIED or retries >= len(BACKOFF_S):
        return None
    asked_s = failure.retry_after_s or 0.0
    return None if asked_s > MAX_RETRY_AFTER_S else max(BACKOFF_S[retries], asked_s)


def read_retry_after(value: str) -> float | None:
    """A Retry-After header in seconds from now, given as a number or as a date; None where it is neither.

    >>> read_retry_after("30")
    30.0
    """
    value = value.strip()
    if re.fullmatch(r"\d+(\.\d+)?", value):
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
