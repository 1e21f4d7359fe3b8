"""Keys of one's own in a real browser: chosen by pressing them, refused with the reason, in force at work."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect

from annotation.models import Work
from annotation.services.claim_work import claim_work
from annotation.stages import Stage, Status
from config.accounts.keyboard_shortcuts import keys_of
from config.accounts.models import Role, User
from tests.browser.axe import axe_words
from tests.browser.real_page import sign_in
from tests.factories import make_member, make_project, make_sample

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def worker() -> User:
    project = make_project()
    make_sample(project, text="Dear Ann,")
    make_sample(project, text="Dear Ben,")
    person = make_member(project, Role.ANNOTATOR, name="ann")
    claim_work(person=person, project=project, stage=Stage.LABEL)
    return person


def _row(page: Page, command: str) -> Any:
    return page.locator(f'[data-command-row="{command}"]')


def _press(page: Page, command: str, keys: str) -> None:
    _row(page, command).get_by_role("button", name="Change").click()
    expect(_row(page, command).get_by_role("button", name="Press the new keys")).to_be_focused()
    page.keyboard.press(keys)


def _open_keys(page: Page, site: str) -> None:
    page.goto(site + reverse("preferences"))
    page.get_by_role("link", name="Your shortcuts").click()
    expect(_row(page, "submit")).to_contain_text("Ctrl+Enter")


def test_own_keys_when_chosen_then_they_submit_and_the_old_ones_do_not(
    live_server: Any, watched: BrowserContext, worker: User
) -> None:
    sign_in(watched, live_server.url, worker)
    page = watched.new_page()
    _open_keys(page, live_server.url)
    _press(page, "submit", "F10")
    expect(_row(page, "submit").locator("kbd")).to_have_text("F10")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Shortcuts saved.")).to_be_visible()
    expect(_row(page, "submit").locator("kbd")).to_have_text("F10")
    worker.refresh_from_db()
    assert keys_of(worker) == {"submit": ["F10"]}

    held = Work.objects.get(holder=worker)
    assignment = held.sample.assignments.get(person=worker)
    page.goto(live_server.url + reverse("work", args=[assignment.uuid]))
    expect(page.locator('kbd[data-key="submit"]')).to_have_text("F10")
    editor = page.locator("ink-editor .cm-content").first
    editor.click()
    page.keyboard.type("Dear Ann,")
    page.keyboard.press("Control+Enter")
    page.keyboard.press("F1")
    expect(page.locator("dialog[data-keys]")).to_contain_text("F10")
    page.keyboard.press("Escape")
    held.refresh_from_db()
    assert (held.stage, held.status) == (Stage.LABEL, Status.HELD)
    editor.click()
    with page.expect_navigation():
        page.keyboard.press("F10")
    held.refresh_from_db()
    assert held.stage == Stage.VERIFY


REFUSED = [
    ("submit", "F8", "F8 is already used for: Next disagreement."),
    ("submit", "Control+s", "Ctrl+S is already used for: Save now."),
    ("submit", "a", "A is used for typing, moving the caret or by the browser."),
    ("tab-next", "ArrowLeft", "← is used for typing, moving the caret or by the browser."),
    ("help", "F6", "F6 is already used for: Next pane."),
]


def test_own_keys_when_they_are_taken_or_type_then_refused_with_the_reason(
    live_server: Any, watched: BrowserContext, worker: User
) -> None:
    sign_in(watched, live_server.url, worker)
    page = watched.new_page()
    _open_keys(page, live_server.url)
    for command, keys, words in REFUSED:
        before = _row(page, command).locator("kbd").all_text_contents()
        _press(page, command, keys)
        expect(_row(page, command).get_by_role("alert")).to_contain_text(words)
        assert _row(page, command).locator("kbd").all_text_contents() == before
    assert page.locator('input[name="keys"]').input_value() == "{}"


def test_own_keys_when_escape_is_pressed_or_the_button_is_left_then_all_stays(
    live_server: Any, watched: BrowserContext, worker: User
) -> None:
    sign_in(watched, live_server.url, worker)
    page = watched.new_page()
    _open_keys(page, live_server.url)
    _press(page, "submit", "Escape")
    expect(_row(page, "submit").get_by_role("button", name="Change")).to_be_visible()
    _press(page, "save", "Tab")
    expect(_row(page, "save").get_by_role("button", name="Change")).to_be_visible()
    assert page.locator('input[name="keys"]').input_value() == "{}"


def test_own_keys_when_two_trade_places_then_each_goes_back_only_where_its_keys_are_free(
    live_server: Any, watched: BrowserContext, worker: User
) -> None:
    sign_in(watched, live_server.url, worker)
    page = watched.new_page()
    _open_keys(page, live_server.url)
    _press(page, "save", "F10")
    _press(page, "submit", "Control+s")
    expect(_row(page, "submit").locator("kbd")).to_have_text("Ctrl+S")
    _row(page, "save").get_by_role("button", name="Reset").click()
    expect(_row(page, "save").get_by_role("alert")).to_contain_text("now used by another command")
    _row(page, "submit").get_by_role("button", name="Reset").click()
    _row(page, "save").get_by_role("button", name="Reset").click()
    assert page.locator('input[name="keys"]').input_value() == "{}"
    assert axe_words(page) == []
