"""The parameters of an endpoint: JSON that can be kept, or a word beside the field."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.forms.recogniser import AddressPolicy
from tests.factories import make_project

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "parameters",
    [
        '{"top_p": NaN}',
        '{"top_p": 1e999}',
        r'{"stop": "\u0000"}',
        r'{"stop": ["\ud800"]}',
        "[" * 5000,
        '{"a":' * 3000,
        '{"a": ' + "9" * 5000 + "}",
        "{",
    ],
)
def test_recogniser_page_when_parameters_cannot_be_kept_then_said_beside_the_field(
    client: Client, monkeypatch: pytest.MonkeyPatch, parameters: str
) -> None:
    monkeypatch.setattr(AddressPolicy, "check_url", lambda self, url: None)  # no name is looked up here
    project = make_project()
    client.force_login(project.created_by)
    sent = {"label": "x", "base_url": "https://example.org/v1", "model": "m", "prompt": "p"}
    address = f"/projects/{project.slug}/settings/recognisers/1/endpoint/"
    answer = client.post(address, sent | {"timeout_seconds": "10", "parameters": parameters})
    assert answer.status_code in (200, 422) and "parameters" in answer.context["form"].errors
    assert not project.recognisers.exists()


def test_recogniser_page_when_parameters_are_plain_then_they_are_kept(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AddressPolicy, "check_url", lambda self, url: None)
    project = make_project()
    client.force_login(project.created_by)
    sent = {"label": "x", "base_url": "https://example.org/v1", "model": "m", "prompt": "p"}
    client.post(
        f"/projects/{project.slug}/settings/recognisers/1/endpoint/",
        sent | {"timeout_seconds": "10", "parameters": '{"top_p": 0.5}'},
    )
    assert project.recognisers.get().parameters == {"top_p": 0.5}


def test_recogniser_page_when_a_hint_names_a_tag_then_it_is_shown_as_text(client: Client) -> None:
    project = make_project()
    client.force_login(project.created_by)
    page = client.get(f"/projects/{project.slug}/settings/recognisers/1/endpoint/").content.decode()
    assert "one HTML &lt;table&gt;: a reply" in page and "<table" not in page
