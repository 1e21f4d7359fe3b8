"""The texts of scripts: one catalogue per language, kept by browsers until its text changes."""

from __future__ import annotations

import json
import re

import pytest
from django.template import Context, Template
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.functional import Promise
from django.utils.text import format_lazy

from config.translations.script_strings import SCRIPT_STRINGS
from config.translations.views import catalogue_url, script_catalogue

PAGE = "{% load script_strings %}{% script_strings_url %}"
LANGUAGES = (("en", "Fit"), ("zh-hans", "适应窗口"))


def strings_of(script: str) -> dict[str, str]:
    return dict(json.loads(script.removeprefix("globalThis.inkStrings=").removesuffix(";\n")))


@pytest.mark.parametrize(("language", "text"), LANGUAGES)
def test_catalogue_when_fetched_then_it_has_every_text_in_its_language(client: Client, language, text):
    response = client.get(catalogue_url(language))
    assert response["Content-Type"] == "text/javascript; charset=utf-8"
    strings = strings_of(response.content.decode())
    assert strings.keys() == SCRIPT_STRINGS.keys()
    assert strings["tool_fit"] == text


@pytest.mark.parametrize(("language", "text"), LANGUAGES)
def test_page_when_asked_for_in_a_language_then_it_names_that_catalogue_before_its_scripts(
    db, client: Client, language, text
):
    html = client.get("/accounts/login/", headers={"Accept-Language": language}).content.decode()
    scripts = re.findall(r'<script src="([^"]+)" nonce="[^"]+" defer>', html)
    assert scripts[0] == catalogue_url(language)
    assert scripts[1].endswith("app.js")
    assert text not in html


def test_tag_when_languages_take_turns_then_each_page_has_its_own_address():
    addresses = []
    for language in ("en", "zh-hans", "en"):
        with translation.override(language):
            addresses.append(Template(PAGE).render(Context()))
    assert addresses[0] == addresses[2] != addresses[1]


def test_catalogue_when_fetched_then_it_is_kept_for_a_year(admin_client: Client):
    response = admin_client.get(catalogue_url("en"))
    directives = set(response["Cache-Control"].split(", "))
    assert directives == {"public", "max-age=31536000", "immutable"}
    assert not response.cookies


def test_catalogue_when_the_browser_has_it_then_it_is_not_sent_again(client: Client):
    etag = client.get(catalogue_url("en"))["ETag"]
    response = client.get(catalogue_url("en"), headers={"If-None-Match": etag})
    assert (response.status_code, response.content) == (304, b"")


def test_catalogue_when_compressed_then_it_is_less_than_half(client: Client):
    url = catalogue_url("en")
    compressed = client.get(url, headers={"Accept-Encoding": "gzip"})
    assert compressed["Content-Encoding"] == "gzip"
    assert len(compressed.content) * 2 < len(client.get(url).content)


def test_catalogue_when_a_text_changes_then_its_address_and_etag_change(client: Client, monkeypatch):
    before, etag = catalogue_url("en"), client.get(catalogue_url("en"))["ETag"]
    changed: Promise = format_lazy("{}", "Fit the page")
    monkeypatch.setitem(SCRIPT_STRINGS, "tool_fit", changed)
    script_catalogue.cache_clear()
    try:
        assert catalogue_url("en") != before
        outdated = client.get(before)
        assert strings_of(outdated.content.decode())["tool_fit"] == "Fit the page"
        assert outdated["Cache-Control"] == "no-cache"
        assert outdated["ETag"] != etag
    finally:
        script_catalogue.cache_clear()


def test_catalogue_when_the_language_is_unknown_then_there_is_none(db, client: Client):
    assert client.get(reverse("script_strings", args=["xx", "0"])).status_code == 404
