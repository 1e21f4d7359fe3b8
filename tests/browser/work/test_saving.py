"""The real work page when saving goes wrong: sessions end, browsers die, tabs race, assignments are lost.

What the elements promise by themselves is tested in `tests/browser/elements/`.
Field cases 1, 2, 5, 6, 20.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone
from playwright.sync_api import Page, Playwright, expect

from annotation.models import Assignment, Label, Project, Work
from annotation.services.claim_work import claim_work
from annotation.services.save_draft import save_draft
from annotation.stages import Stage
from config.accounts.models import Role, User
from tests.browser.conftest import Troubles
from tests.browser.real_page import (
    OFFLINE,
    SAVED,
    open_page,
    says,
    sign_in,
    start_browser,
)
from tests.browser.work.page import HOME, draft, editor, put_text, text_of
from tests.factories import PASSWORD, make_member

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_session_when_it_ends_while_typing_then_save_signs_in_in_place_and_stores_all(
    work: Page, assignment: Assignment, troubles: Troubles
) -> None:
    troubles.expect("401")
    typed = "All that was written in half an hour. " * 53
    put_text(work, typed)
    says(work, SAVED)
    assert draft(assignment)[0] == typed
    Session.objects.all().delete()
    editor(work).press("Control+End")
    editor(work).press_sequentially("The last line.")
    work.keyboard.press("Control+s")
    dialog = work.get_by_role("dialog")
    expect(dialog).to_be_visible()
    assert draft(assignment)[0] == typed
    dialog.get_by_label("Username or email").fill("ana")
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Sign in").click()
    expect(dialog).to_be_hidden()
    says(work, SAVED)
    assert draft(assignment)[0] == text_of(work) == f"{typed}The last line."
    work.keyboard.press("Control+Enter")
    work.wait_for_url(HOME)
    assert Label.objects.get().text == f"{typed}The last line."


def test_browser_when_killed_while_typing_then_the_text_is_back_and_goes_on_to_the_server(
    playwright: Playwright,
    chromium_alone: list[str],
    live_server: Any,
    ana: User,
    assignment: Assignment,
    address: str,
) -> None:
    process, context = start_browser(playwright, chromium_alone)
    try:
        sign_in(context, live_server.url, ana)
        page = open_page(context, address)
        editor(page).press_sequentially("Saved line.\n")
        says(page, SAVED)
        page.route("**/autosave/", lambda route: route.abort())
        editor(page).press_sequentially("Kept on the device. ")
        says(page, OFFLINE)
        editor(page).press_sequentially("And the last words")
        process.kill()
        process.wait()
    finally:
        process.kill()
    assert draft(assignment)[0] == "Saved line.\n"
    process, context = start_browser(playwright, chromium_alone)
    try:
        sign_in(context, live_server.url, ana)
        page = open_page(context, address)
        expect(editor(page)).to_contain_text("Kept on the device.")
        expect(page.get_by_text("Unsaved text found")).to_be_visible()
        back = text_of(page)
        assert "Saved line.\nKept on the device. And the last words".startswith(back)
        says(page, SAVED)
        assert draft(assignment)[0] == back
    finally:
        process.kill()
        process.wait()


def test_save_when_nothing_changed_or_the_text_is_refused_then_it_says_so_and_the_version_stays(
    work: Page, assignment: Assignment, troubles: Troubles
) -> None:
    troubles.expect("422")
    editor(work).press_sequentially("one")
    says(work, SAVED)
    work.keyboard.press("Control+s")
    says(work, SAVED)
    assert draft(assignment) == ("one", 1)
    put_text(work, "x" * 200_001)
    says(work, "Not saved")
    expect(work.locator("[data-save-trouble]")).to_contain_text("200,000")
    assert draft(assignment) == ("one", 1)
    put_text(work, "one and two")
    says(work, SAVED)
    assert draft(assignment) == ("one and two", 2)


def test_two_tabs_when_both_write_then_both_texts_are_shown_and_the_chosen_one_is_stored(
    work: Page, assignment: Assignment, address: str, troubles: Troubles
) -> None:
    troubles.expect("409")
    other = open_page(work.context, address)
    editor(other).press_sequentially("from the other tab")
    says(other, SAVED)
    work.bring_to_front()
    editor(work).press_sequentially("from this tab")
    says(work, "A newer version exists")
    panel = work.locator("[data-save-trouble]")
    expect(panel.locator("del").first).to_be_visible()
    expect(panel.locator("ins").first).to_be_visible()
    assert draft(assignment)[0] == "from the other tab"
    panel.get_by_role("button", name="Keep this version").click()
    says(work, SAVED)
    assert draft(assignment)[0] == "from this tab"


def test_sample_when_somebody_else_took_it_then_both_texts_are_safe_and_it_says_so(
    work: Page, project: Project, assignment: Assignment, troubles: Troubles
) -> None:
    troubles.expect("409")
    editor(work).press_sequentially("half a page")
    says(work, SAVED)
    Work.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    bob = make_member(project, Role.ANNOTATOR)
    theirs = claim_work(person=bob, project=project, stage=Stage.LABEL)
    assert theirs and theirs.sample == assignment.sample
    editor(work).press_sequentially(" and the rest")
    says(work, "Your time for this sample has run out")
    expect(work.get_by_role("button", name="Copy my text")).to_be_visible()
    assert text_of(work) == "half a page and the rest"
    assert (draft(assignment)[0], draft(theirs)[0]) == ("half a page", "")
    work.keyboard.press("Control+Enter")
    save_draft(assignment=theirs, text="bob's", base_version=0, image_hash=theirs.sample.pixel_hash)
    assert (Label.objects.count(), Work.objects.get().holder) == (0, bob)


def test_lease_when_it_ran_out_while_typing_on_then_it_is_simply_renewed(
    work: Page, assignment: Assignment
) -> None:
    Work.objects.update(lease_until=timezone.now() - timedelta(hours=3))
    editor(work).press_sequentially("slow and careful")
    says(work, SAVED)
    assert Work.objects.get().lease_until > timezone.now()
    assert draft(assignment)[0] == "slow and careful"
