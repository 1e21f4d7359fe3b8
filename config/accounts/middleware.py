"""A signed-in person's language wins over the browser's, and browsers that signed in are remembered."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import translation

from config.accounts.known_browsers import set_cookie


class PreferredLanguageMiddleware:
    """Activates the language in the account; an empty preference leaves LocaleMiddleware's choice."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = getattr(request.user, "language", "")
        if language:
            translation.activate(language)
            request.LANGUAGE_CODE = language
        return self.get_response(request)


class KnownBrowserMiddleware:
    """Sends the cookie of `known_browsers`, whatever kind of response the sign-in library has made."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        set_cookie(request, response)
        return response
