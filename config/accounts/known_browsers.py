"""Browsers in which an account has signed in before carry a signed cookie that says so.

It opens nothing. Attempts at the account's credentials are counted by browser there, so that nobody elsewhere can lock
its owner out (`credential_limits`). A new password makes every browser unknown but the one it was set in.
"""

from __future__ import annotations

import secrets
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

from config.accounts.models import User

COOKIE = "known_accounts"
_AGE = 365 * 24 * 3600
_MAX_ACCOUNTS = 10  # of one browser; the oldest make room


def known_browser(request: HttpRequest, user: User) -> str | None:
    """The browser's random name for this account; None where the account has not signed in with its password."""
    for pk, name, mark in _read(request):
        if pk == user.pk and constant_time_compare(mark, _mark(user)):
            return name
    return None


def remember_browser(request: HttpRequest, user: User) -> None:
    """Make the browser known to this account, by a cookie of the response to this request."""
    name = known_browser(request, user) or secrets.token_urlsafe(12)
    others = [entry for entry in _read(request) if entry[0] != user.pk]
    request.known_accounts = [*others, (user.pk, name, _mark(user))][-_MAX_ACCOUNTS:]  # type: ignore[attr-defined]


def set_cookie(request: HttpRequest, response: HttpResponse) -> None:
    """Add the cookie to the response, if `remember_browser` was called."""
    entries = getattr(request, "known_accounts", None)
    if entries is None:
        return
    response.set_cookie(
        COOKIE,
        signing.dumps(entries, salt=COOKIE),
        max_age=_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _read(request: HttpRequest) -> list[tuple[int, str, str]]:
    try:
        entries: Any = signing.loads(request.COOKIES.get(COOKIE, ""), salt=COOKIE, max_age=_AGE)
    except signing.BadSignature:
        return []
    return [(pk, name, mark) for pk, name, mark in entries]


def _mark(user: User) -> str:
    """Changes with the password."""
    return salted_hmac(COOKIE, user.password, algorithm="sha256").hexdigest()[:16]
