"""Outlines and masks on the page image in a real browser: drawn by pointer and by keys, kept whatever happens."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.axe import axe_words
from tests.browser.real_page import SAVED, says, sign_in
from tests.browser.shapes import click_on, drag, is_near, latex, masks, outline, place, regions
from tests.browser.style.workbench import Workbench, clear_workbench, page_jpeg
from tests.factories import make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TRIANGLE = [(200, 200), (600, 220), (400, 500)]
BOW_TIE = [(200, 200), (600, 500), (600, 200), (200, 500)]


@pytest.fixture
def workbench() -> Workbench:
    fresh = clear_workbench(structure="formula")
    page_jpeg(fresh.page)
    return fresh


@pytest.fixture
def work(watched: BrowserContext, site: str, workbench: Workbench) -> Page:
    sign_in(watched, site, make_user("eleanor"))
    watched.add_init_script("try { localStorage.setItem('inkbench:hints:style-work', 'seen') } catch {}")
    page = watched.new_page()
    page.emulate_media(reduced_motion="reduce")
    return opened(page, site)


def opened(page: Page, site: str) -> Page:
    page.goto(f"{site}/style/work/")
    expect(page.locator("ink-viewer[data-drawn]")).to_be_visible()
    return page


def note(page: Page) -> Locator:
    return page.locator(".viewer__note")


def test_outline_when_drawn_by_mouse_then_its_latex_opens_and_both_are_saved(
    work: Page, workbench: Workbench
) -> None:
    outline(work, TRIANGLE)
    expect(latex(work)).to_be_focused()
    work.keyboard.type(r"\frac{a}{b}")
    expect(work.locator(".region__math .mfrac")).to_be_visible()
    says(work, SAVED)
    (region,) = json.loads(workbench.text)["regions"]
    assert is_near(region["polygon"], TRIANGLE)
    assert region["latex"] == r"\frac{a}{b}"
    assert axe_words(work) == []


def test_outline_when_drawn_by_keys_alone_then_it_is_exact_and_its_latex_opens(work: Page) -> None:
    work.keyboard.press("F2")
    for key in ("ArrowRight", "ArrowDown"):
        work.keyboard.press("Space")
        for _ in range(5):
            work.keyboard.press(f"Shift+{key}")
        work.keyboard.press(key)
    work.keyboard.press("Space")
    work.keyboard.press("Enter")
    expect(latex(work)).to_be_focused()
    (first, second, third) = regions(work)[0]["polygon"]
    assert (second[0] - first[0], second[1] - first[1]) == (51, 0)
    assert (third[0] - second[0], third[1] - second[1]) == (0, 51)


def test_outline_when_zoomed_moved_and_turned_midway_then_it_goes_on(work: Page) -> None:
    work.get_by_role("button", name="Outline a formula").click()
    click_on(work, *TRIANGLE[:2])
    work.mouse.wheel(0, -240)
    start = place(work, (400, 350))
    work.mouse.move(*start)
    work.mouse.down()
    work.mouse.move(start[0] + 60, start[1] + 30, steps=6)
    work.mouse.up()
    work.keyboard.press("r")
    work.keyboard.press("0")
    click_on(work, TRIANGLE[2])
    work.keyboard.press("Enter")
    assert is_near(regions(work)[0]["polygon"], TRIANGLE)


def test_bow_tie_when_drawn_then_the_crossing_point_is_refused_with_the_reason(
    work: Page, workbench: Workbench
) -> None:
    work.get_by_role("button", name="Outline a formula").click()
    click_on(work, *BOW_TIE)
    expect(note(work)).to_contain_text("cross itself between points 1 and 3")
    assert regions(work) == []
    click_on(work, (700, 450))
    work.keyboard.press("Enter")
    expect(note(work)).to_contain_text("cross itself")  # the closing side would
    work.keyboard.press("x")
    work.keyboard.press("Enter")
    assert is_near(regions(work)[0]["polygon"], BOW_TIE[:3])


def test_two_points_and_a_point_outside_when_tried_then_both_are_refused(work: Page) -> None:
    work.get_by_role("button", name="Outline a formula").click()
    click_on(work, *TRIANGLE[:2])
    work.keyboard.press("Enter")
    expect(note(work)).to_contain_text("too few points (2); it needs at least three")
    for _ in range(3):
        work.keyboard.press("-")
    click_on(work, (-120, 300))
    expect(note(work)).to_contain_text("outside the image")
    work.keyboard.press("Escape")
    expect(note(work)).to_be_hidden()
    assert regions(work) == []


def test_regions_when_moved_deleted_and_brought_back_then_outline_and_latex_stay_together(work: Page) -> None:
    outline(work, TRIANGLE)
    work.keyboard.type("a")
    outline(work, [(x + 300, y + 300) for x, y in TRIANGLE])
    work.keyboard.type("b")
    assert [region["latex"] for region in regions(work)] == ["a", "b"]
    work.keyboard.press("Alt+Shift+PageUp")
    assert [region["latex"] for region in regions(work)] == ["b", "a"]
    work.get_by_role("button", name="Delete formula 1").click()
    assert [region["latex"] for region in regions(work)] == ["a"]
    expect(work.locator(".shape--region")).to_have_count(1)
    work.get_by_role("toolbar", name="Formulas").get_by_role("button", name="Undo").click()
    assert [region["latex"] for region in regions(work)] == ["b", "a"]
    expect(work.locator(".shape--region")).to_have_count(2)
    work.keyboard.press("F9")
    expect(work.locator(".region[data-active] .region__number")).to_have_text("2")


def test_point_when_moved_by_keys_then_a_crossing_step_is_refused(work: Page) -> None:
    outline(work, TRIANGLE)
    work.get_by_role("button", name="Change the outline of formula 1").click()
    work.keyboard.press("n")
    before = regions(work)[0]["polygon"]
    work.keyboard.press("Shift+ArrowDown")
    after = regions(work)[0]["polygon"]
    assert after[1] == [before[1][0], before[1][1] + 10]
    work.keyboard.press("x")
    expect(note(work)).to_contain_text("needs at least three")
    work.keyboard.press("Space")
    assert len(regions(work)[0]["polygon"]) == 4
    work.keyboard.press("Enter")
    expect(note(work)).to_be_hidden()


def test_point_when_dragged_across_a_side_then_it_goes_back_with_the_reason(work: Page) -> None:
    square = [(200, 200), (500, 200), (500, 500), (200, 500)]
    outline(work, square)
    before = regions(work)
    drag(work, square[0], (700, 350))
    expect(note(work)).to_contain_text("cross itself")
    assert regions(work) == before
    drag(work, square[0], (120, 150))
    assert is_near(regions(work)[0]["polygon"], [(120, 150), *square[1:]])


def test_latex_when_wrong_then_the_place_is_told_and_underlined(work: Page) -> None:
    work.get_by_role("button", name="Whole image").click()
    work.keyboard.type(r"a+\foo+b")
    expect(work.locator(".region__fault")).to_contain_text("Character 3")
    expect(work.locator(".latex-fault")).to_have_text(r"\foo")
    size = work.evaluate("document.querySelector('ink-viewer').shapes.image")
    width, height = size["width"], size["height"]
    assert regions(work)[0]["polygon"] == [[0, 0], [width, 0], [width, height], [0, height]]


def test_suggestion_when_taken_then_it_fills_the_active_formula(work: Page) -> None:
    outline(work, TRIANGLE)
    taker = work.evaluate("document.querySelector('ink-regions').takeLatex('x^2')")
    assert taker == regions(work)[0]["id"]
    assert regions(work)[0]["latex"] == "x^2"
    expect(latex(work)).to_have_text("x^2")


def test_ten_outlines_when_the_page_is_loaded_again_then_they_are_there(
    work: Page, workbench: Workbench, site: str
) -> None:
    for number in range(10):
        left, top = 100 + 180 * (number % 5), 120 + 300 * (number // 5)
        outline(work, [(left, top), (left + 120, top), (left + 60, top + 100)])
        work.keyboard.type(f"x_{number}")
    drawn = regions(work)
    says(work, SAVED)
    opened(work, site)
    assert regions(work) == drawn
    assert len(json.loads(workbench.text)["regions"]) == 10
    expect(work.locator(".shape--region")).to_have_count(10)


def test_mask_when_drawn_by_box_then_it_asks_for_the_reason_and_gives_its_mark(work: Page) -> None:
    work.get_by_role("button", name="Whole image").click()
    work.keyboard.type("a+")
    work.keyboard.press("Shift+F2")
    drag(work, (200, 200), (420, 280))
    work.keyboard.type("ink blot")
    work.get_by_role("button", name="Mark in text").click()
    expect(latex(work)).to_have_text("a+⟦masked⟧")
    (mask,) = masks(work)
    assert (mask["shape"], mask["reason"]) == ("box", "ink blot")
    assert is_near(mask["points"], [(200, 200), (420, 280)])


def test_mask_when_painted_then_hidden_shown_removed_and_brought_back(work: Page) -> None:
    work.get_by_role("tab", name="Masks").click()
    work.get_by_role("button", name="Brush").click()
    work.mouse.move(*place(work, (300, 300)))
    work.mouse.down()
    for x in range(320, 520, 20):
        work.mouse.move(*place(work, (x, 300)))
    work.mouse.up()
    (mask,) = masks(work)
    assert mask["shape"] == "brush"
    assert mask["width"] > 0
    shape = work.locator(".shape--mask")
    expect(shape).to_have_count(1)
    assert axe_words(work) == []
    work.get_by_role("button", name="Show masks").click()
    expect(shape).to_have_count(0)
    work.get_by_role("button", name="Show masks").click()
    work.get_by_role("button", name="Remove: Mask 1").click()
    assert masks(work) == []
    work.get_by_role("button", name="Undo").last.click()
    assert masks(work) == [mask]


def test_keys_of_shapes_when_typed_into_latex_then_they_are_letters(work: Page) -> None:
    work.get_by_role("button", name="Whole image").click()
    work.keyboard.type("dewxumbhn")
    assert [region["latex"] for region in regions(work)] == ["dewxumbhn"]
    assert masks(work) == []
