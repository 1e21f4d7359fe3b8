"""The real work page when things go wrong: sessions end, browsers die, tabs race, keys go astray.

What the elements promise by themselves is tested in test_elements.py; here page, views and rows are the product's.
Field cases 1, 2, 5, 6, 7, 8, 11, 12, 20, 34, 35, 37, 38.
"""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone
from playwright.sync_api import BrowserContext, Locator, Page, Playwright, Route, expect

from annotation.models import Assignment, Draft, Label, Note, Project, Sample, Work
from annotation.services.autosave import save_draft
from annotation.services.claim import claim_next
from annotation.services.submit import submit
from annotation.stages import Stage, Status
from config.accounts.models import Role, User
from tests.browser.conftest import Troubles
from tests.browser.real_page import (
    OFFLINE,
    SAVED,
    compose_hello,
    confirm_candidate,
    open_page,
    says,
    session_cookie,
    start_browser,
)
from tests.factories import PASSWORD, make_member, make_project, make_sample

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HOME = re.compile(r"^http://[^/]+/$")
KEYMAP = Path(__file__).resolve().parents[2] / "static" / "src" / "js" / "lib" / "keymap.js"


@pytest.fixture
def project() -> Project:
    return make_project(slug="letters")


@pytest.fixture
def ana(project: Project) -> User:
    return make_member(project, Role.ANNOTATOR, name="ana")


@pytest.fixture
def seat(project: Project, ana: User) -> Assignment:
    return take_seat(project, ana)


def take_seat(project: Project, person: User) -> Assignment:
    make_sample(project)
    taken = claim_next(person=person, project=project, stage=Stage.LABEL)
    assert taken
    return taken


@pytest.fixture
def address(live_server: Any, seat: Assignment) -> str:
    return f"{live_server.url}/work/{seat.uuid}/"


@pytest.fixture
def work(watched: BrowserContext, live_server: Any, ana: User, address: str) -> Page:
    """Ana's work page, its image on the screen."""
    watched.add_cookies([session_cookie(ana, live_server.url)])  # type: ignore[list-item]
    return open_page(watched, address)


def editor(page: Page) -> Locator:
    return page.locator("#transcription .cm-content")


def text_of(page: Page) -> str:
    return str(page.evaluate("document.getElementById('transcription').text"))


def put_text(page: Page, text: str) -> None:
    page.evaluate("text => document.getElementById('transcription').setText(text)", text)


def draft(seat: Assignment) -> tuple[str, int]:
    stored = Draft.objects.get(assignment=seat)
    return stored.text, stored.version


def test_session_when_it_ends_while_typing_then_save_signs_in_in_place_and_stores_all(
    work: Page, seat: Assignment, troubles: Troubles
) -> None:
    troubles.expect("401")
    typed = "All that was written in half an hour. " * 53
    put_text(work, typed)
    says(work, SAVED)
    assert draft(seat)[0] == typed
    Session.objects.all().delete()
    editor(work).press("Control+End")
    editor(work).press_sequentially("The last line.")
    work.keyboard.press("Control+s")
    dialog = work.get_by_role("dialog")
    expect(dialog).to_be_visible()
    assert draft(seat)[0] == typed
    dialog.get_by_label("Username or email").fill("ana")
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Sign in").click()
    expect(dialog).to_be_hidden()
    says(work, SAVED)
    assert draft(seat)[0] == text_of(work) == f"{typed}The last line."
    work.keyboard.press("Control+Enter")
    work.wait_for_url(HOME)
    assert Label.objects.get().text == f"{typed}The last line."


def test_browser_when_killed_while_typing_then_the_text_is_back_and_goes_on_to_the_server(
    playwright: Playwright,
    chromium_alone: list[str],
    live_server: Any,
    ana: User,
    seat: Assignment,
    address: str,
) -> None:
    process, context = start_browser(playwright, chromium_alone)
    try:
        context.add_cookies([session_cookie(ana, live_server.url)])  # type: ignore[list-item]
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
    assert draft(seat)[0] == "Saved line.\n"
    process, context = start_browser(playwright, chromium_alone)
    try:
        context.add_cookies([session_cookie(ana, live_server.url)])  # type: ignore[list-item]
        page = open_page(context, address)
        expect(editor(page)).to_contain_text("Kept on the device.")
        expect(page.get_by_text("Unsaved text was found")).to_be_visible()
        back = text_of(page)
        assert "Saved line.\nKept on the device. And the last words".startswith(back)
        says(page, SAVED)
        assert draft(seat)[0] == back
    finally:
        process.kill()
        process.wait()


