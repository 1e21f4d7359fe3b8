"""Autosave in a real browser: what is typed is stored, or kept on the device and said so, whatever the server does."""

from __future__ import annotations

import pytest
from django.contrib.sessions.models import Session
from django.test import RequestFactory
from playwright.sync_api import BrowserContext, Page, expect

from config.accounts.credential_limits import attempt_by_name
from config.accounts.models import AttemptCount
from tests.browser.conftest import Troubles
from tests.browser.elements.page import editor, text_of
from tests.browser.real_page import SAVED, says, sign_in, until_kept
from tests.browser.style.workbench import Workbench, clear_workbench
from tests.factories import PASSWORD, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_typing_when_it_rests_then_it_is_saved_and_says_so(work: Page, workbench: Workbench) -> None:
    says(work, "No changes yet")
    editor(work).press_sequentially("Dear Harriet,")
    says(work, SAVED)
    assert (workbench.text, workbench.version) == ("Dear Harriet,", 1)
    assert workbench.saves[-1]["image_hash"] == workbench.image_hash
    work.keyboard.press("Control+s")
    assert (len(workbench.saves), workbench.version) == (1, 1)


def test_session_when_it_expires_while_typing_then_signing_in_in_place_saves_the_text(
    work: Page, workbench: Workbench, troubles: Troubles
) -> None:
    troubles.expect("401")
    typed = "All that was written in half an hour. " * 53
    work.evaluate("text => document.getElementById('text-editor').setText(text)", typed)
    says(work, SAVED)
    Session.objects.all().delete()
    editor(work).press("Control+End")
    editor(work).press_sequentially(" And a last word")
    dialog = work.get_by_role("dialog")
    expect(dialog).to_be_visible()
    says(work, "Signed out – saved on this device")
    assert "last word" not in workbench.text
    troubles.expect("400")
    dialog.get_by_label("Username or email").fill("eleanor")
    dialog.get_by_label("Password").fill("wrong-password")
    dialog.get_by_role("button", name="Sign in").click()
    expect(dialog.get_by_role("alert")).not_to_be_empty()
    for _ in range(9):
        attempt_by_name(RequestFactory().get("/"), "eleanor")
    troubles.expect("429")
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Sign in").click()
    expect(dialog.get_by_role("alert")).to_have_text("Too many attempts. Try again in 15 min.")
    AttemptCount.objects.all().delete()
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Sign in").click()
    expect(dialog).to_be_hidden()
    says(work, SAVED)
    assert workbench.text.endswith("And a last word")
    assert workbench.text == text_of(work)
    work.keyboard.press("Control+Enter")
    expect(work.get_by_role("heading", name="Submitted")).to_be_visible()


def test_session_when_sign_in_is_put_off_then_text_stays_and_the_way_back_is_shown(
    work: Page, troubles: Troubles
) -> None:
    troubles.expect("401")
    Session.objects.all().delete()
    editor(work).press_sequentially("kept")
    work.get_by_role("dialog").get_by_role("button", name="Decide later").click()
    editor(work).press_sequentially(" and more")
    work.get_by_role("button", name="Sign in", exact=True).click()
    expect(work.get_by_role("dialog")).to_be_visible()
    assert text_of(work) == "kept and more"


def test_two_tabs_when_both_write_then_both_texts_are_shown_and_a_choice_is_kept(
    work: Page, workbench: Workbench, troubles: Troubles
) -> None:
    troubles.expect("409")
    editor(work).press_sequentially("from the first tab")
    says(work, SAVED)
    workbench.text, workbench.version = "from the second tab", workbench.version + 1
    editor(work).press_sequentially("!")
    says(work, "A newer version exists")
    panel = work.locator("[data-save-trouble]")
    expect(panel.locator("del")).to_contain_text("second")
    expect(panel.locator("ins").first).to_be_visible()
    assert workbench.text == "from the second tab"
    panel.get_by_role("button", name="Keep this version").click()
    says(work, SAVED)
    assert workbench.text == "from the first tab!"


def test_two_tabs_when_the_newer_is_taken_then_undo_brings_the_other_back(
    work: Page, workbench: Workbench, troubles: Troubles
) -> None:
    troubles.expect("409")
    editor(work).press_sequentially("mine")
    says(work, SAVED)
    workbench.text, workbench.version = "theirs", workbench.version + 1
    editor(work).press_sequentially("!")
    work.get_by_role("button", name="Use the newer version").click()
    expect(editor(work)).to_have_text("theirs")
    says(work, SAVED)
    work.locator("[data-save-trouble]").get_by_role("button", name="Undo").click()
    expect(editor(work)).to_have_text("mine!")
    says(work, SAVED)
    assert workbench.text == "mine!"


def test_server_when_dead_then_text_survives_on_the_device_and_is_put_back(
    work: Page, workbench: Workbench, site: str, troubles: Troubles
) -> None:
    troubles.expect("503")
    workbench.refusal = (503, {})
    editor(work).press_sequentially("typed into the void")
    says(work, "Offline – saved on this device")
    assert workbench.text == ""
    context = work.context
    work.close()
    again = context.new_page()
    again.goto(f"{site}/style/work/")
    expect(editor(again)).to_have_text("typed into the void")
    expect(again.get_by_text("Unsaved text found")).to_be_visible()
    assert workbench.text == ""
    workbench.refusal = None
    says(again, SAVED)
    assert workbench.text == "typed into the void"


