"""What every template knows about the reader's preferences."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from django.http import HttpRequest

from config.accounts.display_preferences import READING_SIZES
from config.accounts.keyboard_shortcuts import keys_of
from config.accounts.models import Theme
from config.accounts.sign_up import may_sign_up


def preferences(request: HttpRequest) -> dict[str, Any]:
    """`theme` and `reading_size`: the account's, or the visitor's cookie, or the plain ones; `own_keys` as JSON."""
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        size = user.preferences.get("reading_size", "")
        own = keys_of(user)
        return {
            "theme": user.theme,
            "reading_size": _known_size(size),
            "own_keys": json.dumps(own) if own else "",
        }
    theme = request.COOKIES.get("theme", "")
    return {
        "theme": theme if theme in Theme.values else Theme.AUTO,
        "reading_size": _known_size(request.COOKIES.get("reading_size", "")),
        "may_sign_up": partial(may_sign_up, request),  # a template that asks calls it
    }


def _known_size(size: str) -> str:
    return size if size in dict(READING_SIZES) else "medium"
