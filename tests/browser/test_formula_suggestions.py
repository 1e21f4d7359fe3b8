"""Drafts of formulas on the real work page: which formula takes one, and what the draft says of it afterwards."""

from __future__ import annotations

import os
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, expect

from annotation.models import Assignment, Suggestion, SuggestionRequest, SuggestionUse
from annotation.models.project import RecogniserKind, RecogniserSetting
from config.jobs.models import JobState
from tests.annotation.versions import start
from tests.browser.real_page import open_page, sign_in
from tests.browser.shapes import latex, outline, regions

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DRAFTS = ["E=mc^{2}", r"\frac{1}{2}<3"]
FIRST, SECOND = [(20, 20), (100, 20), (60, 60)], [(130, 90), (220, 90), (170, 140)]


@pytest.fixture
def assignment() -> Assignment:
    project, assignment = start("formula")
    setting = RecogniserSetting.objects.create(
        project=project, slot=1, kind=RecogniserKind.EMBEDDED, label="R"
    )
    asked = SuggestionRequest.objects.create(
        sample=assignment.sample, recogniser=setting, state=JobState.DONE
    )
    Suggestion.objects.create(
        request=asked,
        text="\n\n".join(f"$$\n{draft}\n$$" for draft in DRAFTS),
        lines=[{"text": draft, "box": None, "confidence": None} for draft in DRAFTS],
        image_hash=assignment.sample.released_blob,
    )
    return assignment


@pytest.fixture
def page(watched: BrowserContext, live_server: Any, assignment: Assignment) -> Page:
    sign_in(watched, live_server.url, assignment.person)
    return open_page(watched, f"{live_server.url}/work/{assignment.uuid}/")


def drafts(page: Page) -> list[str]:
    """What each draft says of who took it."""
    page.get_by_role("tab", name="Suggestions").click()
    notes = page.locator("ink-formula-suggestions [role=status]")
    expect(notes).to_have_count(len(DRAFTS))
    return [" ".join(words.split()) for words in notes.all_inner_texts()]


def take(page: Page, number: int) -> None:
    page.get_by_role("tab", name="Suggestions").click()
    page.get_by_role("button", name=f"Use this formula {number}").click()


def test_draft_when_no_formula_is_there_to_take_it_then_says_so_and_nothing_is_recorded(page: Page) -> None:
    take(page, 1)
    assert drafts(page) == ["Choose a formula in the list first.", ""]
    assert not SuggestionUse.objects.exists()


def test_draft_when_taken_then_says_by_which_formula_and_its_latex_has_the_focus(page: Page) -> None:
    for points in (FIRST, SECOND):
        outline(page, points)
        page.get_by_role("tab", name="Write").click()
    with page.expect_response("**/taken/"):
        take(page, 1)
    expect(latex(page)).to_be_focused()
    assert [region["latex"] for region in regions(page)] == ["", DRAFTS[0]]
    assert drafts(page) == ["Used as formula 2. Formula 2: show and edit", ""]
    if shots := os.environ.get("INKBENCH_SHOTS"):
        page.screenshot(path=f"{shots}/formula-taken.png")
    report = Axe().run(page)
    assert report.violations_count == 0, report.generate_report()
    page.get_by_role("button", name="Formula 2: show and edit").click()
    expect(latex(page)).to_be_focused()
    # Read first, it is formula 1; written anew, it is the draft no longer.
    page.locator(".region[data-active] .region__acts button").first.click()
    assert drafts(page)[0].startswith("Used as formula 1.")
    page.get_by_role("tab", name="Write").click()
    latex(page).click()
    page.keyboard.press("Control+End")
    page.keyboard.type("+1")
    assert drafts(page) == ["", ""]
    assert list(SuggestionUse.objects.values_list("how", "line")) == [("region", 1)]
