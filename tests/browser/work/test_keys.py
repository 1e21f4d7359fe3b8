"""The real work page when keys go astray, and when an input method composes.

Field cases 11, 34, 35, 37.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Page, expect

from annotation.models import Assignment, Draft, Label, Note, Work
from annotation.stages import Status
from tests.browser.conftest import Troubles
from tests.browser.real_page import (
    SAVED,
    compose_hello,
    confirm_candidate,
    says,
)
from tests.browser.work.page import draft, editor, text_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
KEYMAP = Path(__file__).resolve().parents[3] / "static" / "src" / "js" / "lib" / "keymap.js"


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
    work: Page, assignment: Assignment
) -> None:
    editor(work).focus()
    compose_hello(work)
    says(work, SAVED)
    assert draft(assignment)[0] == "你好"
    assert Label.objects.count() == 0


def bound_keys() -> list[str]:
    """Every chord of the key map, as Playwright writes it."""
    bindings = re.findall(r"keys: \[([^\]]*)\]", KEYMAP.read_text())
    chords = [chord for keys in bindings for chord in re.findall(r'"([^"]+)"', keys)]
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
