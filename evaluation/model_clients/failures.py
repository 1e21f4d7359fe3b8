"""What can go wrong when a model is asked: a closed list of kinds, and one exception with the facts."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from evaluation.errors import LocalizedError


class FailureKind(StrEnum):
    """Why there is no usable reply. The values are stored, so their meaning never changes."""

    TIMEOUT = "timeout"
    REFUSED = "refused"  # 429: too many requests, or the quota is used up
    SERVER_ERROR = "server_error"
    GARBAGE = "garbage"  # the reply cannot be used
    EMPTY = "empty"  # a reply without text; it is never taken for an empty page
    AUTH = "auth"
    BAD_REQUEST = "bad_request"
    UNREACHABLE = "unreachable"
    ADDRESS_REFUSED = "address_refused"  # the address is not allowed; nothing was sent
    NOT_INSTALLED = "not_installed"
    BAD_IMAGE = "bad_image"


class BadSetting(LocalizedError, ValueError):
    """A setting that cannot be used; the message names it and says how to fix it."""


class ModelCallFailed(Exception):
    """A model gave no usable reply.

    `reason` says why and can be translated. `raw` is exactly what came back, empty if nothing did. `attempts` counts
    the requests that were sent. `retry_after_s` is the wait that the server asked for, if that is longer than the
    client is willing to sleep.
    """

    def __init__(
        self,
        kind: FailureKind,
        reason: LocalizedError,
        *,
        raw: str = "",
        attempts: int = 0,
        parameters: Mapping[str, Any] | None = None,
        dropped_parameters: tuple[str, ...] = (),
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(kind, reason)
        self.kind = kind
        self.reason = reason
        self.raw = raw
        self.attempts = attempts
        self.parameters = dict(parameters or {})
        self.dropped_parameters = dropped_parameters
        self.retry_after_s = retry_after_s

    def __str__(self) -> str:
        return f"{self.kind}: {self.reason}"