def test_typing_when_it_is_faster_than_the_disk_then_only_the_newest_copy_waits(
    work: Page, workbench: Workbench, troubles: Troubles
) -> None:
    troubles.expect("503")
    workbench.refusal = (503, {})
    work.evaluate(
        """() => {
            window.copies = 0;
            const put = IDBObjectStore.prototype.put;
            IDBObjectStore.prototype.put = function (...row) { window.copies++; return put.apply(this, row); };
            const editor = document.getElementById("text-editor");
            for (let keys = 1; keys <= 200; keys++) editor.setText("x".repeat(keys));
        }"""
    )
    until_kept(work)
    assert (len(text_of(work)), work.evaluate("window.copies")) == (200, 2)


def test_server_when_it_comes_back_then_the_text_is_saved_without_asking(
    work: Page, workbench: Workbench, troubles: Troubles
) -> None:
    troubles.expect("503")
    workbench.refusal = (503, {})
    editor(work).press_sequentially("patience")
    says(work, "Offline – saved on this device")
    workbench.refusal = None
    says(work, SAVED)
    assert workbench.text == "patience"


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("lease_lost", "Your time for this sample has run out"),
        ("closed", "Already submitted"),
        ("wrong_image", "The image has changed"),
    ],
)
def test_save_when_refused_for_good_then_it_says_why_and_the_text_can_be_copied(
    work: Page, workbench: Workbench, troubles: Troubles, kind: str, words: str
) -> None:
    troubles.expect("409")
    workbench.refusal = (409, {"kind": kind, "message": ""})
    editor(work).press_sequentially("late")
    says(work, words)
    expect(work.get_by_role("button", name="Copy my text")).to_be_visible()
    assert text_of(work) == "late"
    work.keyboard.press("Control+Enter")
    work.wait_for_timeout(300)
    assert workbench.submits == []


def test_save_when_the_text_is_refused_then_the_reason_is_shown_and_a_change_is_tried(
    work: Page, workbench: Workbench, troubles: Troubles
) -> None:
    troubles.expect("422")
    workbench.refusal = (422, {"kind": "invalid", "message": "Too long: at most 5 characters."})
    editor(work).press_sequentially("longer")
    says(work, "Not saved")
    expect(work.get_by_text("Too long: at most 5 characters.")).to_be_visible()
    workbench.refusal = None
    editor(work).press("Backspace")
    says(work, SAVED)
    expect(work.get_by_text("Too long: at most 5 characters.")).to_be_hidden()


def test_text_when_the_servers_disk_is_full_then_it_says_so_and_saves_by_itself_when_there_is_space(
    work: Page, workbench: Workbench, troubles: Troubles
) -> None:
    troubles.expect("507")
    workbench.refusal = (507, {"kind": "disk_full", "message": "The disk is full."})
    editor(work).press_sequentially("kept")
    expect(work.locator("[data-save-trouble]")).to_contain_text("Not saved on the server")
    expect(work.locator("[data-save-trouble]")).to_contain_text("The disk is full. Your text is kept")
    workbench.refusal = None
    says(work, SAVED)
    assert workbench.text == "kept"
    expect(work.locator("[data-save-trouble]")).not_to_contain_text("Not saved")


def test_note_when_typed_then_it_is_not_taken_for_the_transcription(work: Page, workbench: Workbench) -> None:
    work.get_by_role("tab", name="Notes").click()
    work.locator("#notes textarea").press_sequentially("only for me")
    work.wait_for_timeout(1500)
    assert (workbench.saves, text_of(work)) == ([], "")


def test_notice_of_the_server_when_the_text_is_saved_then_it_stays(
    watched: BrowserContext, site: str
) -> None:
    clear_workbench(returned="Line 3 is missing.")
    sign_in(watched, site, make_user("eleanor"))
    page = watched.new_page()
    page.goto(f"{site}/style/work/")
    editor(page).press_sequentially("now with line 3")
    says(page, SAVED)
    expect(page.get_by_text("This sample was returned to you")).to_be_visible()


def test_text_when_the_server_could_not_store_it_then_both_are_shown_and_one_is_chosen(
    work: Page, workbench: Workbench
) -> None:
    work.evaluate(
        """() => {
            const old = document.querySelector('ink-autosave');
            const stored = Object.assign(document.createElement('textarea'), {hidden: true, value: 'stored elsewhere'});
            stored.setAttribute('data-stored', '');
            stored.dataset.basedOn = '-1';
            const fresh = old.cloneNode(true);
            fresh.querySelector('ink-editor').replaceChildren(Object.assign(document.createElement('textarea'),
                {name: 'text', value: 'sent and refused'}));
            fresh.querySelector('form').append(stored);
            old.replaceWith(fresh);
        }"""
    )
    says(work, "A newer version exists")
    expect(work.locator("[data-save-trouble] ink-diff")).to_contain_text("refused")
    work.get_by_role("button", name="Keep this version").click()
    says(work, SAVED)
    assert workbench.text == "sent and refused"
