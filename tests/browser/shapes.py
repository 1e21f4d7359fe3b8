"""Hands on the page image: where a pixel is on the screen, and outlines, masks and cells put there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Locator, Page

Point = tuple[int, int]

PLACE_AT_REST = """async (point) => {
  const { shapes } = document.querySelector("ink-viewer");
  let last;
  for (let now = shapes.placeOf(point); String(now) !== String(last); now = shapes.placeOf(point)) {
    last = now;
    await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
  }
  return last;
}"""


def place(page: Page, point: Point) -> tuple[float, float]:
    """Where a pixel of the image is once the view stands still: a zoom is drawn a frame after its key."""
    x, y = page.evaluate(PLACE_AT_REST, list(point))
    return x, y


def click_on(page: Page, *points: Point) -> None:
    for point in points:
        page.mouse.click(*place(page, point))


def drag(page: Page, start: Point, end: Point) -> None:
    page.mouse.move(*place(page, start))
    page.mouse.down()
    page.mouse.move(*place(page, end), steps=5)
    page.mouse.up()


def outline(page: Page, points: Sequence[Point]) -> None:
    """A new formula; the caret is in its LaTeX afterwards."""
    page.get_by_role("button", name="Outline a formula").click()
    click_on(page, *points)
    page.keyboard.press("Enter")


def mask_box(page: Page, start: Point, end: Point) -> None:
    """A new mask; the caret is in its reason afterwards."""
    page.get_by_role("tab", name="Masks").click()
    page.get_by_role("button", name="Box").click()
    drag(page, start, end)


def latex(page: Page) -> Locator:
    """The LaTeX of the formula in hand."""
    return page.locator(".region[data-active] .cm-content")


def cell(page: Page, index: int) -> Locator:
    """The cell of a table by its place among all cells, row by row, from 0."""
    return page.locator(".table-grid :is(td, th)").nth(index)


def press_tool(page: Page, name: str, menu: str = "") -> None:
    """A button of the table's tools, in a menu of them or beside these."""
    tools = page.get_by_role("toolbar", name="Table tools")
    if menu:
        tools.locator("summary", has_text=menu).click()
    tools.get_by_role("button", name=name, exact=True).click()


def written(page: Page) -> str:
    """The text of the label as it would be submitted."""
    return str(page.evaluate("document.querySelector('textarea[name=text]').value"))


def regions(page: Page) -> list[dict[str, Any]]:
    text = written(page)
    return list(json.loads(text)["regions"]) if text else []


def masks(page: Page) -> list[dict[str, Any]]:
    return list(json.loads(page.evaluate("document.querySelector('textarea[name=masks]').value")))


def is_near(polygon: Sequence[Sequence[float]], points: Sequence[Point], slack: int = 4) -> bool:
    return len(polygon) == len(points) and all(
        abs(x - wanted_x) <= slack and abs(y - wanted_y) <= slack
        for (x, y), (wanted_x, wanted_y) in zip(polygon, points, strict=True)
    )
