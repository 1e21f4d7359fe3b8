"""The error that every kind of label refuses with."""

from __future__ import annotations

from evaluation.errors import InvalidInput


class BadPayload(InvalidInput):
    """A label that cannot be stored; the message says where, what, and how to mend it."""

    field = "text"
