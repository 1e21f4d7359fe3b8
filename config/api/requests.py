"""Reading requests: bodies, queries, files and idempotency keys, validated before a service is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO, Any, cast

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.negotiation import BaseContentNegotiation, DefaultContentNegotiation
from rest_framework.parsers import JSONParser
from rest_framework.request import Request

from config.accounts.models import User
from config.api.errors import RequestTooLarge, invalid
from config.api.serializers import BaseSerializer
from config.api.services import once

KEY_HEADER = "Idempotency-Key"
KEY_LENGTHS = (8, 64)


class SingleRendererNegotiation(BaseContentNegotiation):
    """Every view has one renderer, whatever `Accept` says: an image URL returns an image."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        return DefaultContentNegotiation().select_parser(request, parsers)

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        return renderers[0], renderers[0].media_type


class LimitedStream:
    """A stream that raises RequestTooLarge once more than `limit` bytes are read."""

    def __init__(self, stream: Any, limit: int) -> None:
        self._stream, self._left = stream, limit

    def read(self, size: int = -1) -> bytes:
        wanted = self._left + 1 if size < 0 else min(size, self._left + 1)
        data = cast(bytes, self._stream.read(wanted))
        self._left -= len(data)
        if self._left < 0:
            raise RequestTooLarge
        return data


class LimitedJSONParser(JSONParser):
    """A JSON parser that stops at DATA_UPLOAD_MAX_MEMORY_SIZE, which DRF's parser does not enforce."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        limited = cast(IO[bytes], LimitedStream(stream, settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0))
        try:
            return super().parse(limited, media_type, parser_context)
        except RecursionError:
            raise ParseError(_("The JSON is nested too deeply.")) from None


def person_of(request: Request) -> User:
    """The signed-in user; every view requires one."""
    return cast(User, request.user)


def read_body(request: Request, shape: type[BaseSerializer]) -> dict[str, Any]:
    """The validated fields of a body. Raises ValidationError naming each missing or invalid field."""
    serializer = shape(data=request.data)
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


def read_query(request: Request, shape: type[BaseSerializer]) -> dict[str, Any]:
    """The same for what follows `?`."""
    serializer = shape(data=request.query_params)
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


def read_files(request: Request) -> list[UploadedFile[bytes]]:
    """The uploads under `files`. Raises ValidationError if there are none."""
    files: list[UploadedFile[bytes]] = request.FILES.getlist("files")
    if not files:
        raise invalid(files=_("Send at least one file, as multipart/form-data."))
    return files


def read_key(request: Request, *, is_required: bool = False) -> str:
    """The idempotency key, or "". Raises ValidationError for an invalid length, or a missing key if `is_required`."""
    key = request.headers.get(KEY_HEADER, "").strip()
    shortest, longest = KEY_LENGTHS
    if (is_required and not key) or (key and not shortest <= len(key) <= longest):
        raise invalid(
            **{
                KEY_HEADER: _("Send this header with a new random value of %(least)s to %(most)s characters.")
                % {"least": shortest, "most": longest}
            }
        )
    return key


def make_once(request: Request, body: dict[str, Any], make: Callable[[], str]) -> tuple[str, bool]:
    """`once` for a request, identified by its key, method, path and body (files by name and size). Raises KeyReused."""
    files = [(name, file.name, file.size) for name, file in request.FILES.items()] if request.FILES else []
    return once(
        user=person_of(request),
        key=read_key(request),
        path=f"{request.method} {request.path}",
        body={**body, "files": files},
        make=make,
    )
