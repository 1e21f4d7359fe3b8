"""One request, sent by many at the same moment, is carried out once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from annotation.models import Label, Note
from config.accounts.models import Role
from config.api.models import RequestKey
from config.api.services import KeyReused, once
from tests.api.assignments import API, body_for, take
from tests.api.conftest import client_for
from tests.at_once import at_once
from tests.factories import make_member, make_project, make_sample, make_user

pytestmark = pytest.mark.database


@pytest.mark.django_db(transaction=True)
def test_request_when_sent_eight_times_at_once_then_it_is_done_once_and_all_are_told_the_same() -> None:
    project = make_project(slug="letters")
    make_sample(project)
    annotator = make_member(project, Role.ANNOTATOR)
    client = client_for(annotator)
    header = dict(client._credentials)
    assignment = take(client, "letters", "label")
    body = body_for(client, assignment, "Dear Anna")

    def send(path: str, data: dict[str, object]) -> Callable[[], int]:
        def call() -> int:
            mine = type(client)()
            mine.credentials(**header, HTTP_IDEMPOTENCY_KEY=f"once-only-{path}")
            return mine.post(f"{API}/work/{assignment}/{path}/", data, format="json").status_code

        return call

    assert at_once(*[send("notes", {"text": "a torn corner"})] * 8) == [201] * 8
    assert at_once(*[send("submit", body)] * 8) == [200] * 8
    assert (Note.objects.count(), Label.objects.count()) == (1, 1)


@pytest.mark.django_db
def test_once_when_making_fails_then_the_key_is_free_again() -> None:
    user = make_user()

    def fail() -> str:
        raise RuntimeError

    ask = {"user": user, "key": "12345678", "path": "POST /x", "body": {"a": 1}}
    with pytest.raises(RuntimeError):
        once(**ask, make=fail)
    assert not RequestKey.objects.exists()
    assert once(**ask, make=lambda: "1") == ("1", True)
    assert once(**ask, make=lambda: "2") == ("1", False)
    with pytest.raises(KeyReused):
        once(**ask | {"body": {"a": 2}}, make=lambda: "3")
    assert once(**ask | {"user": make_user()}, make=lambda: "4") == ("4", True)
