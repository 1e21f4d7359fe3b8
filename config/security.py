"""Headers and error answers that hold for the whole site."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control

Handler = Callable[[HttpRequest], HttpResponse]


class NoStoreMiddleware:
    """Nothing a signed-in person sees stays in a shared or local cache.

    A back button or a shared computer must not show label content after sign-out, so every answer to a signed-in
    person is `private, no-store` unless the view set its own policy.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.user.is_authenticated and "Cache-Control" not in response:
            patch_cache_control(response, private=True, no_store=True)
        return response
