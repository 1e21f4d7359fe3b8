"""One fault, one sentence: on a page, in a fragment, in a form, for scripts and in the API, in both languages."""

from __future__ import annotations

import importlib
import json
import pkgutil
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from django import forms
from django.contrib.messages import get_messages
from django.contrib.messages.storage.base import BaseStorage
from django.http import Http404, HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import path
from django.utils.translation import gettext_lazy, gettext_noop, override

import annotation
import baseline
import config.urls
import evaluation
from annotation.difficulty import BadScores
from annotation.services.move_work import StaleWork
from config.api.errors import handle_error
from config.error_responses import (
    Busy,
    DiskFull,
    FormErrors,
    InvalidForm,
    error_message,
    flash_and_redirect,
    renders_errors,
    script_view,
)
from config.errors import ApplicationError, RequestError
from evaluation.errors import InvalidInput
from evaluation.imports.release import BadExport
from evaluation.payloads.errors import BadPayload
from tests.factories import make_user

LANGUAGES = ("en", "zh-hans")


class OneField(forms.Form):
    name = forms.CharField(label="Name")


def _invalid_form() -> OneField:
    form = OneField({"name": "x"})
    form.add_error("name", gettext_lazy("This is already settled."))
    return form


WRITER = SimpleNamespace(writer="w1", as_dict=lambda: {"writer": "w1"})
DRAFT = SimpleNamespace(version=3, text="theirs", masks=[], saved_at=datetime(2026, 1, 1, tzinfo=UTC))
ARGUMENTS: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "BadDefaults": (([{"field": "language", "kind": "not_text"}],), {}),
    "WritersCrossSplits": (([WRITER],), {}),
    "CopiesRedactedElsewhere": (([],), {}),
    "NewerVersion": ((DRAFT, "mine"), {}),
    "DeviceLocked": ((30,), {}),
    "LockedOut": ((30,), {}),
    "Unanswered": (([1],), {}),
    "NothingTaken": (([],), {}),
    "AlreadyHere": ((SimpleNamespace(number=3),), {}),
    "ExportRefused": (
        (BadExport(gettext_noop("The archive cannot be read. %(why)s Download it again."), why="?"),),
        {},
    ),
    "CannotRate": (([SimpleNamespace(display_name="Ann")],), {}),
    "InvalidForm": ((_invalid_form(),), {}),
    "ProblemOfField": ((_invalid_form(),), {}),
    "WrongField": ((), {"name": "text"}),
    "TooManyTokens": ((), {"count": 20}),
}


def _subclasses(base: type[Exception]) -> set[type[Exception]]:
    direct = set(base.__subclasses__())
    return direct | {below for child in direct for below in _subclasses(child)}


def _error_classes() -> list[type[ApplicationError]]:
    for package in (config, evaluation, annotation, baseline):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not {"migrations", "management", "settings_test", "wsgi"} & set(module.name.split(".")):
                importlib.import_module(module.name)
    classes = [c for c in _subclasses(ApplicationError) if not c.__module__.startswith("tests.")]
    return sorted(classes, key=lambda c: (c.__module__, c.__name__))


def _make(error_class: type[ApplicationError]) -> ApplicationError:
    args, facts = ARGUMENTS.get(error_class.__name__, ((), {}))
    return error_class(*args, **facts)


CLASSES = _error_classes()
ERRORS: list[RequestError] = [
    *map(_make, CLASSES),
    BadPayload("The text is empty."),
    BadScores(["cursiveness"]),
]
RAISED: list[RequestError] = []


def _raise(request: HttpRequest, **_kwargs: Any) -> HttpResponse:
    raise RAISED[-1]


def _shown(request: HttpRequest, error: RequestError, **_kwargs: Any) -> HttpResponse:
    return HttpResponse(error_message(error))


urlpatterns = [path("left/", _raise), *config.urls.urlpatterns]


def test_errors_when_counted_then_none_is_forgotten() -> None:
    assert len(CLASSES) > 50 and {"LeaseLost", "DeviceLocked", "CannotRate", "KeyReused"} <= {
        c.__name__ for c in CLASSES
    }
    assert all(issubclass(c, InvalidInput) for c in (BadPayload, BadScores))


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("language", LANGUAGES)
def test_error_when_shown_anywhere_then_it_is_the_same_sentence(error: RequestError, language: str) -> None:
    request = RequestFactory().get("/", headers={"Accept-Language": language})
    request.user = SimpleNamespace(is_authenticated=True)  # type: ignore[assignment]
    RAISED.append(error)
    with override(language):
        sentence = error_message(error)
        fragment = renders_errors(_shown)(_raise)(request)
        script = script_view(_raise)(request)
        api = handle_error(error, {})
        form = OneField({"name": "x"})
        with FormErrors(form):
            raise error
    body = json.loads(script.content)
    assert api is not None and api.data["message"] == body["message"] == sentence
    assert fragment.content.decode() == sentence
    assert sentence in [str(text) for texts in form.errors.values() for text in texts]
    assert fragment.status_code == script.status_code == api.status_code
    assert body["kind"] == api.data["kind"] and body["kind"]
    assert set(api.data) == set(body) and (400 <= api.status_code < 500 or isinstance(error, DiskFull | Busy))


@pytest.mark.parametrize(
    "error_class", [c for c in CLASSES if not issubclass(c, InvalidForm)], ids=lambda c: c.__name__
)
def test_error_when_read_in_chinese_then_it_is_not_english(error_class: type[ApplicationError]) -> None:
    error = _make(error_class)
    with override("zh-hans"):
        assert any("\u4e00" <= letter <= "\u9fff" for letter in error_message(error))


@pytest.mark.urls(__name__)
def test_error_when_a_view_leaves_it_then_a_page_says_it_with_its_status(client: Client, db: None) -> None:
    RAISED.append(StaleWork())
    client.force_login(make_user("reader"))
    page = client.get("/left/", headers={"Accept-Language": "zh-hans"})
    with override("zh-hans"):
        assert error_message(RAISED[-1]) in page.text
    assert page.status_code == 409


def test_error_when_redirected_then_the_message_is_flashed() -> None:
    request = RequestFactory().post("/")
    request._messages = FlashStorage(request)  # type: ignore[attr-defined]
    RAISED.append(StaleWork())
    response = renders_errors(flash_and_redirect("home"))(_raise)(request)
    assert (response.status_code, [str(m) for m in get_messages(request)]) == (302, [RAISED[-1].message()])


def test_error_when_it_is_no_request_error_then_nobody_answers_it() -> None:
    def fails(request: HttpRequest) -> HttpResponse:
        raise KeyError("ours")

    request = RequestFactory().get("/")
    request.user = SimpleNamespace(is_authenticated=True)  # type: ignore[assignment]
    for view in (script_view(fails), renders_errors(_shown)(fails)):
        with pytest.raises(KeyError):
            view(request)
    with pytest.raises(Http404), FormErrors(OneField()):
        raise Http404


def test_script_when_signed_out_then_401_says_where_to_sign_in() -> None:
    request = RequestFactory().get("/")
    request.user = SimpleNamespace(is_authenticated=False)  # type: ignore[assignment]
    response = script_view(_raise)(request)
    body = json.loads(response.content)
    assert (response.status_code, body["kind"]) == (401, "not_signed_in")
    assert body["login_url"] and body["message"]


class FlashStorage(BaseStorage):
    """Messages in memory."""

    def _get(self, *args: Any, **kwargs: Any) -> tuple[list[Any], bool]:
        return [], True

    def _store(self, messages: Any, response: Any, *args: Any, **kwargs: Any) -> list[Any]:
        return []
