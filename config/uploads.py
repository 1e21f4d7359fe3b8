"""Files in requests: only views that take files get them, and only from people who manage a project.

Django writes the files of a form to disk as soon as anything reads the form, which is the CSRF check, before the view
knows who asks. Everywhere else a file is skipped as it comes in and never written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.core.files.uploadhandler import FileUploadHandler, SkipFile
from django.http import HttpRequest, HttpResponse

from config.accounts.models import Role
from config.accounts.selectors import teams_of

_MARK = "accepts_files"
View = TypeVar("View", bound=Callable[..., Any])


def accepts_files(view: View) -> View:
    """A view whose form may contain files."""
    setattr(view, _MARK, True)
    return view


class SkipFiles(FileUploadHandler):
    """Reads past every file."""

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        raise SkipFile

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        return None

    def file_complete(self, file_size: int) -> None:
        return None


class UploadMiddleware:
    """Stands before the CSRF check, which reads the form."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        if request.content_type == "multipart/form-data" and not (_takes_files(view) and _may_send(request)):
            request.upload_handlers = [SkipFiles(request)]


def _takes_files(view: Any) -> bool:
    return getattr(view, _MARK, False) or getattr(getattr(view, "cls", None), _MARK, False)


def _may_send(request: HttpRequest) -> bool:
    """True for managers, and for tokens: the API looks at both before it reads the body."""
    if "Authorization" in request.headers:
        return True
    return request.user.is_authenticated and teams_of(request.user, Role.MANAGER).exists()
