"""JSON calls from pages: how their body is read, and what a signed-out caller gets."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext_noop

from config.accounts.requests import PersonRequest
from evaluation.payloads.text import BadText

View = Callable[..., HttpResponse]


def signed_in_or_401(view: View) -> View:
    """A call from a page whose session ran out is told so, instead of being sent to a sign-in page it cannot show."""

    @wraps(view)
    def checked(request: PersonRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            return JsonResponse({"login_url": reverse("account_login")}, status=401)
        return view(request, *args, **kwargs)

    return checked


def read_json(request: PersonRequest, **expected: type) -> dict[str, Any]:
    """The JSON object of a request, with every expected field of its type. Raises BadText naming the field."""
    try:
        body = json.loads(request.body)
    except (ValueError, RecursionError):  # also numbers of thousands of digits, and nesting without end
        raise BadText(gettext_noop("The request is not JSON.")) from None
    if not isinstance(body, dict):
        raise BadText(gettext_noop("The request is not a JSON object."))
    for name, kind in expected.items():
        value = body.get(name)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise BadText(gettext_noop("Field “%(name)s” is missing or has the wrong type."), name=name)
    return body
