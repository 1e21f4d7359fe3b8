"""A table's structure of one's own in a discussion: edited as a grid, kept by the signature."""

from __future__ import annotations

import os
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from annotation.models import Field, Signature
from evaluation.payloads.table import read_table
from tests.annotation.services.test_every_structure import dispute
from tests.browser.test_work_faults import session_cookie

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_structure_when_disputed_then_a_new_one_is_edited_as_a_grid_and_signed(
    watched: BrowserContext, live_server: Any
) -> None:
    _, primary, _ = dispute("a row")
    field = Field.objects.get(kind="structure")
    watched.add_cookies([session_cookie(primary.person, live_server.url)])  # type: ignore[list-item]
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
    tools.get_by_role("button", name="Add a row below", exact=True).click()
    expect(grid.locator("tr")).to_have_count(before + 1)
    expect(case.locator("input[value=new]")).to_be_checked()
    if shots := os.environ.get("INKBENCH_SHOTS"):
        page.screenshot(path=f"{shots}/structure.png")
    case.get_by_role("button", name="Stand behind this version").click()
    expect(case.get_by_text("waits for the other person")).to_be_visible()
    assert len(read_table(Signature.objects.get().text or "").rows) == before + 1
