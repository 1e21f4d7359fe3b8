"""Who may create an account, by the setting SIGN_UP."""

from __future__ import annotations

import time

from django.conf import settings
from django.http import HttpRequest

_SESSION_KEY = "invited_until"
_SECONDS = 3600


def allow_sign_up(request: HttpRequest) -> None:
    """Let this visitor create an account within the hour: they opened a link that somebody sent them."""
    if not request.user.is_authenticated and settings.SIGN_UP == "invitation":
        request.session[_SESSION_KEY] = int(time.time()) + _SECONDS


def may_sign_up(request: HttpRequest) -> bool:
    """True when SIGN_UP is "open", or "invitation" and the visitor has opened a valid link."""
    if settings.SIGN_UP == "invitation":
        return time.time() < int(request.session.get(_SESSION_KEY, 0))
    return bool(settings.SIGN_UP == "open")
