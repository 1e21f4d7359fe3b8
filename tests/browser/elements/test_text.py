"""The text in a real browser: shown as it will be read, kept as it was written."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.elements.page import editor, text_of
from tests.browser.real_page import SAVED, says, sign_in
from tests.browser.style.workbench import Workbench, clear_workbench
from tests.factories import make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_preview_when_shown_then_math_is_drawn_and_the_text_is_as_written(work: Page) -> None:
    editor(work).press_sequentially("So $x^2$ and\n**bold**")
    work.get_by_role("tab", name="Preview").click()
    panel = work.locator("#preview")
    expect(panel.locator(".katex")).to_be_visible()
    expect(panel.locator("strong")).to_have_text("bold")
    assert text_of(work) == "So $x^2$ and\n**bold**"


def test_preview_when_the_text_is_hostile_then_nothing_runs_loads_or_links(
    watched: BrowserContext, site: str, workbench: Workbench
) -> None:
    page = watched.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{site}/style/")
    expect(page.locator("#hostile .math--failed").first).to_be_visible()
    assert page.evaluate("window.hit") is None
    assert page.locator("#hostile").locator("script, img, iframe, a[href^='javascript']").count() == 0
    assert [url for url in asked if not url.startswith((site, "blob:", "data:"))] == []
    widths = page.locator("#hostile .rule").evaluate_all("nodes => nodes.map(node => node.offsetWidth)")
    assert max(widths, default=0) < 400


def test_right_to_left_text_when_saved_and_reloaded_then_it_is_unchanged_and_each_line_has_its_direction(
    work: Page, workbench: Workbench
) -> None:
    written = "مرحبا hello بالعالم $x^2$\nsecond line"
    work.evaluate("text => document.getElementById('text-editor').setText(text)", written)
    says(work, SAVED)
    assert workbench.text == written
    work.reload()
    expect(editor(work)).to_contain_text("hello")
    assert text_of(work) == written
    bidi = work.locator("#text-editor .cm-line").first.evaluate("node => getComputedStyle(node).unicodeBidi")
    assert bidi == "plaintext"


def test_editor_when_looked_at_then_it_leaves_spelling_alone_and_names_its_language(work: Page) -> None:
    for name, value in {
        "spellcheck": "false",
        "autocorrect": "off",
        "lang": "en",
        "aria-label": "Transcription",
    }.items():
        expect(editor(work)).to_have_attribute(name, value)
    expect(editor(work)).to_be_focused()


def test_changes_when_the_text_is_changed_then_they_follow_it(watched: BrowserContext, site: str) -> None:
    clear_workbench(text="Dear Anna,\nthank you", version=1)
    sign_in(watched, site, make_user("eleanor"))
    page = watched.new_page()
    page.goto(f"{site}/style/work/")
    editor(page).press("Control+End")
    editor(page).press_sequentially(" all")
    page.get_by_role("tab", name="Changes").click()
    expect(page.locator("#changes ins")).to_have_text(" all")
