"""Keys in a real browser: each does what it says where it is meant, and nothing elsewhere."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.elements.page import editor, text_of
from tests.browser.real_page import SAVED, says
from tests.browser.style.workbench import Workbench

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_enter_when_pressed_then_it_makes_a_line_and_never_submits(work: Page, workbench: Workbench) -> None:
    editor(work).press_sequentially("- one\ntwo")
    assert text_of(work) == "- one\ntwo"
    says(work, SAVED)
    assert workbench.submits == []


@pytest.mark.parametrize("order", ["isComposing", "keyCode229"])
def test_keys_when_an_input_method_is_open_then_nothing_is_commanded(
    work: Page, workbench: Workbench, order: str
) -> None:
    work.evaluate(
        """order => {
            const target = document.querySelector('#text-editor .cm-content');
            const how = order === 'isComposing' ? {isComposing: true, keyCode: 13} : {keyCode: 229};
            for (const key of ['Enter', 's', 'F1', 'F8', '?'])
                target.dispatchEvent(new KeyboardEvent('keydown', {key, ctrlKey: key === 'Enter' || key === 's',
                    bubbles: true, cancelable: true, ...how}));
        }""",
        order,
    )
    work.wait_for_timeout(200)
    assert (workbench.submits, work.get_by_role("dialog").count()) == ([], 0)


def test_keys_when_the_page_has_the_focus_then_no_bare_key_changes_anything(
    work: Page, workbench: Workbench
) -> None:
    work.evaluate("document.activeElement.blur()")
    before = view_of(work)
    for key in ["Backspace", "Enter", "Delete", *"123456789", *"fr0+-"]:
        work.keyboard.press(key)
    work.wait_for_timeout(300)
    assert (workbench.submits, text_of(work), view_of(work)) == ([], "", before)


def view_of(page: Page) -> str:
    stored = page.evaluate("JSON.stringify({...sessionStorage})")
    return f"{stored} {page.locator('.viewer__stage canvas').first.get_attribute('style')}"


def test_keys_when_typed_into_the_text_then_the_image_stays_and_when_on_the_image_then_it_turns(
    work: Page,
) -> None:
    before = view_of(work)
    editor(work).press_sequentially("fr0+-")
    assert (text_of(work), view_of(work)) == ("fr0+-", before)
    work.keyboard.press("F6")
    work.keyboard.press("F6")
    expect(work.locator(".openseadragon-canvas")).to_be_focused()
    work.keyboard.press("r")
    work.keyboard.press("i")
    assert '"rotation":90' in view_of(work).replace("\\", "")
    assert text_of(work) == "fr0+-"


def test_keys_when_a_dialog_is_open_then_none_reaches_the_page(work: Page, workbench: Workbench) -> None:
    editor(work).press_sequentially("text")
    says(work, SAVED)
    work.keyboard.press("F1")
    dialog = work.get_by_role("dialog")
    expect(dialog).to_contain_text("Submit")
    before = view_of(work)
    for key in [
        "Control+Enter",
        "Control+s",
        "F6",
        "F7",
        "F8",
        "Shift+F8",
        "Alt+PageUp",
        "r",
        "0",
        "?",
        "F1",
    ]:
        work.keyboard.press(key)
    assert (workbench.submits, view_of(work), work.get_by_role("dialog").count()) == ([], before, 1)
    work.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
