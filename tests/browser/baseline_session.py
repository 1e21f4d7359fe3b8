"""Somebody in a session of a baseline, at a real browser."""

from __future__ import annotations

import os
from pathlib import Path

from django.urls import reverse
from django.utils.translation import gettext, override
from playwright.sync_api import BrowserContext, Page, expect

from baseline.models import Baseline, Participation
from tests.baseline.made import the_taker
from tests.browser.axe import check_looks
from tests.browser.real_page import sign_in

SCREENSHOTS = os.environ.get("BASELINE_SCREENSHOTS", "")  # a folder to keep the pages' images in


def enter(
    context: BrowserContext, site: str, baseline: Baseline, *, theme: str = "light", language: str = "en"
) -> tuple[Page, Participation]:
    """The first page of a pass, signed in."""
    row = the_taker(baseline).row
    row.person.theme, row.person.language = theme, language
    row.person.save()
    sign_in(context, site, row.person)
    page = context.new_page()
    page.goto(site + reverse("baseline_session", args=[row.uuid]))
    return page, row


def look_at(page: Page, name: str) -> None:
    """What every page is held to, and an image of it where a folder is named."""
    if not name:
        return
    check_looks(page, name)
    if SCREENSHOTS:
        page.screenshot(path=Path(SCREENSHOTS) / f"{name}.png")


def word(words: str, language: str) -> str:
    """What a button says in this language."""
    with override(language):
        return gettext(words)


def press(page: Page, words: str, *, language: str = "en", image: str = "") -> None:
    """Enter, on the button that has the focus and says so."""
    expect(page.get_by_role("button", name=word(words, language), exact=True)).to_be_focused()
    look_at(page, image)
    page.keyboard.press("Enter")


def begin(page: Page) -> None:
    """Through consent and brief, by the button that has the focus."""
    press(page, "I agree to take part")
    press(page, "Continue")


def show(page: Page, *, language: str = "en", image: str = "") -> None:
    press(page, "Show page", language=language, image=image)
    page.locator("ink-viewer[data-drawn]").wait_for()


def wait_for_next(page: Page) -> None:
    """Until what was submitted is taken, and the next page is there to be shown."""
    expect(page.get_by_role("button", name="Show page")).to_be_visible()
