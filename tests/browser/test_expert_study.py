"""An expert study in Chromium: three raters grade and choose, by mouse and by keys; then it is closed and read."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Troubles, watch
from tests.live_site import LiveSite, live_site

PASSWORD = "ink-and-paper-1905"
RATERS = ("ana", "chen", "eva")
TRIALS = 5  # one for practice, three that count, one for attention


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    with live_site(tmp_path_factory.mktemp("study")) as running:
        running.add_people("mei", *RATERS, password=PASSWORD)
        running.manage("example_study", "--manager", "mei", "--raters", *RATERS)
        yield running


def sign_in(browser: Browser, site: LiveSite, name: str, troubles: Troubles) -> Page:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    watch(context, troubles)
    page = context.new_page()
    page.goto(f"{site.url}/accounts/login/")
    page.locator("input[name=login]").fill(name)
    page.locator("input[name=password]").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{site.url}/")
    return page


def grade(page: Page, value: int) -> None:
    expect(page.get_by_role("heading", name="Student solution")).to_be_visible()
    expect(page.locator("ink-viewer")).to_have_count(0)
    expect(page.locator("ink-preview .katex").first).to_be_visible()
    page.locator(f"input[name=grade][value='{value}']").check(force=True)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text(f"Your grade: {value} of 10, locked")).to_be_visible()


def choose_by_keys(page: Page, key: str, value: str) -> None:
    """Digits choose and never confirm; Backspace, Enter and other digits do nothing."""
    page.locator("h1").evaluate("() => document.activeElement.blur()")
    for idle in ("Backspace", "Delete", "9", "Enter"):
        page.keyboard.press(idle)
    expect(page.locator("input[name=choice]:checked")).to_have_count(0)
    page.keyboard.press(key)
    expect(page.locator(f"input[name=choice][value={value}]")).to_be_checked()
    page.locator("textarea[name=comment]").press_sequentially("102")  # in a field digits are text
    expect(page.locator(f"input[name=choice][value={value}]")).to_be_checked()
    page.keyboard.press("Control+Enter")


def nothing_needs_scrolling(page: Page, *needed: str) -> None:
    """On both common screens every needed element is whole and uncovered on the screen, and the page itself has no
    scroll bar."""
    for width, height in ((1440, 900), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        for selector in needed:
            for element in page.locator(selector).all():
                box = element.bounding_box()
                assert box is not None and box["width"] > 20, selector
                assert box["x"] >= 0 and box["x"] + box["width"] <= width, (selector, box)
                assert box["y"] >= 0 and box["y"] + box["height"] <= height, (selector, box)
                assert element.evaluate(
                    "element => { const b = element.getBoundingClientRect();"
                    " const at = document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2);"
                    " return element.contains(at) || at.contains(element); }"
                ), selector


def play(page: Page, *, by_keys: bool) -> None:
    page.get_by_role("link", name="Start").first.click()
    page.get_by_role("link", name="Start").click()
    for trial in range(TRIALS):
        expect(page.locator("form[data-answer] button")).to_be_visible()
        if trial == 0:
            nothing_needs_scrolling(page, ".grades__one", ".marks select", "form[data-answer] button")
        grade(page, 3 + trial)
        expect(page.locator("ink-viewer[data-drawn]")).to_be_visible()
        if trial == 0:
            nothing_needs_scrolling(
                page, "ink-viewer", ".scores__one", ".answers__one", "textarea", "form[data-answer] button"
            )
        before = page.locator("ink-trial").get_attribute("position")
        if by_keys:
            choose_by_keys(page, *(("1", "A"), ("2", "B"), ("0", "none"))[trial % 3])
        else:
            side = "Score A" if trial % 2 else "Score B"
            page.locator((".scores__one", ".answers__one")[trial // 2 % 2], has_text=side).click()
            expect(page.locator(f"input[name=choice][value={side[-1]}]")).to_be_checked()
            page.get_by_role("button", name="Confirm and continue").dblclick(no_wait_after=True)
        expect(page.locator(f"ink-trial[position='{before}']")).to_have_count(0)
        if trial == 1:
            page.get_by_role("button", name="Pause").click()
            expect(page.get_by_role("heading", name="Paused")).to_be_visible()
            page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("That was the last item")).to_be_visible()


def test_study_when_three_raters_play_it_then_each_answer_is_there_once_and_the_report_opens(
    browser: Browser, site: LiveSite, troubles: Troubles
) -> None:
    for name in RATERS:
        page = sign_in(browser, site, name, troubles)
        play(page, by_keys=name == "ana")
        page.context.close()
    mei = sign_in(browser, site, "mei", troubles)
    mei.goto(f"{site.url}/studies/1/")
    expect(mei.locator("tbody tr").first).to_contain_text(f"{TRIALS}")
    mei.get_by_role("button", name="Close the study").click()
    expect(mei.get_by_role("dialog")).to_contain_text("Everyone is done.")
    mei.get_by_role("dialog").get_by_role("button", name="Close the study").click()
    expect(mei.get_by_role("heading", name="Summary")).to_be_visible()
    expect(mei.locator("main")).to_contain_text("rated by 3 experts")
    mei.goto(f"{site.url}/studies/1/")  # every figure is there when the page is, unscrolled: so it prints
    drawn = "[...document.querySelectorAll('img.figure')].map(img => img.complete && img.naturalWidth)"
    assert len(mei.evaluate(drawn)) == 5 and all(mei.evaluate(drawn))
    record = mei.request.get(f"{site.url}/studies/1/record.json").json()
    answered = [trial for trial in record["trials"] if trial["choice"]]
    assert len(answered) == 3 * TRIALS and len({(t["rater"], t["position"]) for t in answered}) == 3 * TRIALS
    assert all(trial["seconds"] and trial["grade"] == 2 + trial["position"] for trial in answered)
    assert [t["comment"] for t in answered if t["rater"] == "R1"] == ["102"] * TRIALS
    assert re.fullmatch(
        r"image/svg\+xml", mei.request.get(f"{site.url}/studies/1/figures/shares.svg").headers["content-type"]
    )
