"""One person at a browser of the real site, who knows which page is before them by its number."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import Troubles, watch
from tests.live_site import LiveSite

PASSWORD = "ink-and-paper-1905"


class Person:
    """A browser context of their own, signed in or not."""

    def __init__(self, browser: Browser, site: LiveSite, name: str, troubles: Troubles) -> None:
        self.site, self.name = site, name
        self.context: BrowserContext = browser.new_context(
            viewport={"width": 1280, "height": 800}, locale="en-GB", reduced_motion="reduce"
        )
        self.context.set_default_timeout(20_000)
        watch(self.context, troubles)
        self.page: Page = self.context.new_page()

    def sign_in(self) -> None:
        self.page.goto(f"{self.site.url}/accounts/login/")
        self.page.get_by_label("Username or email").fill(self.name)
        self.page.get_by_label("Password", exact=True).fill(PASSWORD)
        self.page.get_by_role("main").get_by_role("button", name="Sign in").click()
        expect(self.page.get_by_role("heading", level=1)).to_contain_text("Hello")

    def go_home(self) -> None:
        self.page.get_by_role("link", name="InkBench, home").click()
        expect(self.page.get_by_role("heading", level=1)).to_contain_text("Hello")

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name).first.click()

    # -- work pages

    def sample_number(self) -> int:
        """Which sample is on the work page, once its image is drawn."""
        expect(self.page.locator("ink-viewer[data-drawn]")).to_be_visible()
        words = self.page.locator(".work__place").inner_text()
        match = re.search(r"Sample (\d+)", words)
        assert match, words
        return int(match.group(1))

    def skip_hints(self) -> None:
        """They take some height from the image of the first work page, where outlines are drawn."""
        self.press("Skip hints")
        expect(self.page.locator("ink-hints")).to_be_hidden()

    def write(self, text: str) -> None:
        """The text of a text page, in place of what is there."""
        editor = self.page.locator("ink-editor .cm-content")
        editor.click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(text)
        self.expect_saved()

    def expect_saved(self) -> None:
        expect(self.page.locator("[data-save-state]").first).to_contain_text("Saved")

    def submit(self) -> None:
        before = self.page.url
        self.page.locator("[data-submit]").click()
        self.page.wait_for_url(lambda url: url != before)
