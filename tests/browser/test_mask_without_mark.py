"""A mask whose mark is missing, submitted on the real work page: asked why, and submitted once it is said."""

from __future__ import annotations

import os
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, expect

from annotation.models import Event, Label
from tests.annotation.versions import start
from tests.browser.real_page import open_page, sign_in
from tests.browser.shapes import drag

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize(("theme", "language"), [("light", "en"), ("dark", "zh-hans")])
def test_submit_when_a_mask_has_no_mark_then_asked_why_and_done_once_it_is_said(
    watched: BrowserContext, live_server: Any, troubles: Any, theme: str, language: str
) -> None:
    troubles.expect("status of 422")
    _, assignment = start("text")
    assignment.person.theme, assignment.person.language = theme, language
    assignment.person.save()
    sign_in(watched, live_server.url, assignment.person)
    page = open_page(watched, f"{live_server.url}/work/{assignment.uuid}/")
    page.locator("ink-editor .cm-content").first.fill("Dear Jane")
    page.locator("[role=tab][href='#masks']").click()
    page.locator("ink-masks .toolbar button").first.click()
    drag(page, (10, 100), (60, 130))
    page.locator("ink-masks .mask input").fill("torn")
    page.locator("[data-submit]").click()
    why = page.locator("#mask-reason")
    expect(why).to_be_visible()
    expect(page.locator("ink-viewer[data-drawn]")).to_be_visible()
    assert not Label.objects.exists()
    report = Axe().run(page)
    assert report.violations_count == 0, report.generate_report()
    if shots := os.environ.get("INKBENCH_SHOTS"):
        page.screenshot(path=f"{shots}/mask-mark-{theme}.png")
    why.fill("a stain over no writing")
    page.locator(".notice button[form=submission]").click()
    page.wait_for_url(f"{live_server.url}/")
    label = Label.objects.get()
    assert (label.text, label.masks[0]["reason"]) == ("Dear Jane", "torn")
    assert Event.objects.get(verb="submit").reason == "a stain over no writing"