def test_save_when_nothing_changed_or_the_text_is_refused_then_it_says_so_and_the_version_stays(
    work: Page, seat: Assignment, troubles: Troubles
) -> None:
    troubles.expect("422")
    editor(work).press_sequentially("one")
    says(work, SAVED)
    work.keyboard.press("Control+s")
    says(work, SAVED)
    assert draft(seat) == ("one", 1)
    put_text(work, "x" * 200_001)
    says(work, "Not saved")
    expect(work.locator("[data-save-trouble]")).to_contain_text("200,000")
    assert draft(seat) == ("one", 1)
    put_text(work, "one and two")
    says(work, SAVED)
    assert draft(seat) == ("one and two", 2)


def test_two_tabs_when_both_write_then_both_texts_are_shown_and_the_chosen_one_is_stored(
    work: Page, seat: Assignment, address: str, troubles: Troubles
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
    assert draft(seat)[0] == "from the other tab"
    panel.get_by_role("button", name="Keep what is here").click()
    says(work, SAVED)
    assert draft(seat)[0] == "from this tab"


def test_late_save_when_the_other_tab_has_handed_in_then_refused_and_the_label_is_untouched(
    work: Page, seat: Assignment, address: str, troubles: Troubles
) -> None:
    troubles.expect("409")
    editor(work).press_sequentially("the draft")
    says(work, SAVED)
    other = open_page(work.context, address)
    editor(other).press_sequentially("The whole: ")
    says(other, SAVED)
    other.get_by_role("button", name="Hand in").click()
    other.wait_for_url(HOME)
    work.bring_to_front()
    editor(work).press_sequentially(", edited late")
    says(work, "Already submitted")
    assert text_of(work) == "the draft, edited late"
    assert [label.text for label in Label.objects.all()] == ["The whole: the draft"]


def test_sample_when_somebody_else_took_it_then_both_texts_are_safe_and_it_says_so(
    work: Page, project: Project, seat: Assignment, troubles: Troubles
) -> None:
    troubles.expect("409")
    editor(work).press_sequentially("half a page")
    says(work, SAVED)
    Work.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    bob = make_member(project, Role.ANNOTATOR)
    theirs = claim_next(person=bob, project=project, stage=Stage.LABEL)
    assert theirs and theirs.sample == seat.sample
    editor(work).press_sequentially(" and the rest")
    says(work, "Your time on this sample ran out")
    expect(work.get_by_role("button", name="Copy my text")).to_be_visible()
    assert text_of(work) == "half a page and the rest"
    assert (draft(seat)[0], draft(theirs)[0]) == ("half a page", "")
    work.keyboard.press("Control+Enter")
    save_draft(seat=theirs, text="bob's", base_version=0, image_hash=theirs.sample.pixel_hash)
    assert (Label.objects.count(), Work.objects.get().holder) == (0, bob)


def test_lease_when_it_ran_out_while_typing_on_then_it_is_simply_renewed(
    work: Page, seat: Assignment
) -> None:
    Work.objects.update(lease_until=timezone.now() - timedelta(hours=3))
    editor(work).press_sequentially("slow and careful")
    says(work, SAVED)
    assert Work.objects.get().lease_until > timezone.now()
    assert draft(seat)[0] == "slow and careful"


def test_submit_when_the_image_is_slow_then_it_waits_until_the_image_is_on_the_screen(
    watched: BrowserContext, live_server: Any, ana: User, address: str
) -> None:
    held: list[Route] = []
    slow = [True]
    watched.route("**/pictures/**", lambda route: held.append(route) if slow else route.continue_())
    watched.add_cookies([session_cookie(ana, live_server.url)])  # type: ignore[list-item]
    page = open_page(watched, address, is_drawn=False)
    editor(page).press_sequentially("written before it was seen")
    page.keyboard.press("Control+Enter")
    says(page, "The image is not on the screen yet")
    page.get_by_role("button", name="Hand in").click()
    says(page, "The image is not on the screen yet")
    assert Label.objects.count() == 0
    slow.clear()
    for route in held:
        route.continue_()
    expect(page.locator("ink-viewer[data-drawn]")).to_be_visible()
    page.keyboard.press("Control+Enter")
    page.wait_for_url(HOME)
    assert Label.objects.get().text == "written before it was seen"


def test_text_when_typed_for_another_picture_then_neither_saved_nor_handed_in(
    work: Page, seat: Assignment, troubles: Troubles
) -> None:
    troubles.expect("409")
    Sample.objects.update(pixel_hash="0" * 64)  # the page on the screen is not this sample's any more
    editor(work).press_sequentially("for the old picture")
    says(work, "The image has changed")
    work.keyboard.press("Control+Enter")
    assert text_of(work) == "for the old picture"
    assert (draft(seat), Label.objects.count()) == (("", 0), 0)


def test_submit_when_pressed_many_times_then_one_label_and_the_next_sample_is_not_handed_in(
    work: Page, project: Project, seat: Assignment
) -> None:
    following = make_sample(project)
    editor(work).press_sequentially("once")
    work.get_by_role("button", name="Hand in").dblclick(no_wait_after=True)
    for _ in range(3):
        work.keyboard.press("Control+Enter")
    work.wait_for_url(lambda url: "/work/" in url and str(seat.uuid) not in url)
    expect(work.locator("ink-viewer[data-drawn]")).to_be_visible()
    expect(editor(work)).to_be_focused()
    assert [label.text for label in Label.objects.all()] == ["once"]
    assert Work.objects.get(sample=following).status == Status.HELD


def test_submit_when_by_keyboard_alone_then_handed_in_and_the_next_editor_has_the_focus(
    work: Page, project: Project, seat: Assignment
) -> None:
    make_sample(project)
    expect(editor(work)).to_be_focused()
    work.keyboard.type("Dear Harriet,")
    work.keyboard.press("Enter")
    work.keyboard.type("the plums arrived.")
    assert Label.objects.count() == 0
    work.keyboard.press("Control+Enter")
    work.wait_for_url(lambda url: "/work/" in url and str(seat.uuid) not in url)
    expect(editor(work)).to_be_focused()
    assert Label.objects.get().text == "Dear Harriet,\nthe plums arrived."


def rows() -> dict[str, Any]:
    """Everything a stray key could change."""
    return {
        "work": list(Work.objects.values_list("stage", "status", "version", "holder")),
        "drafts": list(Draft.objects.values_list("text", "version")),
        "labels": Label.objects.count(),
        "notes": Note.objects.count(),
    }


def test_keys_when_the_page_has_the_focus_then_none_changes_anything(work: Page, address: str) -> None:
    editor(work).press_sequentially("text")
    says(work, SAVED)
    before = rows()
    work.evaluate("document.activeElement.blur()")
    for key in ["Backspace", "Enter", "Delete", *"0123456789", *"fr+-"]:
        work.keyboard.press(key)
    expect(work).to_have_url(address)
    work.locator("#image-pane").click(position={"x": 300, "y": 300})
    work.locator("#transcription").click()
    work.keyboard.press("Control+End")
    work.keyboard.type("fr0+-")
    says(work, SAVED)
    assert text_of(work) == "textfr0+-"
    assert rows()["work"] == before["work"] and rows()["labels"] == 0
    work.keyboard.press("Control+z")
    says(work, SAVED)
    assert draft(Assignment.objects.get())[0] == "text"


@pytest.mark.parametrize("order", ["chromium", "safari"])
def test_enter_when_it_confirms_a_candidate_then_no_field_of_the_page_sends_anything(
    work: Page, address: str, order: str
) -> None:
    before = rows()
    editor(work).focus()
    confirm_candidate(work, order)
    work.get_by_role("tab", name="Notes").click()
    for field in work.locator("#notes").locator("textarea, input[type=url]").all():
        field.focus()
        confirm_candidate(work, order)
        if field.evaluate("node => node.matches('input')"):
            work.keyboard.press("Enter")
    work.locator("summary", has_text="Flag").click()
    work.get_by_label("What is wrong with this sample?").focus()
    confirm_candidate(work, order)
    work.get_by_role("tab", name="Write").click()
    editor(work).press_sequentially("end")  # what was sent before this would be stored before it
    says(work, SAVED)
    after = rows()
    assert (after["labels"], after["notes"], after["work"]) == (0, 0, before["work"])
    expect(work).to_have_url(address)


def test_chinese_when_composed_by_an_input_method_then_the_candidate_is_in_the_text_once(
    work: Page, seat: Assignment
) -> None:
    editor(work).focus()
    compose_hello(work)
    says(work, SAVED)
    assert draft(seat)[0] == "你好"
    assert Label.objects.count() == 0


def bound_keys() -> list[str]:
    """Every chord of the key map, as Playwright writes it."""
    found = re.findall(r"keys: \[([^\]]*)\]", KEYMAP.read_text())
    chords = [chord for keys in found for chord in re.findall(r'"([^"]+)"', keys)]
    assert "Mod+Enter" in chords and len(chords) > 20
    of_any_dialog = {
        "Escape",
        "Enter",
        "Space",
        "Backspace",
        "Delete",
    }  # close it or press its button, as they should
    return [chord.replace("Mod", "Control") for chord in chords if chord not in of_any_dialog]


@pytest.mark.parametrize("opened", ["help", "skip", "signed out"])
def test_keys_when_a_dialog_is_open_then_none_reaches_the_work(
    work: Page, address: str, opened: str, troubles: Troubles
) -> None:
    editor(work).press_sequentially("text")
    says(work, SAVED)
    if opened == "help":
        work.keyboard.press("F1")
    elif opened == "skip":
        work.get_by_role("button", name="Skip").click()
    else:
        troubles.expect("401")
        Session.objects.all().delete()
        editor(work).press_sequentially("!")
    expect(work.get_by_role("dialog")).to_be_visible()
    before = rows()
    for chord in bound_keys():
        work.keyboard.press(chord)
    expect(work.get_by_role("dialog")).to_have_count(1)
    expect(work).to_have_url(address)
    assert rows() == before
    work.keyboard.press("Escape")
    expect(work.get_by_role("dialog")).to_have_count(0)
    assert text_of(work).startswith("text")


def test_bare_keys_when_typed_into_any_box_then_they_are_text(work: Page) -> None:
    view = "JSON.stringify({...sessionStorage})"
    before = work.evaluate(view)
    work.get_by_role("tab", name="Notes").click()
    for field in work.locator("#notes textarea").all():
        field.fill("")
        field.press_sequentially("fri0+-?19")
        expect(field).to_have_value("fri0+-?19")
    expect(work.get_by_role("dialog")).to_have_count(0)
    assert work.evaluate(view) == before
    assert rows()["work"][0][1] == Status.HELD


def test_right_to_left_text_when_saved_reloaded_handed_in_and_reviewed_then_unchanged(
    work: Page, project: Project, seat: Assignment, live_server: Any
) -> None:
    written = "مرحبا hello بالعالم $x^2$\nשלום (12) English\nsecond line"
    put_text(work, written)
    says(work, SAVED)
    work.reload()
    expect(editor(work)).to_contain_text("hello")
    assert text_of(work) == draft(seat)[0] == written
    directions = work.locator("#transcription .cm-line").evaluate_all(
        "lines => lines.map(line => getComputedStyle(line).unicodeBidi)"
    )
    assert directions == ["plaintext"] * 3
    expect(work.locator("ink-viewer[data-drawn]")).to_be_visible()
    work.keyboard.press("Control+Enter")
    work.wait_for_url(HOME)
    assert Label.objects.get().text == written
    chen = make_member(project, Role.REVIEWER)
    second = claim_next(person=chen, project=project, stage=Stage.VERIFY)
    assert second
    work.context.add_cookies([session_cookie(chen, live_server.url)])  # type: ignore[list-item]
    review = open_page(work.context, f"{live_server.url}/work/{second.uuid}/")
    assert text_of(review) == written


def test_page_when_handed_in_elsewhere_then_it_says_so_and_shows_what_was_handed_in(
    work: Page, seat: Assignment, troubles: Troubles
) -> None:
    troubles.expect("409")
    submit(
        seat=seat,
        text="handed in elsewhere",
        base_version=0,
        image_hash=seat.sample.pixel_hash,
        idempotency_key="from-elsewhere",
    )
    editor(work).press_sequentially("too late")
    says(work, "Already submitted")
    work.reload()
    expect(work.get_by_role("heading", level=1)).to_contain_text("no longer in your hands")
    expect(work.locator("#own-text")).to_have_text("handed in elsewhere")
