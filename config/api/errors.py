"""Errors of the API: every response has a status, a stable `kind` and a message."""

from __future__ import annotations

import math
from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied, RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

from config.error_responses import error_body, error_headers, error_status, known_error
from config.errors import ApplicationError

UPLOAD_LIMITS = (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent)


class RequestTooLarge(ApplicationError):
    """The body, or the number of its fields or files, exceeds the limit."""

    status, kind = 413, "too_large"
    msgid = gettext_noop("The request is too large. Split it into several.")


def handle_error(error: Exception, context: dict[str, Any]) -> Response | None:
    """The response to an exception of a view; None for an unexpected one, which becomes a 500."""
    if isinstance(error, UPLOAD_LIMITS):
        error = RequestTooLarge()
    if (known := known_error(error)) is not None:
        body = _printable(error_body(known))
        return Response(body, status=error_status(known), headers=error_headers(known))
    response = exception_handler(error, context)
    if response is not None:
        response.data = _printable(_body(error))
        if isinstance(error, exceptions.ValidationError):
            response.status_code = 422
    return response


def _printable(value: Any) -> Any:
    """A body with lone surrogates, which a request may contain and UTF-8 cannot encode, replaced by escapes."""
    match value:
        case str():
            return value.encode("utf-8", "backslashreplace").decode()
        case dict():
            return {_printable(name): _printable(member) for name, member in value.items()}
        case list() | tuple():
            return [_printable(member) for member in value]
        case _:
            return value


def invalid(**fields: str) -> exceptions.ValidationError:
    """A 422 that names the fields, for problems found after the body was validated."""
    return exceptions.ValidationError({name: [message] for name, message in fields.items()})


def invalid_form(form: forms.BaseForm) -> exceptions.ValidationError:
    """A 422 with the errors of a form that the pages use too."""
    return exceptions.ValidationError(
        {name: [str(error) for error in errors] for name, errors in form.errors.items()}
    )


def _first_problem(fields: dict[str, Any]) -> str:
    """The first problem with the path of its field: "texts.0.position: ..."."""
    name, problem = next(iter(fields.items()))
    while not isinstance(problem, str):
        if not problem:
            return name
        inner, problem = next(iter(problem.items())) if isinstance(problem, dict) else ("", problem[0])
        name = f"{name}.{inner}" if inner else name
    return f"{name}: {problem}"


def _body(error: Exception) -> dict[str, Any]:
    match error:
        case exceptions.ValidationError():
            detail = error.detail
            fields = detail if isinstance(detail, dict) else {"request": detail}
            return {"kind": "invalid", "message": _first_problem(fields), "fields": fields}
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
        case PermissionDenied() if error.args:  # raised by the project, with the reason
            return {"kind": "forbidden", "message": str(error)}
        case _:
            return {"kind": "forbidden", "message": _("You are not allowed to do this.")}
