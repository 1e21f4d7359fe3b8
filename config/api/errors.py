"""Every refusal of the API: a status, a stable `kind`, and words that name the field and the mend."""

from __future__ import annotations

import math
from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied, RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

UPLOAD_LIMITS = (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent)


class ApiError(exceptions.APIException):
    """A refusal in full; `facts` stand beside kind and message."""

    def __init__(self, status: int, kind: str, message: str, **facts: Any) -> None:
        super().__init__(message)
        self.status_code = status
        self.body = {"kind": kind, "message": message, **facts}


def handle_error(error: Exception, context: dict[str, Any]) -> Response | None:
    """The answer to anything a view raised; None for a fault of ours, which becomes a 500."""
    if isinstance(error, UPLOAD_LIMITS):
        error = too_large()
    response = exception_handler(error, context)
    if response is not None:
        response.data = _written(_body(error))
        if isinstance(error, exceptions.ValidationError):
            response.status_code = 422
    return response


def _written(told: Any) -> Any:
    """A body in which half of a surrogate pair, quoted from the request, is written out: UTF-8 cannot hold it."""
    match told:
        case str():
            return told.encode("utf-8", "backslashreplace").decode()
        case dict():
            return {_written(name): _written(value) for name, value in told.items()}
        case list() | tuple():
            return [_written(value) for value in told]
        case _:
            return told


def too_large() -> ApiError:
    return ApiError(413, "too_large", _("The request is too large. Split it into several."))


def invalid(**fields: str) -> ApiError:
    """A 422 that names the fields, for what a service finds after the shape was checked."""
    return ApiError(
        422, "invalid", _first_words(fields), fields={name: [told] for name, told in fields.items()}
    )


def invalid_form(form: forms.BaseForm) -> exceptions.ValidationError:
    """The same for what a page's form finds, where both ask the same."""
    return exceptions.ValidationError(
        {name: [str(error) for error in told] for name, told in form.errors.items()}
    )


def _first_words(fields: dict[str, Any]) -> str:
    name, told = next(iter(fields.items()))
    while not isinstance(told, str):
        if not told:
            return name
        deeper, told = next(iter(told.items())) if isinstance(told, dict) else ("", told[0])
        name = f"{name}.{deeper}" if deeper else name
    return f"{name}: {told}"


def _body(error: Exception) -> dict[str, Any]:
    match error:
        case ApiError():
            return error.body
        case exceptions.ValidationError():
            told = error.detail
            fields = told if isinstance(told, dict) else {"request": told}
            return {"kind": "invalid", "message": _first_words(fields), "fields": fields}
        case Http404() | exceptions.NotFound():
            message = _("This does not exist, or you have no access to it. URLs end with a slash.")
            return {"kind": "not_found", "message": message}
        case exceptions.NotAuthenticated():
            message = _(
                "Authentication required: send the header “Authorization: Bearer” "
                "with a token from your preferences."
            )
            return {"kind": "not_signed_in", "message": message}
        case exceptions.AuthenticationFailed():
            return {"kind": "bad_token", "message": str(error.detail)}
        case exceptions.ParseError():
            return {"kind": "not_readable", "message": str(error.detail)}
        case exceptions.Throttled():
            message = _("Too many requests. Try again in %(seconds)s s.") % {
                "seconds": math.ceil(getattr(error, "wait", None) or 1)
            }
            return {"kind": "too_many", "message": message}
        case exceptions.APIException():
            return {"kind": str(error.default_code), "message": str(error.detail)}
        case PermissionDenied() if error.args:  # ours say why
            return {"kind": "forbidden", "message": str(error)}
        case _:
            return {"kind": "forbidden", "message": _("You are not allowed to do this.")}
