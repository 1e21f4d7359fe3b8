"""Addresses that have moved lead to where their pages are now."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponsePermanentRedirect
from django.urls import URLPattern, path, reverse


def redirect_moved(route: str, name: str) -> URLPattern:
    """The old `route` leads to the address called `name`, with the same arguments and query string.

    Reading it gets 301. Any other method gets 308, which repeats the request as it is: a form that was opened before
    the address moved loses nothing. Permissions are the new address's affair; the redirect looks nothing up.
    """

    def view(request: HttpRequest, **arguments: object) -> HttpResponsePermanentRedirect:
        address = reverse(name, kwargs=arguments)
        if query := request.META.get("QUERY_STRING"):
            address += f"?{query}"
        is_read = request.method in ("GET", "HEAD")
        return HttpResponsePermanentRedirect(address, preserve_request=not is_read)

    return path(route, view, name=name)
