"""The description of the API: valid, complete, served, and readable under the site's content policy."""

from __future__ import annotations

import re
from unittest.mock import patch

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema

from config.urls import api_patterns

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def schema() -> dict:
    return SchemaGenerator().get_schema(request=None, public=True)


def test_schema_when_generated_then_it_is_valid_and_without_warnings(
    schema: dict, capsys: pytest.CaptureFixture[str]
) -> None:
    validate_schema(schema)
    call_command("spectacular", "--fail-on-warn", "--validate")
    assert "Warning" not in capsys.readouterr().err


def test_schema_when_compared_with_the_addresses_then_none_is_missing(schema: dict) -> None:
    routes = {str(pattern.pattern) for pattern in api_patterns} - {"^.*$"}
    body = {path.removeprefix("/api/v1/") for path in schema["paths"]}
    assert body == {re.sub(r"<\w+:(\w+)>", r"{\1}", route) for route in routes}


def test_schema_when_read_then_every_operation_says_what_it_does_and_how_it_refuses(schema: dict) -> None:
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            assert operation["description"].strip(), (path, method)
            assert {"401", "404", "429"} <= set(operation["responses"]), (path, method)
            assert {"token": []} in operation["security"]
            for status, response in operation["responses"].items():
                if int(status) >= 400:
                    body = response["content"]["application/json"]["schema"]["$ref"]
                    assert body == "#/components/schemas/ErrorResponse", (path, method, status)


def test_schema_when_searched_then_no_e_mail_and_no_password_is_ever_reported(schema: dict) -> None:
    names = {
        name for shape in schema["components"]["schemas"].values() for name in shape.get("properties", {})
    }
    assert not {name for name in names if re.search("mail|password|digest|secret", name)}


def test_schema_when_asked_for_again_then_it_is_not_made_again(client: Client) -> None:
    first = client.get(reverse("api_schema"))
    assert first["Content-Type"] == "application/vnd.oai.openapi" and first.text.startswith("openapi: 3")
    client.get(reverse("api_schema"), {"lang": "zh-hans"})
    with patch.object(SchemaGenerator, "get_schema", side_effect=AssertionError):
        assert client.get(reverse("api_schema")).content == first.content
        assert client.get(reverse("api_schema"), {"lang": "xx"}).content == first.content


def test_docs_when_opened_then_no_script_or_style_is_inline(client: Client) -> None:
    page = client.get(reverse("api_docs"))
    assert page.status_code == 200
    assert not re.search(r"<script(?![^>]*\bsrc=)", page.text) and "<style" not in page.text
    script = re.search(r'<script src="([^"]*\?script[^"]*)"', page.text)
    assert script and client.get(script[1])["Content-Type"].startswith("application/javascript")
    assert client.get(reverse("api_schema")).status_code == 200
