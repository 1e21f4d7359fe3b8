"""Errors of services that a request can cause: each class has an HTTP status, a stable kind and one message.

Services raise them; `config.error_responses` is the only place that turns them into pages, fragments and JSON.
"""

from __future__ import annotations

from typing import Any, ClassVar

from evaluation.errors import InvalidInput, LocalizedError


class ApplicationError(LocalizedError):
    """A request that cannot be carried out, with the reason for the person who made it.

    `status` is the HTTP status, `kind` the stable code for programs, `msgid` the English message, marked for
    translation where it is declared. `template` is the page for errors that no view shows. `detail` is for logs.
    """

    status: ClassVar[int] = 409
    kind: ClassVar[str] = ""
    msgid: ClassVar[str] = ""
    template: ClassVar[str] = "error.html"

    def __init__(self, detail: str = "", /, **facts: object) -> None:
        super().__init__(self.msgid, **facts)
        self.detail = detail

    def __str__(self) -> str:
        return self.detail or self.message()

    def extra(self) -> dict[str, Any]:
        """Further members of the JSON body, for programs."""
        return {}

    def headers(self) -> dict[str, str]:
        """Headers of the response, such as when to come back."""
        return {}


RequestError = ApplicationError | InvalidInput
REQUEST_ERRORS = (ApplicationError, InvalidInput)
