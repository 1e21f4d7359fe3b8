"""Hands on the style guide's work page."""

from __future__ import annotations

from playwright.sync_api import Locator, Page


def editor(page: Page) -> Locator:
    return page.locator("#text-editor .cm-content")


def text_of(page: Page) -> str:
    return str(page.evaluate("document.getElementById('text-editor').text"))
