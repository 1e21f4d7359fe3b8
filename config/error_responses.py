"""From an error of a service to what people and programs read: one message, as JSON, on a page or in a form.

A view lets errors pass. `renders_errors` shows the page or fragment again with what was typed, `FormErrors` puts the
message into a form, `script_view` answers the scripts of a page; the API's exception handler uses `error_body`, and
`ApplicationErrorMiddleware` answers whatever a view left.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from types import TracebackType
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from config.disk_full import is_disk_full
from config.errors import REQUEST_ERRORS, ApplicationError, RequestError
from config.transactions import is_conflict

View = Callable[..., HttpResponse]
INVALID_STATUS, INVALID_KIND = 422, "invalid"  # of InvalidInput, which knows nothing of HTTP


class InvalidBody(ApplicationError):
    """The body of a script's request is not the JSON that was expected."""

    status, kind = 422, "invalid"
    msgid = gettext_noop("The request is not JSON.")


class NotAnObject(InvalidBody):
    msgid = gettext_noop("The request is not a JSON object.")


class WrongField(InvalidBody):
    msgid = gettext_noop("Field “%(name)s” is missing or has the wrong type.")


class InvalidForm(ApplicationError):
    """A form that is not valid, for pages that show one message instead of the form's own errors."""

    status, kind = 422, "invalid"
    msgid = "%(label)s: %(problem)s"

    def __init__(self, form: forms.BaseForm) -> None:
        name, problems = next(iter(form.errors.items()))
        label = form.fields[name].label if name in form.fields else None
        super().__init__(label=label or name, problem=problems[0])


class DiskFull(ApplicationError):
    """The server's disk is full: reading works, saving does not until there is space."""

    status, kind = 507, "disk_full"
    msgid = gettext_noop(
        "The server's disk is full, so nothing was saved. Try again later, or tell its administrator."
    )


class Busy(ApplicationError):
    """The database gave up the request for another one, again and again (`config.transactions`)."""

    status, kind = 503, "busy"
    msgid = gettext_noop(
        "Many people are saving at this moment, so nothing was saved here. Try again in a few seconds."
    )

    def headers(self) -> dict[str, str]:
        return {"Retry-After": "5"}


class SignedOut(ApplicationError):
    """The session of a page's script has ended."""

    status, kind = 401, "not_signed_in"
    msgid = gettext_noop("You are signed out. Sign in again to continue.")

    def extra(self) -> dict[str, Any]:
        return {"login_url": reverse("account_login")}


def known_error(error: Exception) -> RequestError | None:
    """The error itself when it is one for the person, DiskFull or Busy where that is the reason, else None."""
    if isinstance(error, REQUEST_ERRORS):
        return error
    if is_disk_full(error):
        return DiskFull()
    return Busy() if is_conflict(error) else None


def error_status(error: RequestError) -> int:
    return error.status if isinstance(error, ApplicationError) else INVALID_STATUS


def error_headers(error: RequestError) -> dict[str, str]:
    return error.headers() if isinstance(error, ApplicationError) else {}


def error_message(error: RequestError) -> str:
    """The message in the reader's language."""
    return error.message(gettext)


def error_body(error: RequestError) -> dict[str, Any]:
    """The error for programs: kind, message, the fields at fault, and what the kind adds."""
    kind, extra = INVALID_KIND, {}
    if isinstance(error, ApplicationError):
        kind, extra = error.kind, error.extra()
    fields = error.fields(gettext)
    return {"kind": kind, "message": error_message(error)} | ({"fields": fields} if fields else {}) | extra


def error_json(error: RequestError) -> JsonResponse:
    return JsonResponse(error_body(error), status=error_status(error), headers=error_headers(error))


def script_view(view: View) -> View:
    """For the views that a page's script calls: errors, and 401 for a session that has ended, are JSON."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            return error_json(SignedOut())
        try:
            return view(request, *args, **kwargs)
        except Exception as error:
            if (known := known_error(error)) is None:
                raise
            return error_json(known)

    return answer


def read_json(request: HttpRequest, **expected: type) -> dict[str, Any]:
    """The JSON object of a request, with every expected field of its type. Raises InvalidBody."""
    try:
        body = json.loads(request.body)
    except (ValueError, RecursionError):  # also numbers with thousands of digits, and unlimited nesting
        raise InvalidBody from None
    if not isinstance(body, dict):
        raise NotAnObject
    for name, kind in expected.items():
        value = body.get(name)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise WrongField(name=name)
    return body


def renders_errors(render_error: Callable[..., HttpResponse]) -> Callable[[View], View]:
    """A view whose errors are shown by `render_error(request, error, **url_kwargs)`, with the error's status.

    `render_error` shows the page or fragment again with what was typed; a redirect keeps its own status.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, **kwargs: Any) -> HttpResponse:
            try:
                return view(request, **kwargs)
            except REQUEST_ERRORS as error:
                response = render_error(request, error, **kwargs)
                if response.status_code == 200:
                    response.status_code = error_status(error)
                return response

        return answer

    return decorate


def flash_and_redirect(url_name: str, *url_kwargs: str) -> Callable[..., HttpResponse]:
    """For `renders_errors`: redirect to a URL, with those of the view's URL arguments, and flash the message."""

    def render_error(request: HttpRequest, error: RequestError, **kwargs: Any) -> HttpResponse:
        messages.error(request, error_message(error))
        return redirect(url_name, *(kwargs[name] for name in url_kwargs))

    return render_error


def add_error(form: forms.BaseForm, error: RequestError) -> None:
    """Put the message beside the form's field at fault, or above the form."""
    form.add_error(error.field if error.field in form.fields else None, error_message(error))


class FormErrors:
    """A context in which errors, except those of class `but`, become errors of the form; the view shows it again."""

    def __init__(self, form: forms.BaseForm, *, but: type[Exception] | None = None) -> None:
        self._form, self._but = form, but

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if not isinstance(error, REQUEST_ERRORS) or (self._but and isinstance(error, self._but)):
            return False
        add_error(self._form, error)
        return True


class ApplicationErrorMiddleware:
    """Answers errors that a view left with a page that says why, and the way back."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        error = known_error(exception)
        if not isinstance(error, ApplicationError):
            return None
        context = {"message": error_message(error), "error": error}
        response = render(request, error.template, context, status=error_status(error))
        for name, value in error_headers(error).items():
            response[name] = value
        return response
