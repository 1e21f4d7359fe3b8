"""The words of scripts: in the language of the page, made once."""

from __future__ import annotations

import json

from django.template import Context, Template
from django.test import Client
from django.utils import translation

PAGE = "{% load script_strings %}{% script_strings %}"


def words_in(html: str) -> dict[str, str]:
    return dict(json.loads(html.partition("{")[1] + html.partition("{")[2].partition("</script>")[0]))


def test_script_words_when_languages_take_turns_then_each_page_has_its_own():
    found = []
    for language in ("en", "zh-hans", "en"):
        with translation.override(language):
            found.append(words_in(Template(PAGE).render(Context())))
    assert found[0] == found[2]
    assert found[0].keys() == found[1].keys()
    assert (found[0]["tool_fit"], found[1]["tool_fit"]) == ("Fit", "适应窗口")


def test_page_when_asked_for_in_chinese_then_its_scripts_speak_chinese(db):
    for language, word in (("en", "Fit"), ("zh-hans", "适应窗口")):
        html = Client().get("/accounts/login/", headers={"Accept-Language": language}).content.decode()
        block = html[html.index('id="ink-strings"') :]
        assert words_in(block)["tool_fit"] == word
