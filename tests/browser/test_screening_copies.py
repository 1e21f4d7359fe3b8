"""A screener who is about to call a page clean is informed of its redacted copy, and takes the same areas."""

from __future__ import annotations

import os
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, expect

from annotation.models import Screening
from annotation.services.screen_page import claim_screening, save_screening
from annotation.stages import Intake
from tests.annotation.services.test_screen_page import BOX, finish, screened_project
from tests.browser.real_page import open_page, sign_in
from tests.factories import make_sample

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize(("theme", "language"), [("light", "en"), ("dark", "zh-hans")])
def test_clean_when_a_copy_was_redacted_then_told_and_the_same_areas_are_taken(
    watched: BrowserContext, live_server: Any, troubles: Any, theme: str, language: str
) -> None:
    troubles.expect("status of 422")
    project, screener = screened_project()
    screener.theme, screener.language = theme, language
    screener.save()
    for _copy in range(2):
        sample = make_sample(project, text="Dear Jane Doe", intake=Intake.SCREENING)
        Screening.objects.create(sample=sample)
    finish(claim_screening(person=screener, project=project))
    held = claim_screening(person=screener, project=project)
    assert held
    save_screening(screening=held, areas=[])
    sign_in(watched, live_server.url, screener)
    page = open_page(watched, f"{live_server.url}/screen/{held.uuid}/")
    expect(page.locator("ink-masks .mask")).to_have_count(0)
    page.locator("button[name=clean]").click()
    page.locator("dialog button.button--primary, dialog button.button--danger").first.click()
    page.locator("button[name=despite]").wait_for()
    expect(page.locator("ink-viewer[data-drawn]")).to_be_visible()
    report = Axe().run(page)
    assert report.violations_count == 0, report.generate_report()
    if shots := os.environ.get("INKBENCH_SHOTS"):
        page.screenshot(path=f"{shots}/screening-copies-{theme}.png")
    page.locator("button[name=take]").click()
    expect(page.locator("ink-masks .mask")).to_have_count(1)
    expect(page.locator("button[name=take]")).to_have_count(0)
    kept = Screening.objects.get(pk=held.pk)
    assert kept.areas[0]["points"] == BOX["points"] and kept.done_at is None
