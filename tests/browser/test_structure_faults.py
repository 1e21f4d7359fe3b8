"""The real work page of formulas, tables and masks when things go wrong: browsers die, input methods compose.

Field cases 2, 34 and 42, for what is more than a text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Playwright, expect

from annotation.models import Assignment, Draft, Label, Project, Work
from annotation.services.claim_work import claim_work
from annotation.stages import Stage
from config.accounts.models import Role, User
from tests.browser.real_page import (
    OFFLINE,
    SAVED,
    compose_hello,
    confirm_candidate,
    open_page,
    says,
    sign_in,
    start_browser,
    until_kept,
)
from tests.browser.shapes import cell, is_near, latex, mask_box, masks, outline, regions, written
from tests.factories import make_member, make_project, make_sample

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FIRST, SECOND = [(20, 20), (100, 20), (60, 60)], [(130, 90), (220, 90), (170, 140)]
GRID = "<table><tr><td>a</td><td></td></tr></table>"


@pytest.fixture
def project() -> Project:
    return make_project(slug="structures")


@pytest.fixture
def ana(project: Project) -> User:
    return make_member(project, Role.ANNOTATOR, name="ana")


@pytest.fixture
def discussion_role_of(project: Project, ana: User) -> Callable[[str], Assignment]:
    def take(structure: str) -> Assignment:
        make_sample(project, structure=structure)
        taken = claim_work(person=ana, project=project, stage=Stage.LABEL)
        assert taken
        return taken

    return take


def come_in(context: BrowserContext, site: str, assignment: Assignment) -> Page:
    sign_in(context, site, assignment.person)
    page = open_page(context, f"{site}/work/{assignment.uuid}/")
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": 1280, "height": 800})
    return page


@pytest.fixture
def workbench(
    playwright: Playwright, chromium_alone: list[str], live_server: Any
) -> Callable[[Assignment], Any]:
    """The assignment's page in a browser that is killed at the end of the block; its profile stays for the next one."""

    @contextmanager
    def opened(assignment: Assignment) -> Iterator[Page]:
        process, context = start_browser(playwright, chromium_alone)
        try:
            yield come_in(context, live_server.url, assignment)
        finally:
            process.kill()
            process.wait()

    return opened


def go_offline(page: Page) -> None:
    page.route("**/autosave/", lambda route: route.abort())


def stored(assignment: Assignment) -> Draft:
    return Draft.objects.get(assignment=assignment)


def test_browser_when_killed_while_outlining_then_outlines_and_latex_are_back_and_saved(
    workbench: Any, discussion_role_of: Callable[[str], Assignment]
) -> None:
    assignment = discussion_role_of("formula")
    with workbench(assignment) as page:
        outline(page, FIRST)
        page.keyboard.type("x^2")
        says(page, SAVED)
        go_offline(page)
        outline(page, SECOND)
        page.keyboard.type(r"\frac{a}{b}")
        says(page, OFFLINE)
        until_kept(page)
        page.get_by_role("button", name="Outline a formula").click()  # and dies in the middle of a third one
    assert [region["latex"] for region in json.loads(stored(assignment).text)["regions"]] == ["x^2"]
    with workbench(assignment) as page:
        expect(page.get_by_text("Unsaved text found")).to_be_visible()
        first, second = regions(page)
        assert is_near(first["polygon"], FIRST) and is_near(second["polygon"], SECOND)
        assert [first["latex"], second["latex"]] == ["x^2", r"\frac{a}{b}"]
        expect(page.locator(".shape--region")).to_have_count(2)
        says(page, SAVED)
        assert stored(assignment).text == written(page)


def test_browser_when_killed_while_masking_a_table_then_cell_mask_and_reason_are_back_and_saved(
    workbench: Any, discussion_role_of: Callable[[str], Assignment]
) -> None:
    assignment = discussion_role_of("table")
    Draft.objects.filter(assignment=assignment).update(text=GRID)
    with workbench(assignment) as page:
        go_offline(page)
        cell(page, 1).click()
        page.keyboard.insert_text("$x$ mm")
        mask_box(page, (20, 20), (90, 60))
        page.keyboard.type("ink blot")
        says(page, OFFLINE)
        until_kept(page)
    assert (stored(assignment).text, stored(assignment).masks) == (GRID, [])
    with workbench(assignment) as page:
        expect(page.get_by_text("Unsaved text found")).to_be_visible()
        assert written(page) == GRID.replace("<td></td>", "<td>$x$ mm</td>")
        (mask,) = masks(page)
        assert is_near(mask["points"], [(20, 20), (90, 60)])
        assert mask["reason"] == "ink blot"
        says(page, SAVED)
        assert (stored(assignment).text, stored(assignment).masks) == (written(page), [mask])


def into_latex(page: Page) -> None:
    outline(page, FIRST)
    expect(latex(page)).to_be_focused()


def into_cell(page: Page) -> None:
    cell(page, 1).click()


def into_reason(page: Page) -> None:
    mask_box(page, (20, 20), (90, 60))


# A box to write in -> the page it is on, the way into it, and what is written there.
BOXES: dict[str, tuple[str, Callable[[Page], None], Callable[[Page], str]]] = {
    "LaTeX": ("formula", into_latex, lambda page: str(regions(page)[0]["latex"])),
    "cell": (
        "table",
        into_cell,
        lambda page: written(page).split("<td>")[2].removesuffix("</td></tr></table>"),
    ),
    "reason": ("text", into_reason, lambda page: str(masks(page)[0]["reason"])),
}


@pytest.mark.parametrize("box", BOXES)
def test_input_method_when_it_writes_into_a_box_then_the_candidate_is_there_once_and_nothing_is_sent(
    watched: BrowserContext, live_server: Any, discussion_role_of: Callable[[str], Assignment], box: str
) -> None:
    structure, go_in, read = BOXES[box]
    assignment = discussion_role_of(structure)
    Draft.objects.filter(assignment=assignment).update(text=GRID if structure == "table" else "")
    page = come_in(watched, live_server.url, assignment)
    before = Work.objects.values().get()
    go_in(page)
    for order in ("chromium", "safari"):
        confirm_candidate(page, order)
    assert read(page) == ""
    compose_hello(page)
    says(page, SAVED)
    assert read(page) == "你好"
    assert Label.objects.count() == 0
    assert Work.objects.values("stage", "status", "version").get().items() <= before.items()
    kept = stored(assignment)
    assert "你好" in (kept.text if box != "reason" else str(kept.masks))


def test_work_page_when_the_window_is_low_then_the_image_leaves_tabs_and_workbench_free(
    watched: BrowserContext, live_server: Any, discussion_role_of: Callable[[str], Assignment]
) -> None:
    page = come_in(watched, live_server.url, discussion_role_of("table"))
    page.set_viewport_size({"width": 780, "height": 440})
    page.get_by_role("tab", name="Masks").click()
    expect(page.get_by_role("tab", name="Masks")).to_have_attribute("aria-selected", "true")
    page.get_by_role("tab", name="Write").click()
    image = page.locator("ink-viewer").bounding_box()
    workbench = page.locator("#workbench-pane").bounding_box()
    assert image and workbench and image["y"] + image["height"] <= workbench["y"]
