"""Refusals: a stable kind, words, never a page of HTML, never a 500."""

from __future__ import annotations

import pytest
from django.core.cache import caches
from django.test import override_settings
from rest_framework.throttling import UserRateThrottle

from tests.api.assignments import API, take
from tests.api.conftest import Cast, client_for
from tests.factories import make_sample


def test_address_when_nothing_is_there_then_404_in_json(cast: Cast) -> None:
    client = client_for(cast.manager)
    for path in ("no-such-thing/", "projects", "projects/letters/nope/", "releases/99999999999999999999999/"):
        for answer in (client.get(f"{API}/{path}"), client.post(f"{API}/{path}")):
            assert answer.json()["kind"] in ("not_found", "method_not_allowed"), path
            assert answer.status_code in (404, 405)


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b'{"text": ', "not_readable", 400),
        (b"[" * 100_000, "not_readable", 400),
        (b"[1, 2]", "invalid", 422),
        (b'{"text": NaN}', "not_readable", 400),
        (b'{"text": "' + b"x" * 11_000_000 + b'"}', "too_large", 413),
    ],
)
def test_body_when_it_cannot_be_read_then_it_is_refused_in_words(
    cast: Cast, body: bytes, kind: str, status: int
) -> None:
    make_sample(cast.project)
    client = client_for(cast.annotator)
    assignment = take(client, "letters", "label")
    answer = client.put(f"{API}/work/{assignment}/draft/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["kind"]) == (status, kind)
    assert answer.json()["message"]


def test_body_when_it_is_of_another_kind_then_415(cast: Cast) -> None:
    make_sample(cast.project)
    client = client_for(cast.annotator)
    assignment = take(client, "letters", "label")
    answer = client.put(f"{API}/work/{assignment}/draft/", b"text=x", content_type="text/plain")
    assert (answer.status_code, answer.json()["kind"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize("query", ["limit=0", "limit=many", "offset=-1", "offset=1e40", "limit=99999"])
def test_list_when_the_part_is_wrong_then_422_names_it(cast: Cast, query: str) -> None:
    answer = client_for(cast.manager).get(f"{API}/projects/?{query}")
    assert answer.status_code == 422 and list(answer.json()["fields"]) == [query.partition("=")[0]]


def test_refusal_when_the_reader_wants_chinese_then_the_words_are_chinese(cast: Cast) -> None:
    client = client_for(cast.manager)
    answer = client.get(f"{API}/projects/none/", headers={"Accept-Language": "zh-hans"})
    assert answer.json()["kind"] == "not_found" and "斜杠" in answer.json()["message"]


def test_request_when_there_are_too_many_then_429_says_how_long(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    caches["process"].clear()
    monkeypatch.setattr(UserRateThrottle, "THROTTLE_RATES", {"user": "2/min"})
    client = client_for(cast.manager)
    answers = [client.get(f"{API}/work/") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2].json()["kind"] == "too_many" and int(answers[2]["Retry-After"]) > 0


@override_settings(DATA_UPLOAD_MAX_NUMBER_FILES=1)
def test_upload_when_it_has_too_many_files_then_413(cast: Cast) -> None:
    import_url = f"{API}/projects/letters/imports/"
    from_memory = [("a.png", b"x"), ("b.png", b"y")]
    body = b"".join(
        b'--B\r\nContent-Disposition: form-data; name="files"; filename="%s"\r\n\r\n%s\r\n'
        % (name.encode(), data)
        for name, data in from_memory
    )
    answer = client_for(cast.manager).post(
        import_url, body + b"--B--\r\n", content_type="multipart/form-data; boundary=B"
    )
    assert (answer.status_code, answer.json()["kind"]) == (413, "too_large")


def test_body_when_it_holds_half_a_character_then_the_refusal_can_be_read(cast: Cast) -> None:
    make_sample(cast.project)
    client = client_for(cast.annotator)
    assignment = take(client, "letters", "label")
    answer = client.post(
        f"{API}/work/{assignment}/evidence/", b'{"kind": "\\ud800"}', content_type="application/json"
    )
    assert answer.status_code == 422
    assert "\\ud800" in answer.json()["fields"]["kind"][0]
