"""A browser cheap enough to open every address as everybody: the whole middleware, no sockets, nothing kept."""

from __future__ import annotations

import io
import sys
import traceback
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.core.handlers.base import BaseHandler
from django.core.signals import got_request_exception, request_finished
from django.db import close_old_connections, transaction
from django.http import HttpResponseBase
from django.test import RequestFactory
from PIL import Image

from config.accounts.models import User
from config.blobs import blob_hash
from tests.blindness.canaries import name_image

SESSION_ENGINE = "django.contrib.sessions.backends.signed_cookies"
JSON = "application/json"
# Right enough for most forms, wrong in what it names: answers go past the first check and must still tell nothing.
FILLED = {
    "text": "A line.",
    "reason": "Because.",
    "message": "Look.",
    "base_version": "0",
    "image_hash": "0" * 64,
    "idempotency_key": "once",
    "decision": "keep_both",
    "note": "Seen.",
    "kind": "other",
}


@dataclass(frozen=True, slots=True)
class Way:
    """One way to ask: method, body and headers; `is_signed_in` False leaves the session's cookie out."""

    method: str = "GET"
    body: str | dict[str, str] = ""
    content_type: str = "application/x-www-form-urlencoded"
    headers: tuple[tuple[str, str], ...] = ()
    has_token: bool = False


_HTMX = (("HTTP_HX_REQUEST", "true"),)
WAYS: dict[str, Way] = {
    "page": Way(),
    "filled post": Way("POST", FILLED),
    "htmx": Way(headers=_HTMX),
    "json": Way(headers=(("HTTP_ACCEPT", JSON),)),
    "token": Way(has_token=True),
    "head": Way("HEAD"),
    "options": Way("OPTIONS"),
    "empty post": Way("POST"),
    "htmx post": Way("POST", FILLED, headers=_HTMX),
    "script post": Way("POST", FILLED, headers=(("HTTP_X_REQUESTED_WITH", "XMLHttpRequest"),)),
    "broken json": Way("POST", '{"text": ', JSON),
    "wrong json": Way("POST", '{"text": 1, "suggestion": 1, "how": "whole"}', JSON),
    "token post": Way("POST", "{}", JSON, has_token=True),
    "put": Way("PUT", '{"text": "x", "base_version": 0, "image_hash": "0"}', JSON),
    "patch": Way("PATCH", "{}", JSON, has_token=True),
    "delete": Way("DELETE", has_token=True),
}

WRITING = ("filled post", "token post", "broken json", "put", "empty post", "options", "wrong json")
ALL_OF_PAGE = ("htmx", "json", "token", "head", "options", "empty post", "filled post", "put")
ALL_OF_API = ("token", "head", "options", "token post", "broken json", "put")


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: everything a person could read in it, as one text."""

    status: int
    location: str
    text: str
    body: bytes
    headers: dict[str, str]


class Failures:
    """Hears of every exception that a view let through."""

    def __init__(self) -> None:
        self.last = ""

    def __call__(self, **_: Any) -> None:
        self.last = "".join(traceback.format_exception(*sys.exc_info())[-6:])


class Visitor:
    """One person at a browser, or nobody. Each request is rolled back, so they all meet the same world."""

    def __init__(self, name: str, user: User | None, token: str = "") -> None:
        self.name, self.user = name, user
        self._cookie = _sign_in(user) if user else ""
        self._token = token
        self._factory = RequestFactory()
        self._handler = BaseHandler()
        self._handler.load_middleware()

    def ask(self, path: str, way: Way) -> Answer:
        headers = dict(way.headers)
        if way.has_token and self._token:
            headers["HTTP_AUTHORIZATION"] = f"Bearer {self._token}"
        elif self._cookie and not way.has_token:
            headers["HTTP_COOKIE"] = f"sessionid={self._cookie}"
        make = getattr(self._factory, way.method.lower())
        if way.method == "POST" and isinstance(way.body, dict):
            request = make(path, way.body, **headers)
        elif way.method in ("GET", "HEAD"):
            request = make(path, **headers)
        else:
            request = make(path, way.body, content_type=way.content_type, **headers)
        request._dont_enforce_csrf_checks = True
        with rolled_back():
            response = self._handler.get_response(request)
            return _read(response)


@contextmanager
def rolled_back() -> Iterator[None]:
    block = transaction.atomic()
    block._from_testcase = True  # type: ignore[attr-defined]  # as Django's own tests: durable blocks may stand in it
    with block:
        yield
        transaction.set_rollback(True)


@contextmanager
def exceptions_heard() -> Iterator[Failures]:
    heard = Failures()
    got_request_exception.connect(heard)
    try:
        yield heard
    finally:
        got_request_exception.disconnect(heard)


def _sign_in(user: User) -> str:
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return str(session.session_key)


def _read(response: HttpResponseBase) -> Answer:
    body = b"".join(response) if response.streaming else response.content  # type: ignore[attr-defined]
    request_finished.disconnect(close_old_connections)  # our transaction goes on after the response
    response.close()
    request_finished.connect(close_old_connections)
    headers = dict(response.items())
    words = [f"{name}: {value}" for name, value in headers.items()]
    words += [morsel.OutputString() for morsel in response.cookies.values()]
    words += _texts_in(body, headers.get("Content-Type", ""))
    return Answer(response.status_code, headers.get("Location", ""), "\n".join(words), body, headers)


def _texts_in(body: bytes, kind: str) -> list[str]:
    """The readable parts of a body: what stands in it, what an archive holds, what an image says of itself."""
    is_drawn = kind.startswith("image/") and kind != "image/svg+xml"  # which is text
    if is_drawn or body.startswith(b"PK\x03\x04"):
        return list(_texts_inside(body))
    return [body.decode("utf-8", errors="replace")]


@lru_cache(maxsize=512)
def _texts_inside(body: bytes) -> tuple[str, ...]:
    """Of an image or an archive; the same bytes come back to many."""
    words = [body.decode("utf-8", errors="replace")]
    if body.startswith(b"PK\x03\x04"):
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            for member in archive.namelist():
                words += [member, *_texts_in(archive.read(member), _kind_of(member))]
    else:
        with Image.open(io.BytesIO(body)) as image:
            image.load()
            words.append(repr((image.info, dict(image.getexif()))))
        words.append(name_image(blob_hash(body)))
    return tuple(words)


def _kind_of(name: str) -> str:
    return "image/png" if name.endswith(".png") else ""
