"""The page around the work in a real browser: themes, languages, panes, hints and uploads."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.axe import axe_words
from tests.browser.conftest import Troubles
from tests.browser.style.workbench import Workbench

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_style_page_when_opened_in_both_themes_then_axe_and_policy_are_clean(
    watched: BrowserContext, site: str, workbench: Workbench
) -> None:
    page = watched.new_page()
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.goto(f"{site}/style/")
        assert axe_words(page) == []


def test_work_page_when_opened_in_both_themes_then_axe_is_clean(work: Page) -> None:
    work.evaluate("document.getElementById('text-editor').setText('a long text\\n'.repeat(80))")
    for theme in ("light", "dark"):
        work.emulate_media(color_scheme=theme, reduced_motion="reduce")
        assert axe_words(work) == []
        work.get_by_role("tab", name="Suggestions").click()
        assert axe_words(work) == []


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
def test_transcription_when_on_a_desktop_screen_then_it_has_most_of_its_pane(
    work: Page, width: int, height: int
) -> None:
    work.set_viewport_size({"width": width, "height": height})
    pane = work.locator(".pane").bounding_box()
    text = work.locator("#text-editor").bounding_box()
    assert pane and text
    assert text["height"] / pane["height"] >= 0.6
    assert work.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


def test_hints_when_gone_through_then_they_never_come_again(
    watched: BrowserContext, site: str, workbench: Workbench
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
    watched: BrowserContext, site: str, workbench: Workbench, tmp_path: Path
) -> None:
    folder = tmp_path / "letters"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.png").write_bytes(b"one")
    (folder / "deep" / "b.png").write_bytes(b"two")
    page = watched.new_page()
    page.goto(f"{site}/style/")
    page.locator("ink-dropzone input[webkitdirectory]").set_input_files(str(folder))
    expect(page.locator("ink-dropzone")).to_contain_text("Files: 2")
    page.locator("ink-dropzone").get_by_role("button", name="Import").click()
    expect(page.get_by_role("heading", name="Submitted")).to_be_visible()
    assert sorted(workbench.uploads) == ["letters/a.png", "letters/deep/b.png"]


def test_upload_when_files_are_chosen_before_the_script_runs_then_they_are_listed_all_the_same(
    watched: BrowserContext, site: str, tmp_path: Path
) -> None:
    (tmp_path / "a.png").write_bytes(b"x")
    page = watched.new_page()
    held: list[Route] = []
    page.route("**/*.js", lambda route: held.append(route))
    page.goto(f"{site}/style/", wait_until="commit")
    page.locator("#files").set_input_files(str(tmp_path / "a.png"))
    assert held
    page.unroute("**/*.js")  # lets go what is held
    expect(page.locator("ink-dropzone")).to_contain_text("Files: 1")


def test_upload_when_refused_then_the_reason_is_shown_and_the_files_stay_chosen(
    watched: BrowserContext, site: str, workbench: Workbench, tmp_path: Path, troubles: Troubles
) -> None:
    troubles.expect("422")
    (tmp_path / "a.exe").write_bytes(b"x")
    page = watched.new_page()
    page.goto(f"{site}/style/")
    page.locator("#files").set_input_files(str(tmp_path / "a.exe"))
    expect(page.locator("ink-dropzone")).to_contain_text("Files: 1")
    page.locator("ink-dropzone").get_by_role("button", name="Import").click()
    expect(page.locator("ink-dropzone").get_by_role("alert")).to_contain_text("Choose PNG")
    expect(page.locator("ink-dropzone")).to_contain_text("Files: 1")


def test_theme_when_chosen_then_it_changes_at_once_and_stays(
    watched: BrowserContext, site: str, workbench: Workbench
) -> None:
    page = watched.new_page()
    page.goto(f"{site}/style/")
    page.locator("summary", has_text="Theme and text size").click()
    with page.expect_response("**/display/"):
        page.get_by_role("button", name="Dark theme").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_language_when_chosen_then_page_and_scripts_speak_it(
    watched: BrowserContext, site: str, workbench: Workbench
) -> None:
    page = watched.new_page()
    page.goto(f"{site}/style/work/")
    page.locator("summary", has_text="Language").click()
    page.get_by_role("button", name="简体中文").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-hans")
    page.wait_for_function("globalThis.inkStrings")
    words = page.evaluate("inkStrings")
    assert len(words) > 100
