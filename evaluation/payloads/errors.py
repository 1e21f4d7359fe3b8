"""The base of the errors that labels raise."""

from __future__ import annotations

from evaluation.errors import LocalizedError


class BadPayload(LocalizedError, ValueError):
    """A label that cannot be stored; the message says where the problem is, what it is and how to fix it."""
