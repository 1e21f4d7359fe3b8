"""One pass by keys alone in a real browser: the clock, the last keystrokes, a second tab, a killed page."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import BrowserContext, expect

from baseline.models import Event, Response
from tests.baseline.kinds import formula_release, table_release
from tests.baseline.made import make_baseline, make_release
from tests.browser.baseline_session import begin, enter, look_at, press, show, wait_for_next, word
from tests.browser.conftest import Troubles

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize(("theme", "language"), [("light", "en"), ("dark", "zh-hans")])
def test_pass_when_taken_by_keys_alone_then_every_answer_is_as_typed(
    watched: BrowserContext, live_server, theme: str, language: str
) -> None:
    baseline = make_baseline(
        make_release(["to practise", "one", "two"]),
        practice=[1],
        break_every=1,
        time_limit_seconds=300,
        questions=[{"label": "Hand?", "choices": [], "is_optional": False}],
    )
    page, row = enter(watched, live_server.url, baseline, theme=theme, language=language)
    look = f"{theme}-{language}"
    press(page, "I agree to take part", language=language, image=f"consent-{look}")
    page.get_by_label("Hand?").focus()
    page.keyboard.type("left")
    look_at(page, f"about-{look}")
    page.keyboard.press("Enter")
    press(page, "Continue", language=language, image=f"brief-{look}")
    page.locator("ink-viewer[data-drawn]").wait_for()
    page.keyboard.type("to practice")
    look_at(page, f"practice-{look}")
    page.keyboard.press("Control+Enter")
    press(page, "Continue", language=language, image=f"feedback-{look}")
    for index, words in enumerate(("first typed", "second typed")):
        if index:
            press(page, "Continue", language=language, image=f"break-{look}")
        show(page, language=language, image=f"ready-{look}")
        expect(page.locator(".cm-content")).to_be_focused()
        page.keyboard.type(words)
        look_at(page, f"item-{look}")
        page.keyboard.press("Control+Enter")
        expect(page.locator("ink-session")).to_have_count(0)
    page.get_by_label(word("Your comment", language)).press_sequentially("Fine.")
    look_at(page, f"debrief-{look}")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text(word("Everything is submitted", language))).to_be_visible()
    look_at(page, f"over-{look}")
    assert list(row.tasks.values_list("response__text", flat=True)) == ["first typed", "second typed"]
    page.go_back()
    expect(page.get_by_text(word("Everything is submitted", language))).to_be_visible()
    kinds = set(Event.objects.values_list("kind", flat=True))
    assert {"shown", "first_key", "submitted"} <= kinds


def test_clock_when_it_runs_out_while_typing_then_all_that_was_typed_is_submitted(
    watched: BrowserContext, live_server
) -> None:
    page, row = enter(
        watched, live_server.url, make_baseline(make_release(["one", "two"]), time_limit_seconds=6)
    )
    begin(page)
    show(page)
    page.evaluate("Date.now = () => 0")  # what the device's own clock says is never asked
    page.keyboard.type("to the last letter")
    wait_for_next(page)
    response = Response.objects.get()
    assert (response.text, response.is_timed_out) == ("to the last letter", True)
    assert row.tasks.get(position=0).closed_at == row.tasks.get(position=0).deadline


def test_tab_when_a_second_one_is_opened_then_it_is_refused_and_the_first_goes_on(
    watched: BrowserContext, live_server, troubles: Troubles
) -> None:
    troubles.expect("409")
    page, _row = enter(watched, live_server.url, make_baseline())
    begin(page)
    show(page)
    page.keyboard.type("in the first")
    expect(page.locator("ink-autosave")).to_have_attribute("data-state", "saved")
    second = watched.new_page()
    second.goto(page.url)
    expect(second.get_by_text("open in another tab")).to_be_visible()
    expect(second.get_by_role("link", name="Check again")).to_be_visible()
    look_at(second, "second tab")
    page.bring_to_front()
    page.keyboard.type(" tab")
    page.keyboard.press("Control+Enter")
    wait_for_next(page)
    assert Response.objects.get().text == "in the first tab"


def test_page_when_reloaded_in_the_middle_then_text_and_clock_go_on(
    watched: BrowserContext, live_server
) -> None:
    page, row = enter(watched, live_server.url, make_baseline(time_limit_seconds=600))
    begin(page)
    show(page)
    page.keyboard.type("half a line")
    expect(page.locator("ink-autosave")).to_have_attribute("data-state", "saved")
    deadline = row.tasks.get(position=0).deadline
    page.reload()
    page.locator("ink-viewer[data-drawn]").wait_for()
    expect(page.locator(".cm-content")).to_have_text("half a line")
    page.locator(".cm-content").focus()
    page.keyboard.press("Control+End")
    page.keyboard.type(" and more")
    page.keyboard.press("Control+Enter")
    wait_for_next(page)
    assert Response.objects.get().text == "half a line and more"
    assert row.tasks.get(position=0).deadline == deadline


def test_table_when_drawn_by_keys_then_it_is_previewed_and_submitted(
    watched: BrowserContext, live_server
) -> None:
    page, _row = enter(watched, live_server.url, make_baseline(table_release(2)))
    begin(page)
    show(page)
    expect(page.locator("[data-submit]")).to_be_visible()
    page.get_by_role("button", name="Create grid").click()
    for words in ("ink", "pages", "sum"):  # no heading stays empty
        page.keyboard.type(words)
        page.keyboard.press("Tab")
    page.get_by_role("tab", name="Preview").click()
    expect(page.locator("ink-table-view td, ink-table-view th").filter(has_text="pages")).to_be_visible()
    look_at(page, "table preview")
    page.get_by_role("tab", name="Guideline").click()
    expect(page.get_by_text("one table element with rows and cells")).to_be_visible()
    page.get_by_role("tab", name="Write").click()
    page.keyboard.press("Control+Enter")
    wait_for_next(page)
    response = Response.objects.get()
    assert "ink" in response.text and "pages" in response.text and response.text.startswith("<table>")


def test_table_when_it_is_torn_then_it_is_refused_in_words_and_stays(
    watched: BrowserContext, live_server, troubles: Troubles
) -> None:
    troubles.expect("422")
    # Chromium styles the line that it inserts over a whole selection; the policy stops that, the editor draws it anew.
    troubles.expect("Applying inline style")
    page, _row = enter(watched, live_server.url, make_baseline(table_release(1)))
    begin(page)
    show(page)
    page.get_by_role("button", name="Create grid").click()
    page.get_by_role("button", name="Source").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Not submitted")).to_be_visible()
    expect(page.locator(".table-notice")).to_be_visible()
    expect(page.locator("[data-save-state]")).to_contain_text("Saved")
    assert not Response.objects.exists()


def test_formulas_by_region_when_written_then_each_stands_under_its_number_and_no_gold_in_the_page(
    watched: BrowserContext, live_server
) -> None:
    page, _row = enter(watched, live_server.url, make_baseline(formula_release("regions", 1)))
    begin(page)
    show(page)
    assert r"\frac" not in page.content()
    page.get_by_label("Region 1").press_sequentially("x^2")
    assert page.get_by_label("Region 1").bounding_box()["height"] < 120
    page.get_by_label("Region 2").press_sequentially("y")
    page.get_by_role("tab", name="Preview").click()
    expect(page.locator("ink-preview .katex").first).to_be_visible()
    look_at(page, "regions preview")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_label("Your comment")).to_be_visible()
    assert json.loads(Response.objects.get().text) == {"1": "x^2", "2": "y"}


def test_formula_page_when_written_then_it_is_markdown_with_a_preview(
    watched: BrowserContext, live_server
) -> None:
    page, _row = enter(watched, live_server.url, make_baseline(formula_release("page", 1)))
    begin(page)
    show(page)
    page.keyboard.type("$$x^2$$")
    page.get_by_role("tab", name="Preview").click()
    expect(page.locator("ink-preview .katex").first).to_be_visible()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_label("Your comment")).to_be_visible()
    assert Response.objects.get().text == "$$x^2$$"
