"""Error messages that a row keeps in parts, rendered in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext

from evaluation.errors import format_message


def render_message(parts: Iterable[Any], fallback: str = "") -> str:
    """The message that `LocalizedError.as_json()` kept, or `fallback` if there are no parts."""
    return format_message(parts, gettext) or fallback
