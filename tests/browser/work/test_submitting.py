"""The real work page when it is submitted: once, for the image that was read, never over what was submitted.

Field cases 7, 8, 12, 38.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from annotation.models import Assignment, Label, Project, Sample, Work
from annotation.services.claim_work import claim_work
from annotation.services.submit_label import submit_label
from annotation.stages import Stage, Status
from config.accounts.models import Role, User
from tests.browser.conftest import Troubles
from tests.browser.real_page import (
    SAVED,
    open_page,
    says,
    sign_in,
)
from tests.browser.work.page import HOME, draft, editor, put_text, text_of
from tests.factories import make_member, make_sample

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_late_save_when_the_other_tab_has_submitted_then_refused_and_the_label_is_untouched(
    work: Page, assignment: Assignment, address: str, troubles: Troubles
) -> None:
    troubles.expect("409")
    editor(work).press_sequentially("the draft")
    says(work, SAVED)
    other = open_page(work.context, address)
    editor(other).press_sequentially("The whole: ")
    says(other, SAVED)
    other.get_by_role("button", name="Submit").click()
    other.wait_for_url(HOME)
    work.bring_to_front()
    editor(work).press_sequentially(", edited late")
    says(work, "Already submitted")
    assert text_of(work) == "the draft, edited late"
    assert [label.text for label in Label.objects.all()] == ["The whole: the draft"]


def test_submit_when_the_image_is_slow_then_it_waits_until_the_image_is_on_the_screen(
    watched: BrowserContext, live_server: Any, ana: User, address: str
) -> None:
    held: list[Route] = []
    slow = [True]
    watched.route("**/images/**", lambda route: held.append(route) if slow else route.continue_())
    sign_in(watched, live_server.url, ana)
    page = open_page(watched, address, is_drawn=False)
    editor(page).press_sequentially("written before it was seen")
    page.keyboard.press("Control+Enter")
    says(page, "The image is not displayed yet")
    page.get_by_role("button", name="Submit").click()
    says(page, "The image is not displayed yet")
    assert Label.objects.count() == 0
    slow.clear()
    for route in held:
        route.continue_()
    expect(page.locator("ink-viewer[data-drawn]")).to_be_visible()
    page.keyboard.press("Control+Enter")
    page.wait_for_url(HOME)
    assert Label.objects.get().text == "written before it was seen"


def test_text_when_typed_for_another_image_then_neither_saved_nor_submitted(
    work: Page, assignment: Assignment, troubles: Troubles
) -> None:
    troubles.expect("409")
    Sample.objects.update(pixel_hash="0" * 64)  # the page on the screen is not this sample's any more
    editor(work).press_sequentially("for the old image")
    says(work, "The image has changed")
    work.keyboard.press("Control+Enter")
    assert text_of(work) == "for the old image"
    assert (draft(assignment), Label.objects.count()) == (("", 0), 0)


def test_submit_when_pressed_many_times_then_one_label_and_the_next_sample_is_not_submitted(
    work: Page, project: Project, assignment: Assignment
) -> None:
    following = make_sample(project)
    editor(work).press_sequentially("once")
    work.get_by_role("button", name="Submit").dblclick(no_wait_after=True)
    for _ in range(3):
        work.keyboard.press("Control+Enter")
    work.wait_for_url(lambda url: "/work/" in url and str(assignment.uuid) not in url)
    expect(work.locator("ink-viewer[data-drawn]")).to_be_visible()
    expect(editor(work)).to_be_focused()
    assert [label.text for label in Label.objects.all()] == ["once"]
    assert Work.objects.get(sample=following).status == Status.HELD


def test_submit_when_by_keyboard_alone_then_submitted_and_the_next_editor_has_the_focus(
    work: Page, project: Project, assignment: Assignment
) -> None:
    make_sample(project)
    expect(editor(work)).to_be_focused()
    work.keyboard.type("Dear Harriet,")
    work.keyboard.press("Enter")
    work.keyboard.type("the plums arrived.")
    assert Label.objects.count() == 0
    work.keyboard.press("Control+Enter")
    work.wait_for_url(lambda url: "/work/" in url and str(assignment.uuid) not in url)
    expect(editor(work)).to_be_focused()
    assert Label.objects.get().text == "Dear Harriet,\nthe plums arrived."


def test_right_to_left_text_when_saved_reloaded_submitted_and_reviewed_then_unchanged(
    work: Page, project: Project, assignment: Assignment, live_server: Any
) -> None:
    written = "مرحبا hello بالعالم $x^2$\nשלום (12) English\nsecond line"
    put_text(work, written)
    says(work, SAVED)
    work.reload()
    expect(editor(work)).to_contain_text("hello")
    assert text_of(work) == draft(assignment)[0] == written
    directions = work.locator("#transcription .cm-line").evaluate_all(
        "lines => lines.map(line => getComputedStyle(line).unicodeBidi)"
    )
    assert directions == ["plaintext"] * 3
    expect(work.locator("ink-viewer[data-drawn]")).to_be_visible()
    work.keyboard.press("Control+Enter")
    work.wait_for_url(HOME)
    assert Label.objects.get().text == written
    chen = make_member(project, Role.REVIEWER)
    second = claim_work(person=chen, project=project, stage=Stage.VERIFY)
    assert second
    sign_in(work.context, live_server.url, chen)
    review = open_page(work.context, f"{live_server.url}/work/{second.uuid}/")
    assert text_of(review) == written


def test_page_when_submitted_elsewhere_then_it_says_so_and_shows_what_was_submitted(
    work: Page, assignment: Assignment, troubles: Troubles
) -> None:
    troubles.expect("409")
    submit_label(
        assignment=assignment,
        text="submitted elsewhere",
        base_version=0,
        image_hash=assignment.sample.pixel_hash,
        idempotency_key="from-elsewhere",
    )
    editor(work).press_sequentially("too late")
    says(work, "Already submitted")
    work.reload()
    expect(work.get_by_role("heading", level=1)).to_contain_text("no longer assigned to you")
    expect(work.locator("#own-text")).to_have_text("submitted elsewhere")
