"""The submission in a real browser: by mouse and by keys, and what cannot be typed while it is on its way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from baseline.models import Response, ResponseKind
from evaluation.models import Release
from tests.baseline.kinds import formula_release, table_release
from tests.baseline.made import make_baseline, make_release
from tests.browser.baseline_session import begin, enter, show, wait_for_next
from tests.browser.conftest import Troubles

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
KINDS = ("text", "table", "source", "regions")


def release_of_kind(kind: str) -> Release:
    if kind == "regions":
        return formula_release("regions", 2)
    return make_release(["one", "two"]) if kind == "text" else table_release(2)


def write(page: Page, kind: str, words: str) -> None:
    """The first words of an answer; the caret stays behind them."""
    if kind in ("table", "source"):
        page.get_by_role("button", name="Create grid").click()
    if kind == "source":
        page.keyboard.type("x")
        page.get_by_role("button", name="Source").click()
        page.locator("ink-table .cm-content").get_by_text("x").first.dblclick()
    if kind == "regions":
        page.get_by_label("Region 1").focus()
    page.keyboard.type(words)


def written(kind: str, text: str) -> str:
    """The words of an answer, without the form they stand in."""
    return json.loads(text)["1"] if kind == "regions" else text


@contextmanager
def saves_held(page: Page) -> Iterator[list[Route]]:
    """No save of the page gets through before the end of the block."""
    held: list[Route] = []
    page.route("**/save/**", lambda route: held.append(route))
    try:
        yield held
    finally:
        for route in held:
            route.continue_()
        page.unroute("**/save/**")


@pytest.mark.parametrize("kind", KINDS)
def test_submit_when_it_is_still_being_saved_then_nothing_more_can_be_typed(
    watched: BrowserContext, live_server, troubles: Troubles, kind: str
) -> None:
    troubles.expect("Applying inline style")  # Chromium's own, where a selection in the source is typed over
    page, _row = enter(watched, live_server.url, make_baseline(release_of_kind(kind)))
    begin(page)
    show(page)
    with saves_held(page) as held:
        write(page, kind, "whole")
        page.keyboard.press("Control+Enter")
        expect(page.locator("ink-session [read-only]")).to_have_count(1)
        page.keyboard.type("LATE")
        page.locator("#write").click()
        page.keyboard.type("LATE")
        page.wait_for_timeout(200)
        assert held and not Response.objects.exists()
    wait_for_next(page)
    text = written(kind, Response.objects.get().text)
    assert "whole" in text and "LATE" not in text


@pytest.mark.parametrize("kind", KINDS)
def test_submit_when_the_save_fails_then_the_editor_is_given_back_with_the_text(
    watched: BrowserContext, live_server, troubles: Troubles, kind: str
) -> None:
    troubles.expect("Applying inline style", "ERR_FAILED", "Failed to load resource")
    page, _row = enter(watched, live_server.url, make_baseline(release_of_kind(kind)))
    begin(page)
    show(page)
    page.route("**/save/**", lambda route: route.abort())
    write(page, kind, "kept")
    page.keyboard.press("Control+Enter")
    expect(page.locator("ink-autosave")).to_have_attribute("data-state", "offline")
    expect(page.locator("ink-session [read-only]")).to_have_count(0)
    page.unroute("**/save/**")
    page.keyboard.type(" and more")
    page.keyboard.press("Control+Enter")
    wait_for_next(page)
    assert "kept and more" in written(kind, Response.objects.get().text)


@pytest.mark.parametrize("is_saved", [False, True], ids=["unsaved", "saved"])
def test_submit_when_its_button_is_clicked_then_it_goes_through_whether_or_not_all_was_saved(
    watched: BrowserContext, live_server, is_saved: bool
) -> None:
    page, _row = enter(watched, live_server.url, make_baseline())
    begin(page)
    show(page)
    page.keyboard.type("by mouse")
    if is_saved:
        expect(page.locator("[data-save-state]")).to_contain_text("Saved")
    page.get_by_role("button", name="Submit and continue").click()
    wait_for_next(page)
    assert Response.objects.get().text == "by mouse"


def test_cannot_read_when_pressed_by_mistake_then_it_asks_first_and_nothing_is_lost(
    watched: BrowserContext, live_server
) -> None:
    page, _row = enter(watched, live_server.url, make_baseline())
    begin(page)
    show(page)
    page.keyboard.type("half read")
    for answer in ("Cancel", "I cannot read this"):
        page.get_by_role("button", name="I cannot read this").click()
        assert not Response.objects.exists()
        page.get_by_role("dialog").get_by_role("button", name=answer).click()
        if answer == "Cancel":
            expect(page.locator(".cm-content")).to_have_text("half read")
    wait_for_next(page)
    assert Response.objects.get().kind == ResponseKind.CANNOT_READ
