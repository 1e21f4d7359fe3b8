"""Handing in in a real browser: once, whole, never blind, never by accident."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import Troubles
from tests.browser.elements.page import editor
from tests.browser.real_page import says, sign_in
from tests.browser.style.workbench import Workbench, clear_workbench
from tests.factories import make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_submit_when_pressed_at_once_then_the_last_letter_is_in_it(work: Page, workbench: Workbench) -> None:
    editor(work).press_sequentially("to the end.")
    work.keyboard.press("Control+Enter")
    expect(work.get_by_role("heading", name="Submitted")).to_be_visible()
    (sent,) = workbench.submits
    assert sent["text"] == "to the end."
    assert sent["base_version"] == "1"
    assert sent["image_hash"] == workbench.image_hash
    assert re.fullmatch(r"[0-9a-f]{32}", sent["idempotency_key"])


def test_submit_when_pressed_in_a_note_then_the_note_goes_and_the_work_stays(
    work: Page, workbench: Workbench
) -> None:
    work.evaluate(
        """() => {
        const form = document.createElement("form");
        form.innerHTML = '<label>Aside <textarea></textarea></label><button>Keep</button>';
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            form.dataset.sentBy = event.submitter.textContent;
        });
        form.id = "aside";
        document.querySelector("main").prepend(form);
    }"""
    )
    work.get_by_label("Aside").press("Control+Enter")
    expect(work.locator("#aside")).to_have_attribute("data-sent-by", "Keep")
    assert workbench.submits == []


def test_submit_when_pressed_many_times_then_one_is_sent(work: Page, workbench: Workbench) -> None:
    # Long enough for all the presses on a busy machine: the page is left when the answer comes.
    workbench.delay = 3
    editor(work).press_sequentially("once")
    for _ in range(5):
        work.keyboard.press("Control+Enter")
    work.get_by_role("button", name="Submit").dblclick(no_wait_after=True)
    expect(work.get_by_role("heading", name="Submitted")).to_be_visible()
    assert len(workbench.submits) == 1


def test_submit_when_the_image_is_not_drawn_then_it_waits_for_the_image(
    watched: BrowserContext, site: str, workbench: Workbench
) -> None:
    workbench.image_delay = 3
    sign_in(watched, site, make_user("eleanor"))
    page = watched.new_page()
    page.goto(f"{site}/style/work/")
    editor(page).press_sequentially("written blind")
    page.keyboard.press("Control+Enter")
    says(page, "The image is not displayed yet")
    assert workbench.submits == []
    expect(page.locator("ink-viewer[data-drawn]")).to_be_visible()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="Submitted")).to_be_visible()


def test_accept_when_every_line_is_on_the_screen_then_it_is_on_at_once(
    watched: BrowserContext, site: str
) -> None:
    workbench = clear_workbench(stage="verify", text="\n".join(f"line {n}" for n in range(17)), version=1)
    sign_in(watched, site, make_user("eleanor"))
    page = watched.new_page()
    page.set_viewport_size(
        {"width": 1280, "height": 600}
    )  # room for few lines more: the editor's own is below
    page.goto(f"{site}/style/work/")
    expect(page.locator("ink-viewer[data-drawn]")).to_be_visible()
    pane, last = page.locator("#text-editor .cm-scroller"), page.locator("#text-editor .cm-line").last
    box, line = pane.bounding_box(), last.bounding_box()
    assert box and line
    # Exactly as high as the lines, so that only the empty room below them is out of sight.
    page.set_viewport_size(
        {"width": 1280, "height": round(600 + line["y"] + line["height"] - box["y"] - box["height"])}
    )
    assert pane.evaluate("pane => pane.scrollHeight > pane.clientHeight + 8 && pane.scrollTop === 0")
    expect(page.get_by_role("button", name="Accept")).not_to_have_attribute("aria-disabled", "true")
    assert workbench.end_reached


def test_accept_when_the_end_was_not_on_the_screen_then_it_is_off_until_it_was(
    watched: BrowserContext, site: str
) -> None:
    workbench = clear_workbench(stage="verify", text="\n".join(f"line {n}" for n in range(120)), version=1)
    sign_in(watched, site, make_user("eleanor"))
    page = watched.new_page()
    page.goto(f"{site}/style/work/")
    expect(page.locator("ink-viewer[data-drawn]")).to_be_visible()
    accept = page.get_by_role("button", name="Accept")
    expect(accept).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Control+Enter")
    assert (workbench.submits, workbench.end_reached) == ([], False)
    page.locator("#text-editor .cm-scroller").evaluate("pane => pane.scrollTo(0, pane.scrollHeight)")
    expect(accept).not_to_have_attribute("aria-disabled", "true")
    assert workbench.end_reached
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="Submitted")).to_be_visible()


def test_page_when_scripts_are_off_then_the_textarea_submits(
    browser: Any, site: str, workbench: Workbench, troubles: Troubles
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/style/work/")
    expect(page.locator("#page img")).to_be_visible()
    page.locator("#write textarea").fill("written without scripts")
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="Submitted")).to_be_visible()
    assert workbench.submits[0]["text"] == "written without scripts"
    context.close()


def test_danger_when_asked_first_then_only_a_yes_sends_it(
    watched: BrowserContext, site: str, workbench: Workbench
) -> None:
    page = watched.new_page()
    page.goto(f"{site}/style/")
    posts: list[str] = []
    page.on(
        "request", lambda request: posts.append(request.post_data or "") if request.method == "POST" else None
    )
    page.locator("#plain-form").get_by_role("button", name="Remove").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert posts == []
    page.locator("#plain-form").get_by_role("button", name="Remove").click()
    with page.expect_request(lambda request: request.method == "POST"):
        page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    assert "act=remove" in posts[0]
