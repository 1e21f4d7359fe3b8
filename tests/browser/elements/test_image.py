"""The page image in a real browser: drawn or said why not, its view kept, the caret's line lit."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import Troubles
from tests.browser.elements.page import editor
from tests.browser.style.workbench import Workbench

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_image_when_refused_then_it_says_so_and_can_be_tried_again(
    watched: BrowserContext, site: str, workbench: Workbench, troubles: Troubles
) -> None:
    troubles.expect("404")
    workbench.image_status = 404
    page = watched.new_page()
    page.goto(f"{site}/style/work/")
    expect(page.get_by_text("The image could not be shown. Your text is kept.")).to_be_visible()
    workbench.image_status = 200
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("ink-viewer[data-drawn]")).to_be_visible()


def test_view_when_changed_then_it_is_kept_for_the_image_and_the_image_is_not_touched(work: Page) -> None:
    work.get_by_role("button", name="Invert").click()
    work.get_by_label("Contrast").fill("200")
    canvas = work.locator(".viewer__stage .openseadragon-canvas canvas").first
    expect(canvas).to_have_attribute("style", re.compile(r"contrast\(200%\) invert\(1\)"))
    work.reload()
    expect(work.locator("ink-viewer[data-drawn]")).to_be_visible()
    expect(work.get_by_role("button", name="Invert")).to_have_attribute("aria-pressed", "true")
    expect(canvas).to_have_attribute("style", re.compile(r"contrast\(200%\) invert\(1\)"))


def test_line_when_the_caret_moves_then_its_place_on_the_image_is_lit(work: Page) -> None:
    editor(work).press_sequentially("3 September\nDear Harriet,\nYour plums")
    boxes = []
    for key in ("Control+Home", "ArrowDown", "ArrowDown"):
        work.keyboard.press(key)
        box = work.locator("ink-viewer").get_attribute("highlight")
        assert box
        boxes.append([float(side) for side in box.split()])
    tops = [box[1] for box in boxes]
    assert tops == sorted(tops) and tops[0] < tops[-1]
    expect(work.locator(".viewer__line")).to_be_visible()
