"""The grid editor of tables on the real work page: what it does to the text, to keys and to what is pasted.

Field cases 34, 38, 53, 60.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from annotation.models import (
    Assignment,
    Draft,
    Project,
    RecogniserSetting,
    Suggestion,
    SuggestionRequest,
    SuggestionUse,
)
from annotation.services.claim_work import claim_work
from annotation.services.save_draft import save_draft
from annotation.stages import Stage
from config.accounts.models import Role, User
from evaluation.payloads.table import canonical_table
from tests.browser.real_page import open_page, sign_in
from tests.browser.shapes import cell, press_tool, written
from tests.factories import make_member, make_project, make_sample

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TABLE = (
    '<table><thead><tr><th rowspan="2">Week</th><th colspan="2">Rain</th></tr><tr><th>A</th><th>B</th></tr></thead>'
    "<tbody><tr><td>1</td><td>$x^2$ &lt; 3</td><td>a<br>b</td></tr></tbody></table>"
)


@pytest.fixture
def project() -> Project:
    return make_project(slug="tables")


@pytest.fixture
def ana(project: Project) -> User:
    return make_member(project, Role.ANNOTATOR, name="ana")


@pytest.fixture
def assignment(project: Project, ana: User) -> Assignment:
    make_sample(project, structure="table")
    taken = claim_work(person=ana, project=project, stage=Stage.LABEL)
    assert taken
    return taken


def open_table(context: BrowserContext, site: str, assignment: Assignment, text: str) -> Page:
    if text:
        save_draft(assignment=assignment, text=text, base_version=0, image_hash=assignment.sample.pixel_hash)
    sign_in(context, site, assignment.person)
    page = open_page(context, f"{site}/work/{assignment.uuid}/")
    expect(page.locator("ink-table[data-ready]")).to_be_visible()
    return page


def paste(page: Page, **data: str) -> None:
    page.evaluate(
        """data => {
          const clipboardData = new DataTransfer();
          for (const [kind, text] of Object.entries(data)) clipboardData.setData(`text/${kind}`, text);
          const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
          document.activeElement.dispatchEvent(event);
        }""",
        data,
    )


def test_table_when_opened_and_nothing_is_done_then_the_text_stays_byte_for_byte(
    watched: BrowserContext, live_server: Any, assignment: Assignment
) -> None:
    text = TABLE.replace("</tr>", "</tr>\n")
    page = open_table(watched, live_server.url, assignment, text)
    expect(page.locator(".table-grid th").first).to_have_text("Week")
    cell(page, 4).click()
    page.keyboard.press("Tab")
    expect(page.locator(".table-where")).to_contain_text("Row 3 of 3, column 2 of 3")
    press_tool(page, "Source")
    press_tool(page, "Source")
    expect(page.locator(".table-grid .katex").first).to_be_visible()
    assert written(page) == text
    assert Draft.objects.get(assignment=assignment).text == text


def test_start_when_words_are_typed_where_a_table_is_pasted_then_it_says_that_they_are_none(
    watched: BrowserContext, live_server: Any, assignment: Assignment
) -> None:
    page = open_table(watched, live_server.url, assignment, "")
    page.locator(".table-start textarea").press_sequentially("one two")
    expect(page.locator(".table-start__said")).to_contain_text("No table found.")
    assert written(page) == ""


def test_table_when_begun_and_changed_by_buttons_then_the_text_is_canonical_and_saved(
    watched: BrowserContext, live_server: Any, assignment: Assignment
) -> None:
    page = open_table(watched, live_server.url, assignment, "")
    page.get_by_label("Rows").fill("2")
    page.get_by_label("Columns").fill("2")
    page.get_by_role("button", name="Create grid").click()
    page.keyboard.type("one")
    page.keyboard.press("Tab")
    page.keyboard.type("two")
    page.keyboard.press("Enter")
    page.keyboard.type("lines")
    press_tool(page, "Add row below", "Row")
    press_tool(page, "Move row down", "Row")
    press_tool(page, "Delete column", "Column")
    press_tool(page, "Undo")
    press_tool(page, "Header cell")
    assert written(page) == canonical_table(written(page))
    assert "two<br>lines" in written(page)
    cell(page, 0).click()
    cell(page, 1).click(modifiers=["Shift"])
    press_tool(page, "Merge")
    assert 'colspan="2">one<br>two<br>lines</' in written(page)
    press_tool(page, "Split")
    assert 'colspan="2"' not in written(page)
    page.keyboard.press("Control+s")
    expect(page.locator(".work__foot [data-save-state]")).to_contain_text("Saved")
    assert Draft.objects.get(assignment=assignment).text == written(page)


def test_clipboard_when_a_spreadsheet_or_a_model_fills_it_then_cells_come_and_nothing_runs(
    watched: BrowserContext, live_server: Any, assignment: Assignment
) -> None:
    page = open_table(watched, live_server.url, assignment, "<table><tr><td></td><td></td></tr></table>")
    cell(page, 0).click()
    paste(page, plain="a\tb\n1\t2\n")
    assert written(page) == "<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr></table>"
    cell(page, 3).click()
    bad = '<td onclick="x()" style="color: red">3<script>window.bad = 1</script></td>'
    dirty = f"<table><tr>{bad}<td>4</td></tr></table>"
    paste(page, html=dirty, plain="3\t4")
    assert written(page) == (
        "<table><tr><td>a</td><td>b</td><td></td></tr><tr><td>1</td><td>3</td><td>4</td></tr></table>"
    )
    assert page.evaluate("window.bad") is None
    press_tool(page, "Undo")
    assert "<td>2</td>" in written(page)


def test_table_when_ragged_then_said_in_words_kept_as_it_is_and_mended_on_demand(
    watched: BrowserContext, live_server: Any, assignment: Assignment
) -> None:
    ragged = "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>"
    page = open_table(watched, live_server.url, assignment, ragged)
    expect(page.locator(".table-notice")).to_contain_text(
        "Row 2 and row 1 have different numbers of columns (1 and 2)"
    )
    assert written(page) == ragged
    page.get_by_role("button", name="Fill gaps and show the grid").click()
    assert written(page) == "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td></td></tr></table>"
    expect(page.locator(".table-grid")).to_be_visible()


def test_keys_when_in_the_grid_then_tab_goes_by_cells_and_out_at_the_end_or_after_escape(
    watched: BrowserContext, live_server: Any, assignment: Assignment
) -> None:
    page = open_table(watched, live_server.url, assignment, "<table><tr><td>a</td><td>b</td></tr></table>")
    inside = "document.activeElement.closest('.table-grid') !== null"
    cell(page, 0).click()
    page.keyboard.press("Tab")
    expect(page.locator(".table-where")).to_contain_text("column 2 of 2")
    assert page.evaluate(inside)
    page.keyboard.press("Tab")
    assert not page.evaluate(inside)
    cell(page, 0).click()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert not page.evaluate(inside)
    cell(page, 0).click()
    page.evaluate(
        """() => document.activeElement.dispatchEvent(
             new KeyboardEvent("keydown", { key: "Enter", keyCode: 229, bubbles: true, cancelable: true }))"""
    )
    assert written(page) == "<table><tr><td>a</td><td>b</td></tr></table>"


def test_text_when_right_to_left_then_each_cell_has_its_own_direction(
    watched: BrowserContext, live_server: Any, assignment: Assignment
) -> None:
    page = open_table(
        watched, live_server.url, assignment, "<table><tr><td>سعر abc $x$</td><td>a</td></tr></table>"
    )
    directions = page.locator(".table-grid td p").evaluate_all(
        "all => all.map(p => getComputedStyle(p).direction)"
    )
    assert directions == ["rtl", "ltr"]


def test_suggestions_when_read_then_a_cell_is_taken_into_its_place_and_noted(
    watched: BrowserContext, live_server: Any, assignment: Assignment
) -> None:
    for slot, text in enumerate((TABLE, TABLE.replace("<td>1</td>", "<td>7</td>")), start=1):
        recogniser = RecogniserSetting.objects.create(
            project=assignment.sample.project,
            slot=slot,
            kind="embedded",
            label=f"Reader {slot}",
            engine="ppocr-v6",
        )
        asked = SuggestionRequest.objects.create(
            sample=assignment.sample, recogniser=recogniser, state="done"
        )
        Suggestion.objects.create(request=asked, text=text, image_hash="x")
    page = open_table(watched, live_server.url, assignment, TABLE.replace("<td>1</td>", "<td></td>"))
    page.get_by_role("tab", name="Suggestions").click()
    second = page.locator("[data-letter=B]")
    second.locator("td.is-disputed").click()
    expect(second.locator(".table-choice")).to_contain_text("Row 3, column 1")
    with page.expect_response("**/taken/"):
        second.get_by_role("button", name="Use this cell B").click()
    assert "<td>7</td>" in written(page)
    use = SuggestionUse.objects.get()
    assert (use.how, use.text) == ("cell", "7")


def test_mark_when_inserted_then_it_stands_at_the_caret_of_the_cell_or_of_the_source(
    watched: BrowserContext, live_server: Any, assignment: Assignment
) -> None:
    page = open_table(
        watched,
        live_server.url,
        assignment,
        "<table><tr><td>ab</td><td>c</td></tr><tr><td>d</td><td>e</td></tr></table>",
    )
    insert = """text => document.querySelector("textarea[name=text]").dispatchEvent(
        new CustomEvent("ink:insert", { bubbles: true, cancelable: true, detail: { text } }))"""
    cell(page, 0).click()
    page.wait_for_timeout(300)
    page.keyboard.press("Home")
    page.wait_for_timeout(300)  # the editor reads the browser's caret a moment later
    assert page.evaluate(insert, "⟦masked⟧") is False, "nobody took it"
    page.keyboard.type("!")
    assert "<td>⟦masked⟧!ab</td>" in written(page)
    cell(page, 1).click()
    page.evaluate(insert, " x\ny")
    assert "<td>c x<br>y</td>" in written(page)
    cell(page, 0).click()
    cell(page, 3).click(modifiers=["Shift"])
    page.evaluate(insert, "∮")
    assert "<td>⟦masked⟧!ab</td>" in written(page), "chosen cells keep their text"
    assert "<td>e∮</td>" in written(page)
    page.keyboard.press("Control+z")
    assert "∮" not in written(page)
    press_tool(page, "Source")
    page.locator(".table-body .cm-content").click()
    page.keyboard.press("Control+End")
    page.evaluate(insert, "<!-- end -->")
    assert written(page).endswith("<!-- end -->")
    expect(page.locator(".table-body .cm-content")).to_be_focused()


def test_preview_when_opened_then_the_table_stands_there_as_a_reader_sees_it(
    watched: BrowserContext, live_server: Any, assignment: Assignment
) -> None:
    page = open_table(watched, live_server.url, assignment, TABLE)
    page.get_by_role("tab", name="Preview").click()
    expect(page.locator("ink-table-view th").first).to_have_text("Week")
    expect(page.locator("ink-table-view .katex").first).to_be_visible()
