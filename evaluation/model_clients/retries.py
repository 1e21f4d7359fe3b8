"""When a request is sent again, and after which wait."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from evaluation.model_clients.failures import FailureKind, ModelCallFailed

BACKOFF_S = (5.0, 10.0, 20.0)
MAX_RETRY_AFTER_S = 120.0  # no worker sleeps longer; the job decides when to try again

RETRIED = frozenset(
    {FailureKind.TIMEOUT, FailureKind.REFUSED, FailureKind.SERVER_ERROR, FailureKind.UNREACHABLE}
)


def wait_before_retry(failure: ModelCallFailed, *, retries: int) -> float | None:
    """Seconds to wait after `retries` retries, or None if there is no further one."""
    if failure.kind not in RETRIED or retries >= len(BACKOFF_S):
        return None
    requested_s = failure.retry_after_s or 0.0
    return None if requested_s > MAX_RETRY_AFTER_S else max(BACKOFF_S[retries], requested_s)


def read_retry_after(value: str) -> float | None:
    """The seconds from now of a Retry-After header, which is a number or a date; None for anything else.

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
