"""The base of the errors that labels raise."""

from __future__ import annotations

from evaluation.errors import InvalidInput


class BadPayload(InvalidInput):
    """A label that cannot be stored; the message says where the problem is, what it is and how to fix it."""

    field = "text"
