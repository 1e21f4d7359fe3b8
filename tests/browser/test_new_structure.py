"""A table's structure of one's own in a discussion: edited as a grid, kept by the signature."""

from __future__ import annotations

import os
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from annotation.models import Field, Signature
from annotation.stages import Stage
from evaluation.payloads.table import read_table
from tests.annotation.assignments import assignment_for, submit_work
from tests.annotation.versions import dispute, start
from tests.browser.axe import axe_words
from tests.browser.real_page import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_structure_when_disputed_then_a_new_one_is_edited_as_a_grid_and_signed(
    watched: BrowserContext, live_server: Any
) -> None:
    _, primary, _ = dispute("a row")
    field = Field.objects.get(kind="structure")
    sign_in(watched, live_server.url, primary.person)
    page = watched.new_page()
    page.goto(f"{live_server.url}/consensus/{primary.uuid}/")
    case = page.locator(f"#field-{field.position}")
    grid = case.locator("ink-new-version .table-grid")
    expect(grid).to_be_visible()
    expect(case.locator("ink-new-version textarea[name=text]")).to_be_hidden()
    before = grid.locator("tr").count()
    grid.locator("td").first.click()
    tools = case.get_by_role("toolbar", name="Table tools")
    tools.locator("summary", has_text="Row").click()
    tools.get_by_role("button", name="Add row below", exact=True).click()
    expect(grid.locator("tr")).to_have_count(before + 1)
    expect(case.locator("input[value=new]")).to_be_checked()
    if shots := os.environ.get("INKBENCH_SHOTS"):
        page.screenshot(path=f"{shots}/structure.png")
    case.get_by_role("button", name="Agree to this version").click()
    expect(case.get_by_text("waiting for the other person")).to_be_visible()
    assert len(read_table(Signature.objects.get().text or "").rows) == before + 1


FIRST = (
    '<table><thead><tr><th colspan="2">Rain</th><th>Days</th></tr></thead><tbody><tr><td>May</td><td>12</td><td>3</td>'
    "</tr><tr><td>June</td><td>40</td><td>9</td></tr></tbody></table>"
)
SECOND = (
    "<table><thead><tr><th>Rain</th><th></th><th>Days</th></tr></thead><tbody><tr><td>May</td><td>12</td><td>3</td></tr>"
    "<tr><td>mean</td><td>26</td><td>6</td></tr><tr><td>June</td><td>40</td><td>9</td></tr></tbody></table>"
)


@pytest.mark.parametrize(("theme", "language"), [("light", "en"), ("dark", "zh-hans")])
def test_structures_when_disputed_then_what_differs_is_drawn_numbered_and_axe_finds_nothing(
    watched: BrowserContext, live_server: Any, theme: str, language: str
) -> None:
    project, primary = start("table")
    submit_work(primary, FIRST)
    submit_work(assignment_for(project, Stage.VERIFY), SECOND)
    primary.person.theme, primary.person.language = theme, language
    primary.person.save()
    sign_in(watched, live_server.url, primary.person)
    page = watched.new_page()
    page.goto(f"{live_server.url}/consensus/{primary.uuid}/")
    tables = page.locator(".marked-table")
    expect(tables).to_have_count(2)
    edges = "cells => cells.map(cell => getComputedStyle(cell).outlineStyle)"
    for index, count in enumerate([1, 5]):
        assert tables.nth(index).locator(".is-other").evaluate_all(edges) == ["dashed"] * count
        expect(tables.nth(index).locator("li b")).to_have_text(["1", "2", "3"])
    # Elsewhere on this page are header cells that nobody has filled yet, which axe calls empty.
    assert axe_words(page, within=".marked-table") == []
    if shots := os.environ.get("INKBENCH_SHOTS"):
        page.screenshot(path=f"{shots}/structures-{theme}.png")
